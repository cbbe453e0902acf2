import type { SvcError } from "../../../client"

/** What the end of a call shows about the connection's token. */
export type TokenVerdict = "accepted" | "refused" | "unproven"

/**
 * Judges what a call showed about the token. Pure; the check of a connection and every other call judge by it.
 *
 *   the endpoint's own answer (2xx)        accepted: every endpoint gets the token (interface §5, gap 52)
 *   401, or no token we may send           refused (gap 53)
 *   any other status, an answer that       unproven: the interface shows no error answers (§7 rule 4), so this may come from
 *   cannot be read, no answer              before the token was looked at, or from a server that is not the service
 *
 * @param error why the call failed; null where it succeeded
 */
export function tokenVerdict(error: SvcError | null): TokenVerdict {
  if (error === null) return "accepted"
  return error.failure === "broken" ? "refused" : "unproven"
}
