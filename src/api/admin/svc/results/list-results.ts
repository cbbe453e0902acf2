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

/** All rows of a question, for a file. */
export async function* resultPages(req: MedusaRequest, query: ResultQuery) {
  yield (await req.scope.resolve(SVC_MODULE).orders.results.all(query)).map(resultView)
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
  "unpaid",
  "carts",
  "conversion_rate",
] as const
