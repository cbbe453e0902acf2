import type { SvcError } from "../../../client"
import { afterFailure } from "../shared/backoff"
import type { Reason } from "../shared/reason"
import { FAILED } from "./reasons"

/** What becomes of an attribution after a call that failed. */
export type AfterReport =
  | { kind: "reported" }
  | { kind: "retry"; inMs: number; reason: Reason }
  | { kind: "failed"; reason: Reason }

/** The answer for a number that is converted already, or that belongs to something else (gap 47). */
export const CONFLICT = 409

/**
 * Decides what follows a failed report. A 409 says that the number is converted already. That is good news only where we
 * may have told it ourselves, in a call whose answer was lost; at a first call it is a conflict that a person must see. What
 * may still pass is tried again without an end: only an answer about this one order ends its report.
 *
 * @param mayHaveTold an earlier call with this number was accepted, or nobody knows what became of it
 */
export function afterFailedReport(input: {
  error: SvcError
  mayHaveTold: boolean
  attempts: number
  random: number
}): AfterReport {
  const { error, mayHaveTold } = input
  if (error.status === CONFLICT) {
    return mayHaveTold
      ? { kind: "reported" }
      : { kind: "failed", reason: FAILED.order_conflict(error.said) }
  }
  const verdict = afterFailure({ ...input, failingForMs: 0 })
  return verdict.kind === "dead" ? { kind: "failed", reason: verdict.reason } : verdict
}
