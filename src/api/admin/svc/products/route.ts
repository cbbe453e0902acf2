import { SVC_MODULE } from "../../../../modules/svc"
import { readListQuery, route } from "../../../answer"
import { productView } from "./view"

/** `GET /admin/svc/products` → `{products, count, limit, offset}`; `q` searches the title. */
export const GET = route(async (req, res) => {
  const svc = req.scope.resolve(SVC_MODULE)
  const { filters, config, page } = readListQuery(req.query, {
    sortable: [
      "updated_at",
      "created_at",
      "title",
      "state",
      "attempts",
      "last_pushed_at",
      "next_attempt_at",
      "product_id",
      "id",
    ],
    filters: ["id", "connection_id", "state", "product_id", "reason_code"],
  })
  const [rows, count] = await svc.listAndCountSvcCatalogItems(filters, config)
  res.json({ products: rows.map(productView), count, ...page })
})
