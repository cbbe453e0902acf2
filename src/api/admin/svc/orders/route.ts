import { SVC_MODULE } from "../../../../modules/svc"
import { ORDER_COLUMNS, ORDER_FILTERS } from "../../../../workflows/orders"
import { moment, readListQuery, route } from "../../../answer"
import { sendCsv, wantsCsv } from "../../../csv"
import { orderView } from "./view"

const PAGE = 500
const COLUMNS = [
  "id",
  "placed_at",
  "order_id",
  "display_id",
  "svc_order_no",
  "campaign_uid",
  "campaign_name",
  "event_id",
  "connection_id",
  "connection_name",
  "state",
  "reason_code",
  "reported_at",
  "currency_code",
  "units",
  "gross",
  "discounts",
  "refunded",
  "net",
  "unpaid",
  "left_out",
  "canceled_at",
  "attempts",
] as const

/**
 * `GET /admin/svc/orders` → `{orders, count, limit, offset}`: attributions, the latest first. `q` is what a person types:
 * `#1042`, `1042`, a part of an e-mail address, an order number or an id. `from` and `to` (before) are of the order's
 * placing. With `Accept: text/csv` all, as a file.
 */
export const GET = route(async (req, res) => {
  const { attributionList } = req.scope.resolve(SVC_MODULE).orders
  const { filters, order, page } = readListQuery(req.query, {
    sortable: ORDER_COLUMNS,
    filters: ORDER_FILTERS,
    extra: { from: moment.optional(), to: moment.optional() },
  })
  if (wantsCsv(req)) {
    return sendCsv(req, res, "orders", COLUMNS, rowsOf(attributionList.pages(filters, PAGE)))
  }
  const { rows, count } = await attributionList.list({ filters, order, ...page })
  res.json({ orders: rows.map(orderView), count, ...page })
})

async function* rowsOf(pages: AsyncIterable<Parameters<typeof orderView>[0][]>) {
  for await (const rows of pages) {
    yield rows.map((row) => ({ ...orderView(row), reason_code: row.reason_code }))
  }
}
