import { readBoolean, readNumber } from "./fields"
import { isObject } from "./json"
import { layersOf } from "./layers"

/** Fields that tell a person nothing beyond the sentence beside them. */
const PLAIN = new Set(["code", "message", "type", "name", "status", "statusCode", "requestId"])

/**
 * The sentence in the body of a refusal, where the body is JSON that says nothing else, in one of the usual forms:
 * `{message}`, `{error: "..."}` or `{error: {message}}`. Any other body is returned as it came: the interface shows
 * no form of errors, and the rest may name the field that is wrong.
 */
export function readErrorSentence(body: string): string {
  let answer: unknown
  try {
    answer = JSON.parse(body)
  } catch {
    return body
  }
  if (!isObject(answer)) return body
  const { error, ...rest } = answer
  const told = typeof error === "string" ? { message: error } : isObject(error) ? error : {}
  const fields = { ...rest, ...told }
  const { message } = fields
  const plain = Object.keys(fields).every((name) => PLAIN.has(name))
  return plain && typeof message === "string" && message.trim() ? message.trim() : body
}

const FAILED = new Set(["failed", "error", "invalid", "rejected"])

/** By a word, or by the number of an HTTP status, which may be written as text. */
const isFailed = (status: unknown): boolean =>
  (typeof status === "string" && FAILED.has(status.trim().toLowerCase())) ||
  (readNumber(status) ?? 0) >= 400

/** Where nothing is wrong, some write an empty list or object of errors. */
const isError = (error: unknown): boolean =>
  typeof error === "object" && error !== null
    ? Object.keys(error).length > 0
    : Boolean(error) && readBoolean(error) !== false

/**
 * Whether a 2xx answer, what it wraps, or an entry in it, says that it refuses. Which words a service uses is shown nowhere;
 * these can mean nothing else.
 */
export const refuses = (answer: unknown): boolean =>
  layersOf(answer).some(
    ({ fields: { success, status, error, errors } }) =>
      readBoolean(success) === false || isFailed(status) || isError(error) || isError(errors),
  )
