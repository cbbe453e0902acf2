import { idOf, route } from "../../../../answer"
import { catalogItem, singleProductView } from "../view"

/**
 * `GET /admin/svc/products/:id` → `{product}` with `payload` and `last_payload`; `:id` is the row's, or the product's
 * where one connection has it. Refuses with `not_found`, `store_error`.
 */
export const GET = route(async (req, res) => {
  const row = await catalogItem(req.scope, idOf(req))
  res.json({ product: await singleProductView(req.scope, row) })
})
