import type { SvcError } from "../../../client"

const THRESHOLD = 5
const OPEN_MS = 30_000
/** A refused token: a person has to act, but a service that refused it by mistake is noticed within a minute. */
const BROKEN_MS = 45_000

/** The breaker's part of a connection row. Times in ms since the epoch. */
export type Breaker = { failures: number; openUntil: number | null }

export const CLOSED: Breaker = { failures: 0, openUntil: null }

/**
 * closed --5 failures in a row--> open for 30 s --> one probe --success--> closed
 *                                       ^-----------failure----------'
 * `probe` means: the caller may go first, if it wins the row (`ConnectionRows.takeProbe`).
 */
export function admit(breaker: Breaker, now: number): "call" | "probe" | { waitMs: number } {
  if (breaker.openUntil === null) return "call"
  return breaker.openUntil > now ? { waitMs: breaker.openUntil - now } : "probe"
}

/** The breaker after a failed call. A service that refuses the request itself (`dead`) is well. */
export function afterFailedCall(breaker: Breaker, error: SvcError, now: number): Breaker {
  if (error.failure === "broken") return { failures: THRESHOLD, openUntil: now + BROKEN_MS }
  if (error.failure === "dead" || error.code === "svc_rate_limited") return CLOSED
  const failures = breaker.failures + 1
  return { failures, openUntil: failures >= THRESHOLD ? now + OPEN_MS : null }
}

/** How long the one probe has before another may try. */
export const PROBE_MS = OPEN_MS
