import { reportNow } from "../../../../../../workflows/orders"
import { idOf, route } from "../../../../../answer"
import { readOrder } from "../read-order"

/**
 * `POST /admin/svc/orders/:id/report` → `{order, accepted}`: tells the service now, under the same idempotency key as before,
 * and answers with what came of it. `accepted`: the service has the report by this call, or by a
 * worker's at that moment. An order that was reported before
 * stays reported where it does not. Refuses with `not_found`, `order_number_used`, `page_left`, `order_not_reportable`.
 */
export const POST = route(async (req, res) => {
  const { id } = await readOrder(req, idOf(req))
  const accepted = await reportNow(req.scope, id)
  res.json({ order: await readOrder(req, id), accepted })
})
