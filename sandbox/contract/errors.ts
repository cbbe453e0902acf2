/**
 * Errors as the sandbox answers them.
 *
 * interface §7 rule 4 does not show the status codes and the error body of the REST endpoints; the
 * sandbox answers `{error: {code, message}}`, with `fields` where single fields are to blame.
 */

export type FieldError = { field: string; message: string }

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

  body(): { error: { code: string; message: string; fields?: FieldError[] } } {
    const error = { code: this.code, message: this.message }
    return { error: this.fields?.length ? { ...error, fields: this.fields } : error }
  }
}

export function notFound(what: string, id: string): SandboxError {
  return new SandboxError(404, "not_found", `There is no ${what} "${id}".`)
}
