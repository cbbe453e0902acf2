/** What a failed statement says of the database. */
import { messageOf } from "./error-message"

/** SQLSTATE of a failed statement. Errors of the socket and of the pool have codes of another form, or none. */
export const sqlState = (error: unknown): string | undefined => {
  const code: unknown =
    typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined
  return typeof code === "string" ? code : undefined
}

/** Another row has the same values under a unique index. */
export const isUniqueViolation = (error: unknown): boolean => sqlState(error) === "23505"

/** Each has a digit; `EPIPE` is a socket's. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/

/** Connection, resources, intervention of an operator, system, internal: the classes of SQLSTATE that pass. */
const OUTAGE = /^(08|40|53|57|58|XX|25P0)/

/**
 * An outage passes by itself and concerns every statement; any other error speaks of what was written, and comes again as
 * often as it is tried.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = sqlState(error)
  if (code !== undefined && SQLSTATE.test(code)) return OUTAGE.test(code)
  return (
    // ECONNREFUSED, KnexTimeoutError
    (code !== undefined && /^E[A-Z]+$/.test(code)) ||
    error.name === "KnexTimeoutError" ||
    /connection|timeout/i.test(error.message)
  )
}

/**
 * A statement took too long, took too much memory, answered more than fits, or has more values than the protocol can count
 * (65,535; what came then makes no sense to the server: 08P01): one that asks for less may pass.
 */
const TOO_MUCH: ReadonlySet<string | undefined> = new Set(["57014", "53200", "54000", "08P01"])

export const isTooMuch = (error: unknown): boolean => TOO_MUCH.has(sqlState(error))

/** A column or table is gone, or may not be read: whatever is asked for with it fails. */
export const namesWhatIsGone = (error: unknown): boolean =>
  sqlState(error)?.startsWith("42") ?? false

/** What went wrong, without the statement that knex puts before it: that says nothing to a merchant, and hides the cause. */
export const sqlProblem = (error: unknown): string =>
  (isOfStatement(error) ? withoutStatement(messageOf(error)) : messageOf(error)).slice(0, 500)

/** Whether knex wrote to its message. */
const isOfStatement = (error: unknown): boolean =>
  SQLSTATE.test(sqlState(error) ?? "") || isOutage(error)

/** A value that Postgres repeats has hardly more hyphens; a statement may be of megabytes. */
const MOST_PARTS = 8

/** The last of what hyphens separate, but for those within a value that Postgres quotes. */
function withoutStatement(message: string): string {
  const parts = message.split(" - ").slice(-MOST_PARTS)
  const ends = parts.map((_, index) => parts.slice(index).join(" - "))
  return ends.reverse().find((end) => end.split('"').length % 2 === 1) ?? parts.at(-1) ?? ""
}
