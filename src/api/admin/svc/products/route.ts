import { SVC_MODULE } from "../../../../modules/svc"
import { explainAbsence, ITEM_COLUMNS, ITEM_FILTERS } from "../../../../workflows/catalog"
import { orderOf, readListQuery, route } from "../../../answer"
import { productListView } from "./view"

/** A product's page asks about one, a selection about a few. */
const EXPLAINED_AT_MOST = 50

/**
 * `GET /admin/svc/products` → `{products, count, limit, offset}`; `q` searches the title. Asked about certain products by
 * `product_id`, it names those that are not in a connection's sales channel too.
 */
export const GET = route(async (req, res) => {
  const svc = req.scope.resolve(SVC_MODULE)
  const { filters, config, page } = readListQuery(req.query, {
    sortable: ITEM_COLUMNS,
    filters: ITEM_FILTERS,
  })
  const { product_id, connection_id } = filters
  if (product_id && product_id.length <= EXPLAINED_AT_MOST) {
    await explainAbsence(req.scope, product_id, connection_id ?? null)
  }
  const { rows, count } = await svc.catalog.itemList.list({
    filters,
    order: orderOf(config.order, ITEM_COLUMNS),
    ...page,
  })
  const [holds, images] = await Promise.all([
    svc.connections.holds.standing("products", [...new Set(rows.map((row) => row.connection_id))]),
    svc.catalog.items.images(rows.map(({ id }) => id)),
  ])
  res.json({
    products: rows.map((row) => productListView(row, holds.get(row.connection_id), images)),
    count,
    ...page,
  })
})
