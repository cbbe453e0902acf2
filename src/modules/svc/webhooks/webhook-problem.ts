import type { Webhook } from "../models"
import { type Reason, readReason } from "../shared/reason"
import { problem, REFUSAL_REASONS, type RefusalReason } from "./reasons"

/** Shown where the service does not know our subscriber any more. Not one of its own states (interface §3.2). */
export const MISSING = "missing"

/** States in which deliveries were given up: what happened meanwhile has to be read from the listings. */
export const NOT_WELL: readonly string[] = ["warning", "disabled", MISSING]
export const isNotWell = (state: string | null): boolean =>
  state !== null && NOT_WELL.includes(state)

/** What is wrong with a connection's subscriber, the worst first, for a merchant; null where all is well. */
export function webhookProblem(webhook: Webhook | null | undefined): Reason | null {
  // A subscriber that a person made in the service's own settings has only the key, which was pasted here.
  if (!webhook?.webhook_uid && !webhook?.signature_key) return problem("webhook_not_registered")
  return (
    stateProblem(webhook.state) ??
    (webhook.signature_key ? readReason(webhook.last_error) : problem("webhook_key_unknown"))
  )
}

/** What a subscriber's state means for a merchant; null where all is well. */
export function stateProblem(state: string | null): Reason | null {
  switch (state) {
    case "warning":
      return problem("webhook_warning")
    case "disabled":
      return problem("webhook_disabled")
    case MISSING:
      return problem("webhook_missing")
    default:
      return null
  }
}

/** What is known of receiving, for one connection. */
export type ReceivingState = {
  webhook: Webhook | null
  /** Why none can be registered; null where one can. */
  addressProblem: Reason | null
  refusals: { reason: RefusalReason; last_at: Date }[]
  /** Deliveries that need somebody, of the last days. */
  inbox: { quarantined: number; unknown: number; failed: number }
  /** Whether the listings were read to their end the last time; null where they were not read yet. */
  listingComplete: boolean | null
}

export type ReceivingProblem = { severity: "warning" | "critical"; reason: Reason }

/** The service sends nothing now, or we cannot verify what it sends. */
const CRITICAL = new Set(["webhook_disabled", "webhook_missing", "webhook_key_unknown"])

/** Refusals that mean that deliveries of the service are lost; strangers cause the others as well. */
const OF_THE_SERVICE: ReadonlySet<RefusalReason> = new Set([
  "wrong_key",
  "too_old",
  "wrong_page",
  "key_unreadable",
])
const RECENT_MS = 24 * 3_600_000
/** Worth a look; deliveries are refused at the tolerance. */
const SKEW_WARNING_MS = 60_000

/**
 * Everything that is wrong with receiving, for the health document. Pure.
 *
 * @param toleranceMs 0 where the clock is not minded
 */
export function receivingProblems(
  { webhook, addressProblem, refusals, inbox, listingComplete }: ReceivingState,
  now: number,
  toleranceMs: number,
): ReceivingProblem[] {
  const problems: ReceivingProblem[] = []
  const tell = (severity: ReceivingProblem["severity"], reason: Reason) =>
    problems.push({ severity, reason })

  const subscriber = webhookProblem(webhook)
  if (subscriber?.code === "webhook_not_registered" && addressProblem) {
    tell("warning", addressProblem)
  } else if (subscriber) {
    tell(CRITICAL.has(subscriber.code) ? "critical" : "warning", subscriber)
  }
  if (webhook?.applying_paused_at) {
    tell("warning", problem("applying_paused", { at: webhook.applying_paused_at.toISOString() }))
  }
  const skew = Math.abs(webhook?.clock_skew_ms ?? 0)
  if (toleranceMs > 0 && skew > SKEW_WARNING_MS) {
    tell(
      skew > toleranceMs ? "critical" : "warning",
      problem("clock_skew", {
        seconds: Math.round(skew / 1000),
        tolerance: Math.round(toleranceMs / 1000),
      }),
    )
  }
  const heardAt = webhook?.last_delivery_at?.getTime() ?? 0
  const [refused] = refusals
    .filter(({ reason, last_at }) => {
      const at = last_at.getTime()
      return OF_THE_SERVICE.has(reason) && at > heardAt && at > now - RECENT_MS
    })
    .sort((a, b) => b.last_at.getTime() - a.last_at.getTime())
  if (refused) {
    tell(
      "critical",
      problem("deliveries_refused", {
        since: webhook?.last_delivery_at?.toISOString() ?? "the beginning",
        at: refused.last_at.toISOString(),
        why: REFUSAL_REASONS[refused.reason].label,
      }),
    )
  }
  for (const outcome of ["quarantined", "unknown", "failed"] as const) {
    const count = inbox[outcome]
    if (count > 0) tell("warning", problem(`deliveries_${outcome}`, { count }))
  }
  if (listingComplete === false) tell("warning", problem("listing_incomplete"))
  return problems
}
