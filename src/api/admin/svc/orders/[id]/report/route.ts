import { reportNow } from "../../../../../../workflows/orders"
import { idOf, route } from "../../../../../answer"
import { readOrder } from "../read-order"

/**
 * `POST /admin/svc/orders/:id/report` → `{order, accepted}`: tells the service, under the same idempotency key as before, and
 * answers with what came of it, also of a call that somebody else makes at the same time. `accepted`: the service has the
 * report. An order that was reported before stays reported where the service does not take it again; one of which nothing is
 * known after 15 s is `waiting`, and goes on by itself. Refuses with `not_found`, `order_number_used`, `page_left`,
 * `order_not_reportable`.
 */
export const POST = route(async (req, res) => {
  const { id } = await readOrder(req, idOf(req))
  const accepted = await reportNow(req.scope, id)
  const order = await readOrder(req, id)
  res.json({ order, accepted: accepted ?? order.state === "reported" })
})
