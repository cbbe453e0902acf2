import { SVC_MODULE } from "../../../../modules/svc"
import { LEDGER_FILTERS } from "../../../../workflows/orders"
import { moment, readListQuery, route } from "../../../answer"
import { sendCsv, wantsCsv } from "../../../csv"
import { ledgerView } from "./view"

const PAGE = 1_000
const COLUMNS = [
  "id",
  "occurred_at",
  "order_id",
  "display_id",
  "line_item_id",
  "product_id",
  "variant_id",
  "campaign_uid",
  "connection_id",
  "kind",
  "source",
  "quantity",
  "amount",
  "tax",
  "discount",
  "currency_code",
  "counted",
] as const

/**
 * `GET /admin/svc/ledger` → `{ledger, count, limit, offset}`: what was booked of orders of shows, the latest first. `q` is a
 * part of the order's id or of the campaign's. With `Accept: text/csv` all of it as a file, the oldest first.
 */
export const GET = route(async (req, res) => {
  const { filters, order, page } = readListQuery(req.query, {
    sortable: ["occurred_at"],
    filters: LEDGER_FILTERS,
    extra: { from: moment.optional(), to: moment.optional() },
  })
  const { ledgerList } = req.scope.resolve(SVC_MODULE).orders
  if (wantsCsv(req)) {
    return sendCsv(req, res, "ledger", COLUMNS, viewed(ledgerList.pages(filters, PAGE)))
  }
  const { direction } = order
  const { rows, count } = await ledgerList.list({ filters, direction, ...page })
  res.json({ ledger: rows.map(ledgerView), count, ...page })
})

async function* viewed(pages: AsyncIterable<Parameters<typeof ledgerView>[0][]>) {
  for await (const rows of pages) yield rows.map(ledgerView)
}
