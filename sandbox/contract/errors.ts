/**
 * Errors as the sandbox answers them.
 *
 * interface §7 rule 4 does not show the status codes and the error body of the REST endpoints; the
 * sandbox answers `{error: {code, message}}`, with `fields` where single fields are to blame.
 */

export type FieldError = { field: string; message: string }
type ErrorAnswer = { error: { code: string; message: string; fields?: FieldError[] } }

export class SandboxError extends Error {
  /**
   * @param status  HTTP status of the answer
   * @param code    stable, snake_case; what a test or a client looks at
   * @param fields  the fields that are wrong, where there are such
   */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields?: FieldError[],
  ) {
    super(message)
    this.name = "SandboxError"
  }

  body(): ErrorAnswer {
    const error = { code: this.code, message: this.message }
    return { error: this.fields?.length ? { ...error, fields: this.fields } : error }
  }
}

export function notFound(what: string, id: string): SandboxError {
  return new SandboxError(404, "not_found", `There is no ${what} "${id}".`)
}

/** Any error as the sandbox answers it. */
export function asAnswer(error: Error & { statusCode?: number }) {
  if (error instanceof SandboxError) return { status: error.status, body: error.body() }
  const status = error.statusCode ?? 500
  const code = status === 413 ? "body_too_large" : status < 500 ? "bad_request" : "sandbox_error"
  return { status, body: { error: { code, message: error.message } } }
}
