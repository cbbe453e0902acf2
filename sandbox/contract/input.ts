/** Reads what comes in: JSON bodies, values by their schema, times, pages of a list. */

import { z } from "zod"
import { SandboxError } from "./errors"

/** A request as far as its body is concerned; Fastify's is one. */
export type RequestWithBody = {
  headers: { "content-type"?: string | undefined }
  body: unknown
}

/**
 * Bodies are kept as bytes until a route asks for JSON, so that the journal can show them even where
 * they are not JSON.
 *
 * @returns undefined for an empty body
 * @throws SandboxError 415 for anything but `application/json`, 400 for what is not JSON. The type
 *   is required under `/_sandbox/` too: a browser does not let a foreign page send it without a
 *   preflight, which the sandbox does not answer.
 */
export function readJson(request: RequestWithBody): unknown {
  const text = bodyText(request.body)
  if (text === "") return undefined
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
  if (type !== "application/json") {
    throw new SandboxError(415, "unsupported_media_type", "Bodies are application/json.")
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new SandboxError(400, "invalid_json", "The body is not JSON.")
  }
}

/** Whether objects and lists lie in each other more than so many levels deep. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some((inner) => isDeeperThan(inner, levels - 1))
}

export function bodyBytes(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

export function bodyText(body: unknown): string {
  return Buffer.isBuffer(body) ? body.toString("utf8") : ""
}

const MAX_ID_BYTES = 500
/** Characters that no header and no database takes. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u
/** It would lead out of its place in an address (§4.1). */
const LEADS_OUT = /(^|[/\\])\.{1,2}([/\\]|$)/

/** Of a campaign or a page. The interface says that it is a string (§2.3, §4.1), and no more. */
export const identifier = z
  .string()
  .min(1)
  .refine(
    (id) => Buffer.byteLength(id) <= MAX_ID_BYTES && !UNPRINTABLE.test(id) && !LEADS_OUT.test(id),
    `At most ${MAX_ID_BYTES} bytes, without control characters, and no \`..\` between slashes.`,
  )

/** @throws SandboxError 400 `invalid_request` with the fields that are wrong */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value ?? {})
  if (result.success) return result.data
  const fields = result.error.issues.map((issue) => ({
    field: issue.path.join("."),
    message: issue.message,
  }))
  const first = fields[0]
  const text = first?.field ? `${first.field}: ${first.message}` : first?.message
  throw new SandboxError(400, "invalid_request", text ?? "The request is not valid.", fields)
}

/** Ms since the epoch or ISO 8601, as ms. */
export const time = z
  .union([z.number(), z.string()], "A time in ms or as ISO 8601.")
  .transform((value, context) => {
    const digits = typeof value === "number" || /^\d+$/.test(value)
    const ms = digits ? Number(value) : Date.parse(value)
    if (Number.isFinite(ms) && ms >= 0) return ms
    context.addIssue({ code: "custom", message: "A time in ms or as ISO 8601." })
    return z.NEVER
  })

export const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/, "A currency code of three letters.")
  .transform((code) => code.toUpperCase())

/** `limit` and `offset` of a query string. */
export const window = {
  limit: z.coerce.number().int().min(0).optional(),
  offset: z.coerce.number().int().min(0).default(0),
}
export type Window = { limit?: number | undefined; offset: number }

/**
 * The part of `list` that a query asks for.
 *
 * @param standard  how many where no limit is given
 * @param most      how many at most, whatever the limit says
 */
export function slice<T>(
  list: T[],
  { limit, offset }: Window,
  standard: number,
  most: number,
): T[] {
  return list.slice(offset, offset + Math.min(limit ?? standard, most))
}
