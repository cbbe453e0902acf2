import type { SvcError } from "../../../client"
import { type Reason, reasonFor, reasonOf } from "./reason"

const BASE_MS = 2_000
const CAP_MS = 15 * 60_000
/** After 24 hours of failures a row is a dead letter, and a person decides. */
const DEAD_LETTER_MS = 24 * 3_600_000
/** A refused token, or an endpoint that is not open to us, waits for a person; saving a token makes the rows due again at once, and so does a minute. */
const CLOSED_WAIT_MS = 60_000

/**
 * Delay before the next attempt, in milliseconds: full jitter (anything from 0 to the bound), so that rows
 * that failed together do not come back together.
 *
 * @param attempts attempts made so far, 1 or more
 * @param random a number in [0, 1)
 */
export function backoffMs(attempts: number, random: number): number {
  const bound = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(attempts - 1, 20))
  return Math.floor(bound * random)
}

/** What a failed attempt does to its row. */
type Verdict = { kind: "retry"; inMs: number; reason: Reason } | { kind: "dead"; reason: Reason }

/**
 * Decides what follows a failed attempt (gap 53).
 *
 * @param failingForMs since the first failure of this streak; 0 for the first
 */
export function afterFailure(input: {
  error: SvcError
  attempts: number
  failingForMs: number
  random: number
}): Verdict {
  const { error, attempts, failingForMs, random } = input
  const reason = reasonOf(error)
  if (error.failure === "dead") return { kind: "dead", reason }
  // Nothing is wrong with this one: whoever calls next finds the endpoint held.
  if (error.failure !== "retry") {
    // It may be this one all the same that the endpoint does not take: others go first, more and more often.
    const later = error.failure === "endpoint" ? backoffMs(attempts, random) : 0
    return {
      kind: "retry",
      inMs: Math.max(CLOSED_WAIT_MS, later, error.retryAfterMs ?? 0),
      reason,
    }
  }
  if (failingForMs >= DEAD_LETTER_MS) {
    return {
      kind: "dead",
      reason: reasonFor("given_up", { answer: reason.message }),
    }
  }
  const inMs = Math.max(backoffMs(attempts, random), error.retryAfterMs ?? 0)
  return { kind: "retry", inMs, reason }
}
