import type { Reason } from "../shared/reason"
import { settingUnreadable } from "../shared/stored-settings"
import { EXCLUDED, WAITING } from "./reasons"
import type { ReportSettings } from "./report-settings"

/** What Medusa says of a placed order at this moment. */
export type OrderFacts = {
  placedAt: Date
  canceledAt: Date | null
  email: string | null
  isTest: boolean
  /** A person has said that it is a sale, whatever rule leaves it out. */
  isAdmitted: boolean
  hasConsent: boolean
  payment: PaymentState
}
/**
 * `authorised`: it was once, whatever became of that payment since. `deferred`: its provider has said that the payment comes
 * later (a bank transfer, a payment link), and Medusa has let the order stand.
 */
export type PaymentState = "nothing_due" | "unpaid" | "deferred" | "authorised" | "captured"

export const isPaid = (payment: PaymentState): boolean =>
  payment !== "unpaid" && payment !== "deferred"

export type ReportVerdict =
  | { kind: "report" }
  | { kind: "wait"; reason: Reason }
  | { kind: "exclude"; reason: Reason }

/** A payment or a consent that did not come by then does not come. */
export const WAIT_DAYS = 30
const DAY_MS = 24 * 3_600_000

/**
 * Whether an order is reported now (gap 50). Asked before each call, so that an order which was cancelled while its report
 * waited is not told.
 *
 * @param forced a person pressed "Report again": rules and waiting do not hold them up
 */
export function judgeReport(input: {
  facts: OrderFacts
  forced: boolean
  /** The service has the order by an earlier call, or may have it. */
  mayHaveTold: boolean
  /** The connection has another page than the one that gave the order's number. */
  pageIsLeft: boolean
  settings: ReportSettings
  /** The setting that cannot be read, where one cannot. */
  unreadable: string | null
  excludeEmails: string[]
  now: Date
}): ReportVerdict {
  const { facts, forced, mayHaveTold, settings, now } = input
  // One that may be told keeps its number, or another order would be reported under the same.
  if (facts.canceledAt) {
    const reason = mayHaveTold ? EXCLUDED.order_cancelled_maybe_told() : EXCLUDED.order_cancelled()
    return { kind: "exclude", reason }
  }
  if (input.pageIsLeft) return { kind: "exclude", reason: EXCLUDED.page_left() }
  if (forced) return { kind: "report" }
  const maybeTold = mayHaveTold ? EXCLUDED.left_out_maybe_told() : null
  const leftOut = ruleThatLeavesOut(facts, input.excludeEmails)
  if (leftOut) return { kind: "exclude", reason: maybeTold ?? leftOut }
  const waiting = input.unreadable
    ? settingUnreadable(input.unreadable)
    : whatIsMissing(facts, settings)
  if (!waiting) return { kind: "report" }
  const waitedMs = now.getTime() - facts.placedAt.getTime()
  return waitedMs > WAIT_DAYS * DAY_MS
    ? { kind: "exclude", reason: maybeTold ?? EXCLUDED.waited_too_long(WAIT_DAYS) }
    : { kind: "wait", reason: waiting }
}

function whatIsMissing(facts: OrderFacts, settings: ReportSettings): Reason | null {
  if (!isPaid(facts.payment)) return WAITING.payment_not_authorised()
  if (settings.report_on === "payment_captured" && facts.payment === "authorised") {
    return WAITING.payment_not_captured()
  }
  return settings.needs_consent && !facts.hasConsent ? WAITING.consent_missing() : null
}

/** The rule by which an order is nobody's sale (staff, tests), or null. Such orders are not results either. */
export function ruleThatLeavesOut(
  { email, isTest, isAdmitted }: Pick<OrderFacts, "email" | "isTest" | "isAdmitted">,
  excludeEmails: string[],
): Reason | null {
  if (isAdmitted) return null
  if (isTest) return EXCLUDED.test_order()
  const pattern = excludeEmails.find((each) => email !== null && matches(email, each))
  return pattern ? EXCLUDED.email_excluded(pattern) : null
}

/** `*` stands for anything; letters may be large or small. Read once from left to right, however many stars there are. */
function matches(email: string, pattern: string): boolean {
  const text = email.trim().toLowerCase()
  const [beginning = "", ...rest] = pattern.trim().toLowerCase().split("*")
  const ending = rest.pop()
  if (ending === undefined) return text === beginning
  if (!text.startsWith(beginning)) return false
  let at = beginning.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - ending.length >= at && text.endsWith(ending)
}
