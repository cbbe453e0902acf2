import { type Reason, readReason, reasonFor } from "../shared/reason"

/** What the columns say after the token or the address changed: nothing is known of the new one. */
export const NOT_CHECKED = {
  token_accepted_at: null,
  last_check: null,
  last_error: null,
  status: "unchecked",
  token_refused: false,
} as const

/** The connection was declared in code, and is no longer. */
export const UNDECLARED = reasonFor("undeclared")

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
