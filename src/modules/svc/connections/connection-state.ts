import type { Connection } from "../models"
import { type Reason, readReason } from "../shared/reason"

/**
 * What is known of a connection: `connected` only where the service has accepted the token. `unchecked`: it has not been
 * asked yet. `trouble`: calls fail although the token was not refused. `broken`: the token is refused, or there is none.
 */
export type ConnectionState = "unchecked" | "connected" | "trouble" | "broken"

type Known = Pick<Connection, "status" | "last_error" | "token_accepted_at">

/** Says which state a connection is in. Pure. */
export function connectionState({ status, last_error, token_accepted_at }: Known): ConnectionState {
  if (status !== "active") return "broken"
  if (last_error) return "trouble"
  return token_accepted_at ? "connected" : "unchecked"
}

/** What the columns say after the token or the address changed: nothing is known of the new one. */
export const NOT_CHECKED = {
  token_accepted_at: null,
  last_check: null,
  last_error: null,
  status: "active",
} as const

/** The connection was declared in code, and is no longer. */
export const UNDECLARED: Reason = {
  code: "undeclared",
  message:
    "This connection was declared in medusa-config.ts and is not there any more. Its work waits.",
  fix: "Declare it again and restart the store, or enter an API token to manage it here, or delete it.",
}

/** The last check: when it was made, and why it failed. Times are ISO 8601 in UTC. */
export type LastCheck = { at: string; ok: boolean; duration_ms: number; reason: Reason | null }

/** The check that the column holds; null before the first. */
export function readLastCheck(column: unknown): LastCheck | null {
  if (typeof column !== "object" || column === null) return null
  const [at, ok, duration]: unknown[] = ["at", "ok", "duration_ms"].map((name) =>
    Reflect.get(column, name),
  )
  if (typeof at !== "string" || typeof ok !== "boolean" || typeof duration !== "number") return null
  return { at, ok, duration_ms: duration, reason: readReason(Reflect.get(column, "reason")) }
}
