import { TEST_TOPIC, TOPICS } from "../../../contract"
import type { Webhook } from "../models"
import { type Reason, reasonFor } from "../shared/reason"
import { DELIVERY_REFUSALS, isLoss, passedAt, type RefusalReason } from "./reasons"
import { ASKING_MS, ROTATION_MS } from "./signature-keys"

/** Shown where the service does not know our subscriber any more. Not one of its own states (interface §3.2). */
export const MISSING = "missing"

/** States in which deliveries were given up: what happened meanwhile has to be read from the listings. */
export const NOT_WELL: readonly string[] = ["warning", "disabled", MISSING]
export const isNotWell = (state: string | null): boolean =>
  state !== null && NOT_WELL.includes(state)

/** What a webhook has to be like, and what happens meanwhile. */
export type Circumstances = {
  /** Where the service has to deliver; null where this store does not know its address. */
  url: string | null
  /** The store that this one is a copy of, or may be one where it does not know its address; null where it is none. */
  copyOf: string | null
  /** When the last of the shows began that are live now; null where none is. */
  liveSince: Date | null
}

/** A show that runs is told of at least as it begins. */
const TOLD_WITHIN_MS = 15 * 60_000
/** The service says when it began, by its own clock. */
const CLOCKS_DIFFER_MS = 60_000
/** Afterwards it has nothing to tell while nothing in it changes. */
const SILENT_IN_SHOW_MS = 2 * 3_600_000
const SILENT_MS = 24 * 3_600_000

/**
 * What is wrong with a connection's subscriber, the worst first; null where all is well. The one judge: of the page, the
 * checklist and the health document. Pure.
 *
 * @param now by the database's clock, as the times of the row are
 */
export function judgeSubscriber(
  webhook: Webhook | null,
  { url, copyOf, liveSince }: Circumstances,
  now: number,
): ReceivingProblem | null {
  if (copyOf !== null) {
    const code = url === null ? "store_address_missing" : "copy_of_another_store"
    return { severity: "critical", reason: reasonFor(code, { original: copyOf }) }
  }
  // A subscriber that a person made in the service's own settings has only the key, which was pasted here.
  const isUnsure = webhook !== null && isKeyUnsure(webhook, now)
  if (!webhook?.webhook_uid && (!webhook?.signature_key || isUnsure)) {
    return { severity: "warning", reason: reasonFor("webhook_not_registered") }
  }
  const heardAt = webhook.last_delivery_at?.getTime() ?? 0
  const toldAt = webhook.refreshed_at?.getTime() ?? 0
  // Whoever delivers knows the webhook, and reaches us at whatever address it has (gap 13).
  const delivers = heardAt > toldAt - STILL_DELIVERS_MS
  const state = stateProblem(webhook.state)
  const isOver = webhook.state !== "warning" && !(webhook.state === MISSING && delivers)
  if (state && isOver) return { severity: "critical", reason: state }
  // Why the service has come to warn, where it has.
  if (!webhook.signature_key) {
    return { severity: "critical", reason: reasonFor("webhook_key_unknown") }
  }
  if (state) return { severity: "warning", reason: state }
  if (isUnsure) {
    return { severity: "critical", reason: reasonFor("webhook_key_unsure") }
  }
  if (webhook.webhook_uid && url !== null && webhook.url !== null && webhook.url !== url) {
    const reason = reasonFor("webhook_other_address", { registered: webhook.url, expected: url })
    return { severity: delivers ? "warning" : "critical", reason }
  }
  // A page that tells no topics tells nothing of them. Somebody may have chosen few here, or taken some out at the service.
  const topics: unknown[] = webhook.webhook_uid ? listOf(webhook.topics) : []
  const asked: unknown[] = webhook.asked_topics ? listOf(webhook.asked_topics) : [...TOPICS]
  const missing = TOPICS.filter(
    (topic) => topic !== TEST_TOPIC && asked.includes(topic) && !topics.includes(topic),
  )
  if (topics.length > 0 && missing.length > 0) {
    return { severity: "warning", reason: reasonFor("topics_missing", { topics: missing }) }
  }
  // Where the topic of shows was left out, the lists alone tell of them.
  const isToldOfShows = topics.length === 0 || topics.includes("live_event.updated")
  if (!liveSince || !isToldOfShows) return null
  const [beganAt, keyAt] = [liveSince.getTime(), webhook.signature_key_updated_at?.getTime() ?? 0]
  const silentFor = now - Math.max(heardAt, beganAt, keyAt)
  const isLost = beganAt > keyAt && heardAt < beganAt - TOLD_WITHIN_MS
  // What came before the show says nothing of its beginning.
  const isHeard = heardAt >= Math.max(keyAt, beganAt - CLOCKS_DIFFER_MS)
  if (silentFor <= (isHeard ? SILENT_IN_SHOW_MS : TOLD_WITHIN_MS)) return null
  // Nobody told us that it began, or anything at all for a day.
  const severity = isLost || silentFor > SILENT_MS ? "critical" : "warning"
  const reason = webhook.last_delivery_at
    ? reasonFor("webhook_silent", { last_at: webhook.last_delivery_at.toISOString() })
    : reasonFor("webhook_never_heard")
  return { severity, reason }
}

/**
 * Whether another key was asked for, and nobody knows what came of it: the service may sign with one that never reached us. A
 * delivery that the key verifies afterwards ends that (`SubscriberRows.heard`). A person may have pasted the one of the
 * dashboard.
 */
const isKeyUnsure = (
  { rotation, rotating_until, candidate_key }: Webhook,
  now: number,
): boolean => {
  if (rotation !== "asked" || !rotating_until || candidate_key) return false
  return now - (rotating_until.getTime() - ROTATION_MS) > ASKING_MS
}

const listOf = (json: unknown): unknown[] => (Array.isArray(json) ? json : [])

/** A delivery within this time of a look-up disproves that there is no webhook, or that it leads elsewhere. */
const STILL_DELIVERS_MS = 10 * 60_000

/** What a subscriber's state means for a merchant; null where all is well. */
export function stateProblem(state: string | null): Reason | null {
  switch (state) {
    case "warning":
      return reasonFor("webhook_warning")
    case "disabled":
      return reasonFor("webhook_disabled")
    case MISSING:
      return reasonFor("webhook_missing")
    default:
      return null
  }
}

/** What is known of receiving, for one connection. */
export type ReceivingState = {
  webhook: Webhook | null
  circumstances: Circumstances
  /** Why none can be registered; null where one can. */
  addressProblem: Reason | null
  refusals: { reason: RefusalReason; last_at: Date }[]
  /** Deliveries that need somebody, of the last days. */
  inbox: { quarantined: number; unknown: number; failed: number }
  /** Of the listings: what stands in its way, and whether the last came to their end; null where there was none yet. */
  reading: { problem: Reason | null; isWhole: boolean | null } | null
}

export type ReceivingProblem = { severity: "warning" | "critical"; reason: Reason }

const RECENT_MS = 24 * 3_600_000
/** Worth a look; deliveries are refused at the tolerance. */
const SKEW_WARNING_MS = 60_000

/**
 * How far our clock is from the service's, by the last delivery that was accepted; null where that is near enough. Pure.
 *
 * @param toleranceMs 0 where the clock is not minded
 */
export function judgeClock(webhook: Webhook | null, toleranceMs: number): ReceivingProblem | null {
  const skew = Math.abs(webhook?.clock_skew_ms ?? 0)
  if (toleranceMs === 0 || skew <= SKEW_WARNING_MS) return null
  const reason = reasonFor("clock_skew", {
    seconds: Math.round(skew / 1000),
    tolerance: Math.round(toleranceMs / 1000),
  })
  return { severity: "warning", reason }
}

/**
 * Everything that is wrong with receiving, for the health document. Pure.
 *
 * @param now by the database's clock, as the times of the rows are
 * @param toleranceMs 0 where the clock is not minded
 */
export function receivingProblems(
  { webhook, circumstances, addressProblem, refusals, inbox, reading }: ReceivingState,
  now: number,
  toleranceMs: number,
): ReceivingProblem[] {
  const problems: ReceivingProblem[] = []
  const tell = (severity: ReceivingProblem["severity"], reason: Reason) =>
    problems.push({ severity, reason })

  const subscriber = judgeSubscriber(webhook, circumstances, now)
  if (subscriber?.reason.code === "webhook_not_registered" && addressProblem) {
    tell("warning", addressProblem)
  } else if (subscriber) {
    tell(subscriber.severity, subscriber.reason)
  }
  const skewed = judgeClock(webhook, toleranceMs)
  if (skewed) tell(skewed.severity, skewed.reason)
  const [refused] = refusals
    .filter(({ reason, last_at }) => {
      const at = last_at.getTime()
      return isLoss(reason) && at > passedAt(reason, webhook) && at > now - RECENT_MS
    })
    .sort((a, b) => b.last_at.getTime() - a.last_at.getTime())
  if (refused) {
    tell(
      "critical",
      reasonFor("deliveries_refused", {
        since: webhook?.last_delivery_at?.toISOString() ?? "the beginning",
        at: refused.last_at.toISOString(),
        why: DELIVERY_REFUSALS[refused.reason].label,
      }),
    )
  }
  const unwell = [
    ["deliveries_quarantined", inbox.quarantined],
    ["deliveries_unknown", inbox.unknown],
    ["deliveries_failed", inbox.failed],
  ] as const
  for (const [code, count] of unwell) if (count > 0) tell("warning", reasonFor(code, { count }))
  // That this store is a copy is one line.
  if (reading?.problem && reading.problem.code !== subscriber?.reason.code)
    tell("warning", reading.problem)
  if (reading?.isWhole === false) tell("warning", reasonFor("listing_incomplete"))
  return problems
}
