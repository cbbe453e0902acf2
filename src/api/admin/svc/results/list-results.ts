import type { MedusaRequest } from "@medusajs/framework/http"
import { z } from "zod"
import { SVC_MODULE } from "../../../../modules/svc"
import { RESULT_COLUMNS, RESULT_GROUPS, type ResultQuery } from "../../../../workflows/orders"
import { moment, readListQuery } from "../../../answer"
import { resultView } from "./view"

const timezone = z.string().refine((name) => {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }))
  } catch {
    return false
  }
}, "must be the name of a time zone, for example Europe/Copenhagen")

/** Reads the query of results; `groupBy` where the route has decided it. */
export function readResultQuery(req: MedusaRequest, groupBy?: ResultQuery["groupBy"]): ResultQuery {
  const { filters, config, page, extra } = readListQuery(req.query, {
    sortable: RESULT_COLUMNS,
    filters: ["connection_id", "campaign_uid", "event_id", "product_id", "currency_code"],
    extra: {
      group_by: groupBy ? z.never().optional() : z.enum(RESULT_GROUPS).optional(),
      from: moment.optional(),
      to: moment.optional(),
      timezone: timezone.default("UTC"),
    },
  })
  const [column = "net", direction = "DESC"] = Object.entries(config.order)[0] ?? []
  return {
    groupBy: groupBy ?? extra.group_by ?? "campaign",
    filters,
    from: extra.from ?? null,
    to: extra.to ?? null,
    timezone: extra.timezone,
    order: { column: z.enum(RESULT_COLUMNS).parse(column), direction },
    ...page,
  }
}

const PAGE = 1_000

/** All rows of a question, for a file. */
export async function* resultPages(req: MedusaRequest, query: ResultQuery) {
  const { results } = req.scope.resolve(SVC_MODULE)
  for (let offset = 0; ; offset += PAGE) {
    const { rows } = await results.list({ ...query, limit: PAGE, offset })
    if (rows.length > 0) yield rows.map(resultView)
    if (rows.length < PAGE) return
  }
}

/** Columns of the file. */
export const RESULT_CSV = [
  "period",
  "name",
  "campaign_uid",
  "event_id",
  "product_id",
  "connection_id",
  "connection_name",
  "currency_code",
  "orders",
  "cancelled_orders",
  "orders_without_show_lines",
  "units",
  "gross",
  "discounts",
  "refunded",
  "net",
  "tax",
  "net_without_tax",
  "carts",
  "conversion_rate",
] as const
