import type { ConnectionCheck } from "../../../../../../workflows/connections"

/** What a live check found. */
export const checkView = (check: ConnectionCheck) => ({
  ok: check.ok,
  reachable: check.reachable,
  token_accepted: check.token_accepted,
  duration_ms: check.duration_ms,
  error: check.error,
})
