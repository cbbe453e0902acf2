import { SVC_MODULE } from "../../../../../../modules/svc"
import { reportNow } from "../../../../../../workflows/orders"
import { idOf, route } from "../../../../../answer"
import { orderView } from "../../view"
import { attribution } from "../attribution"

/**
 * `POST /admin/svc/orders/:id/report` → `{order}`: tells the service now, under the same idempotency key as before,
 * and answers with what came of it. Refuses with `not_found`, `order_number_used`.
 */
export const POST = route(async (req, res) => {
  const svc = req.scope.resolve(SVC_MODULE)
  const { id } = await attribution(svc, idOf(req))
  await reportNow(req.scope, id)
  res.json({ order: orderView(await attribution(svc, id)) })
})
