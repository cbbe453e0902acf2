import type { SvcError } from "../../../client"

const BASE_MS = 2_000
const CAP_MS = 15 * 60_000
/**
 * A refused token, or an endpoint that is not open to us, waits for a person: saving a token makes the rows due at once.
 * Where nobody comes, they are due again after this.
 */
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

/** Attempts that take about a day with these delays. */
export const ABOUT_A_DAY = 180

/**
 * How long work waits after a call that failed and may still pass, in milliseconds: without an end (gap 53). Not for one
 * that the service will never take as it is.
 */
export function retryInMs(error: SvcError, attempts: number, random: number): number {
  const asked = error.retryAfterMs ?? 0
  if (error.failure === "retry") return Math.max(backoffMs(attempts, random), asked)
  // Nothing is wrong with this one: whoever calls next finds the endpoint held. It may be this one all the same that the
  // endpoint does not take: others go first, more and more often.
  const later = error.failure === "endpoint" ? backoffMs(attempts, random) : 0
  return Math.max(CLOSED_WAIT_MS, later, asked)
}
