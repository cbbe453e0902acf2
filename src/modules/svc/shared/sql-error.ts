/**
 * What a failed statement says of the database. An outage passes by itself and concerns every statement; any other error
 * speaks of what was written, and comes again as often as it is tried.
 */

/** Connection, resources, intervention of an operator, system, internal: the classes of SQLSTATE that pass. */
const OUTAGE = /^(08|40|53|57|58|XX|25P0)/

export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code: unknown = Reflect.get(error, "code")
  // Errors of the socket and of the pool carry other codes, or none: ECONNREFUSED, KnexTimeoutError.
  if (typeof code === "string" && /^[0-9A-Z]{5}$/.test(code)) return OUTAGE.test(code)
  return (
    (typeof code === "string" && /^E[A-Z]+$/.test(code)) ||
    error.name === "KnexTimeoutError" ||
    /connection|timeout/i.test(error.message)
  )
}

/** A database error without the statement that knex puts before it. */
export const sqlProblem = (error: unknown): string =>
  (error instanceof Error ? (error.message.split(" - ").at(-1) ?? "") : String(error)).slice(0, 500)
