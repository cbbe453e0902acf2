import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { z } from "zod"
import { REFUSALS, refusalCode, SvcRefusal } from "../modules/svc/refusal"

type Handler<Req, Res> = (req: Req, res: Res) => Promise<unknown>

/**
 * Wraps a route so that a refusal of ours is answered with its own status and stable code. Medusa's error
 * handler would turn every 409 into one generic sentence; all other errors go on to it.
 */
export function route<Req extends MedusaRequest, Res extends MedusaResponse>(
  handler: Handler<Req, Res>,
): Handler<Req, Res> {
  return async (req, res) => {
    try {
      await handler(req, res)
    } catch (error) {
      if (res.headersSent || !answerRefusal(res, error)) throw error
    }
  }
}

/** Answers a refusal; false when the error is none. */
export function answerRefusal(res: MedusaResponse, error: unknown): boolean {
  const code = refusalCode(error)
  if (!code) return false
  const { type, status } = REFUSALS[code]
  res.status(status).json({ type, code, message: (error as Error).message })
  return true
}

/**
 * Reads input by its schema.
 * @throws SvcRefusal `invalid_request`, naming every field that is wrong and why; never its value
 */
export function read<Schema extends z.ZodType>(schema: Schema, input: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(input ?? {})
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) =>
    issue.path.length > 0 ? `${issue.path.join(".")}: ${issue.message}` : issue.message,
  )
  throw new SvcRefusal("invalid_request", `${problems.join("; ")}.`)
}

const MAX_LIMIT = 200
const oneOrMany = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat())

/**
 * Query of a list, as Medusa's lists take it: `limit`, `offset`, `order` (`field` or `-field`), `q`, and the
 * named filters, each once or several times.
 *
 * @returns what the module's `listAndCount…` methods take
 */
export function readListQuery(
  query: unknown,
  fields: { sortable: readonly [string, ...string[]]; filters: readonly string[] },
) {
  const order = z
    .string()
    .refine((value) => fields.sortable.includes(value.replace(/^-/, "")), {
      message: `can be one of ${fields.sortable.join(", ")}, with a leading "-" for descending`,
    })
    .default(`-${fields.sortable[0]}`)
  const schema = z.object({
    limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(50),
    offset: z.coerce.number().int().min(0).default(0),
    order,
    q: z
      .string()
      .trim()
      .max(200)
      .refine((value) => !/\p{Cc}/u.test(value), "must not contain control characters")
      .optional(),
    ...Object.fromEntries(fields.filters.map((name) => [name, oneOrMany.optional()])),
  })
  const input = read(schema, query) as {
    limit: number
    offset: number
    order: string
    q?: string
  } & Record<string, unknown>
  const where: Record<string, string[] | undefined> = {}
  for (const name of fields.filters) {
    const value = input[name]
    if (Array.isArray(value)) where[name] = value
  }
  const descending = input.order.startsWith("-")
  return {
    /** The named filters alone, for reads that are not a module's list. */
    where,
    filters: { ...where, ...(input.q ? { q: input.q } : {}) },
    config: {
      take: input.limit,
      skip: input.offset,
      order: { [input.order.replace(/^-/, "")]: descending ? ("DESC" as const) : ("ASC" as const) },
    },
    page: { limit: input.limit, offset: input.offset },
  }
}

/** The `:id` of the path; Medusa's router has matched it already. */
export const idOf = (req: MedusaRequest): string => z.string().min(1).parse(req.params.id)
