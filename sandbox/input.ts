/** Reading what comes in: JSON by its schema, times and pages of lists. */

import { z } from "zod"
import { SandboxError } from "./errors"

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
export const time = z.unknown().transform((value, context) => {
  const digits = typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value))
  const ms = digits ? Number(value) : Date.parse(String(value))
  if (Number.isFinite(ms) && ms >= 0) return ms
  context.addIssue({ code: "custom", message: "A time in ms or as ISO 8601." })
  return z.NEVER
})

export const vat = z.strictObject({ rate: z.number().min(0).max(100), included: z.boolean() })
export const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/, "A currency code of three letters.")
  .transform((code) => code.toUpperCase())

const window = z.object({
  limit: z.coerce.number().int().min(0).optional(),
  offset: z.coerce.number().int().min(0).default(0),
})

/** The part of `list` that `limit` and `offset` of a query string ask for. */
export function slice<T>(list: T[], query: unknown, standard: number, most: number): T[] {
  const { limit, offset } = parse(window, query)
  return list.slice(offset, offset + Math.min(limit ?? standard, most))
}
