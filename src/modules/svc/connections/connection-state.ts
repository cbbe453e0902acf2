import type { Connection } from "../models"
import { type Reason, reasonFor } from "../shared/reason"
import { refusalOf } from "../shared/refusal"

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

/** The check that the column holds; null before the first. `recordCheck` alone writes it. */
export const readLastCheck = ({ last_check }: Pick<Connection, "last_check">): LastCheck | null =>
  last_check as LastCheck | null

/** A page that was left: how it was called, and since when the connection has another one (ISO 8601). */
export type LeftPage = { at: string } & Pick<
  Connection,
  "base_url" | "api_token" | "api_token_fingerprint"
>

/** The page that is left and not forgotten yet; null where there is none. `svc-update-connection` alone writes it. */
export const readLeftPage = ({ left_page }: Pick<Connection, "left_page">): LeftPage | null =>
  left_page as LeftPage | null

/** @throws SvcRefusal `connection_read_only` where the connection is declared in code */
export function assertManagedHere({ managed_by }: Connection): void {
  if (managed_by !== "admin") throw refusalOf("connection_read_only")
}
