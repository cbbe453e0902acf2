/**
 * What a receiver's answer means for a delivery (interface §7).
 *
 * The table there names every 4xx it knows. What it does not name is decided here: other 4xx are
 * dropped like their kin (§3.3 says "a non-retryable 4xx"); 3xx are dropped, because redirects are
 * not followed and the same answer would come again; anything else that is no 2xx is retried, like
 * a broken connection.
 */

import type { AttemptOutcome } from "../store/tables"

/** interface §7: 4xx that are retried. */
const RETRIED_4XX = new Set([408, 429])

/** @param status  the HTTP status, or null where none came (refused, DNS, TLS, reset, timeout) */
export function classify(status: number | null): AttemptOutcome {
  if (status === null) return "retry"
  if (status >= 200 && status <= 299) return "success"
  if (status >= 300 && status <= 499) return RETRIED_4XX.has(status) ? "retry" : "drop"
  return "retry"
}
