import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { z } from "zod"
import { REFUSALS, refusalCode, SvcRefusal } from "../modules/svc"
import { inFlow, readInput } from "../workflows/shared"

type Handler<Req, Res> = (req: Req, res: Res) => Promise<unknown>

/**
 * Wraps a route so that a refusal of ours is answered with its own status and stable code. Medusa's error handler would
 * replace the code and the sentence of every 409; all other errors go on to it. The request's `X-Request-Id`, or a new one,
 * is answered and goes to the service with every call that the request makes.
 */
export function route<Req extends MedusaRequest, Res extends MedusaResponse>(
  handler: Handler<Req, Res>,
): Handler<Req, Res> {
  return (req, res) =>
    inFlow(req.get("x-request-id"), async (id) => {
      if (!res.headersSent) res.setHeader("X-Request-Id", id)
      try {
        await handler(req, res)
      } catch (error) {
        if (res.headersSent || !answerRefusal(res, error)) throw error
      }
    })
}

/** Answers a refusal; false when the error is none. */
export function answerRefusal(res: MedusaResponse, error: unknown): boolean {
  const code = refusalCode(error)
  if (!code) return false
  const { type, status } = REFUSALS[code]
  const { message, params } = error as SvcRefusal
  res.status(status).json({ type, code, message, ...(params ? { params } : {}) })
  return true
}

const MAX_LIMIT = 1000
const text = z
  .string()
  .trim()
  .max(200)
  .refine((value) => !/\p{Cc}/u.test(value), "must not contain control characters")
const oneOrMany = z.union([text, z.array(text)]).transform((value) => [value].flat())

/**
 * Query of a list, as Medusa's lists take it: `limit`, `offset`, `order` (`field` or `-field`), `q`, and the named
 * filters, each once or several times. A filter that the list does not know is refused, as Medusa's lists do: an
 * answer that ignored it would look right and be wrong.
 *
 * @returns what the module's `listAndCount…` methods take; `q` is escaped for the `LIKE` that they make of it
 */
export function readListQuery<Filter extends string, Extra extends z.ZodRawShape = z.ZodRawShape>(
  query: unknown,
  fields: {
    sortable: readonly [string, ...string[]]
    filters: readonly Filter[]
    /** Further fields, by their schemas: `extra` of the result. */
    extra?: Extra
  },
) {
  const order = z
    .string()
    .refine((value) => fields.sortable.includes(value.replace(/^-/, "")), {
      message: `can be one of ${fields.sortable.join(", ")}, with a leading "-" for descending`,
    })
    .default(`-${fields.sortable[0]}`)
  const schema = z.strictObject({
    limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(50),
    offset: z.coerce.number().int().min(0).default(0),
    order,
    q: text.transform((value) => value.replace(/[%_\\]/g, "\\$&")).optional(),
    ...Object.fromEntries(fields.filters.map((name) => [name, oneOrMany.optional()])),
    ...fields.extra,
  })
  const input = readInput(schema, query) as {
    limit: number
    offset: number
    order: string
    q?: string
  } & Record<string, unknown>
  const { limit, offset, order: asked, ...given } = input
  const isExtra = (name: string) => Object.hasOwn(fields.extra ?? {}, name)
  const filters = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value && !isExtra(name)),
  )
  const extra = Object.fromEntries(Object.entries(given).filter(([name]) => isExtra(name)))
  const column = asked.replace(/^-/, "")
  const direction = asked.startsWith("-") ? ("DESC" as const) : ("ASC" as const)
  return {
    filters: filters as Partial<Record<Filter, string[]>> & { q?: string },
    config: {
      take: limit,
      skip: offset,
      // The id decides between equal values. Without it a row could be on two pages, or on none.
      order: { [column]: direction, id: direction },
    },
    page: { limit, offset },
    extra: extra as z.infer<z.ZodObject<Extra>>,
  }
}

/** The one column that a list is sorted by, of `config.order`; the id beside it decides between equal values. */
export function orderOf<Column extends string>(
  order: Record<string, "ASC" | "DESC">,
  columns: readonly [Column, ...Column[]],
): { column: Column; direction: "ASC" | "DESC" } {
  const [column, direction = "DESC"] = Object.entries(order)[0] ?? []
  return { column: z.enum(columns).parse(column), direction }
}

/** A day (which begins at midnight UTC) or a moment, in ISO 8601. */
export const moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .transform((text) => new Date(text))

/** The `:id` of the path; Medusa's router has matched it already. */
export const idOf = (req: MedusaRequest): string => z.string().min(1).parse(req.params.id)

/**
 * What a route does by the `:action` of its path.
 *
 * @throws SvcRefusal `not_found`
 */
export function requireAction<Action>(req: MedusaRequest, actions: Record<string, Action>): Action {
  const name = req.params.action ?? ""
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action === undefined) throw new SvcRefusal("not_found", `There is no action "${name}".`)
  return action
}

/**
 * The row that an `:id` names: the row's own id, or the id of the product or order that it is about, where only one
 * row is.
 *
 * @throws SvcRefusal `not_found`, `invalid_request` where several connections have it
 */
export function requireSingle<Row extends { id: string }>(
  rows: Row[],
  what: string,
  id: string,
): Row {
  const [row, ...others] = rows
  if (!row) throw new SvcRefusal("not_found", `There is no ${what} with the id "${id}".`)
  if (others.length === 0) return row
  const ids = rows.map((candidate) => candidate.id).join(", ")
  throw new SvcRefusal(
    "invalid_request",
    `There are several of the ${what} "${id}". Ask for one of ${ids}.`,
  )
}
