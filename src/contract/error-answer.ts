import { isObject } from "./json"

/** Beside the sentence these say nothing that helps a person. */
const PLAIN = new Set(["code", "message", "type", "name", "status", "statusCode", "requestId"])

/**
 * The sentence in the body of a refusal, where it is JSON that says nothing else, in one of the usual forms:
 * `{message}`, `{error: "..."}` or `{error: {message}}`. Any other body as it came: the interface shows no error's form,
 * and what else is in there may name the field that is wrong.
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
