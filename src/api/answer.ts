import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { z } from "zod"
import { REFUSALS, refusalCode, SvcRefusal } from "../modules/svc"
import { filtersOf, filterText, inFlow, readInput } from "../workflows/shared"

export { filtersOf, filterText, moment, someFilters } from "../workflows/shared"

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
/**
 * Query of a list, as Medusa's lists take it: `limit`, `offset`, `order` (`field` or `-field`), `q`, and the named
 * filters, each once or several times. A filter that the list does not know is refused, as Medusa's lists do: an
 * answer that ignored it would look right and be wrong.
 *
 * @returns `q` is escaped for the `LIKE` that is made of it
 */
export function readListQuery<
  Column extends string,
  Filter extends string,
  // biome-ignore lint/complexity/noBannedTypes: no further fields
  Extra extends z.ZodRawShape = {},
>(
  query: unknown,
  fields: {
    sortable: readonly [Column, ...Column[]]
    /** By what it is sorted, downwards, where nothing is asked; by the first of `sortable` by default. */
    sortedBy?: Column
    filters: readonly Filter[]
    /** Further filters, by their schemas. */
    extra?: Extra
  },
) {
  const order = z
    .string()
    .default(`-${fields.sortedBy ?? fields.sortable[0]}`)
    .transform((asked, context) => {
      const column = fields.sortable.find((name) => name === asked.replace(/^-/, ""))
      if (column) return { column, direction: asked.startsWith("-") ? DOWN : UP }
      const message = `can be one of ${fields.sortable.join(", ")}, with a leading "-" for descending`
      context.addIssue({ code: "custom", message })
      return z.NEVER
    })
  const schema = z.strictObject({
    limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(50),
    offset: z.coerce.number().int().min(0).default(0),
    order,
    q: filterText
      .max(200)
      .transform((value) => value.replace(/[%_\\]/g, "\\$&"))
      .optional(),
    ...filtersOf(...fields.filters),
    ...fields.extra,
  })
  const input = readInput(schema, query) as {
    limit: number
    offset: number
    order: { column: Column; direction: "ASC" | "DESC" }
  } & Record<string, unknown>
  const { limit, offset, order: asked, ...given } = input
  const filters = Object.fromEntries(Object.entries(given).filter(([, value]) => Boolean(value)))
  return {
    filters: filters as Partial<Record<Filter, string[]>> & { q?: string } & z.infer<
        z.ZodObject<Extra>
      >,
    order: asked,
    page: { limit, offset },
  }
}

const UP = "ASC" as const
const DOWN = "DESC" as const

/** As the module's `listAndCount…` methods take an order. Without the id a row could be on two pages, or on none. */
export const byColumn = ({ column, direction }: { column: string; direction: "ASC" | "DESC" }) => ({
  [column]: direction,
  id: direction,
})

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
