import type { SvcError } from "../../client"
import { type Reason, reasonOf } from "../../modules/svc/shared/reason"

/** Milliseconds that a person waits for the service. */
export const CHECK_TIMEOUT_MS = 8_000

/** What a live check found. `duration_ms` is the service's answer time. */
export type ConnectionCheck = {
  ok: boolean
  reachable: boolean
  token_accepted: boolean
  duration_ms: number
  error: Reason | null
}

/** @param error why the call failed; null where the service answered as it should */
export const checkOf = (error: SvcError | null, started: number): ConnectionCheck => ({
  ok: error === null,
  reachable: error === null || error.status !== null,
  // A service that fails or redirects us has not looked at the token.
  token_accepted: error === null || (error.status !== null && error.failure === "dead"),
  duration_ms: Date.now() - started,
  error: error && reasonOf(error),
})
