import { reportNow } from "../../../../../../workflows/orders"
import { idOf, route } from "../../../../../answer"
import { readOrder } from "../read-order"

/**
 * `POST /admin/svc/orders/:id/report` → `{order, repeat_problem}`: tells the service, under the same idempotency key as before,
 * and answers with what came of it, also of a call that somebody else makes at the same time. An order that was reported
 * before stays reported; `repeat_problem` is a reason where it was not told again, else null. One of which nothing is known
 * after 15 s is `waiting`, and goes on by itself. Refuses with `not_found`, `order_number_used`, `page_left`,
 * `order_not_reportable`.
 */
export const POST = route(async (req, res) => {
  const { id } = await readOrder(req, idOf(req))
  const repeat_problem = await reportNow(req.scope, id)
  res.json({ order: await readOrder(req, id), repeat_problem })
})
