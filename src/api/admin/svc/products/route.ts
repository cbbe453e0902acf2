import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../../../modules/svc"
import {
  absentProducts,
  ITEM_COLUMNS,
  ITEM_FILTERS,
  type ItemQuery,
} from "../../../../workflows/catalog"
import { readListQuery, route } from "../../../answer"
import { absentProductView, productListView } from "./view"

/** A product's page asks about one, a selection about a few. */
const EXPLAINED_AT_MOST = 50

/**
 * `GET /admin/svc/products` → `{products, count, limit, offset}`; `q` searches the title. Asked about certain products by
 * `product_id`, it names those that were never in a connection's sales channel too, last and with `id: null`.
 */
export const GET = route(async (req, res) => {
  const svc = req.scope.resolve(SVC_MODULE)
  const { filters, order, page } = readListQuery(req.query, {
    sortable: ITEM_COLUMNS,
    filters: ITEM_FILTERS,
  })
  const { rows, count } = await svc.catalog.itemList.list({ filters, order, ...page })
  const absent = await absentOf(req.scope, filters)
  const ahead = Math.max(0, page.offset - count)
  const [holds, images] = await Promise.all([
    svc.connections.holds.of("products", [...new Set(rows.map((row) => row.connection_id))]),
    svc.catalog.items.images(rows.map(({ id }) => id)),
  ])
  res.json({
    products: [
      ...rows.map((row) => productListView(row, holds.get(row.connection_id), images)),
      ...absent.slice(ahead, ahead + page.limit - rows.length).map(absentProductView),
    ],
    count: count + absent.length,
    ...page,
  })
})

async function absentOf(container: MedusaContainer, filters: ItemQuery["filters"]) {
  const { product_id, connection_id, state, reason_code, id, q } = filters
  if (!product_id || product_id.length > EXPLAINED_AT_MOST || id || q) return []
  if (state && !state.includes("removed")) return []
  const absent = await absentProducts(container, product_id, connection_id)
  return absent.filter(({ reason }) => reason_code?.includes(reason.code) ?? true)
}
