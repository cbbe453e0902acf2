import { idOf, route } from "../../../../answer"
import { readOrder } from "./read-order"

/**
 * `GET /admin/svc/orders/:id` → `{order}`; `:id` is the attribution's, or the order's where it has only one. Refuses with
 * `not_found`, `invalid_request`.
 */
export const GET = route(async (req, res) => {
  res.json({ order: await readOrder(req, idOf(req)) })
})
