import { SVC_MODULE } from "../../../../../modules/svc"
import { requireDelivery } from "../../../../../workflows/webhooks"
import { idOf, route } from "../../../../answer"
import { deliveryDetail } from "../view"

/** `GET /admin/svc/deliveries/:id` → `{delivery}` with payload and headers. Refuses with `not_found`. */
export const GET = route(async (req, res) => {
  const svc = req.scope.resolve(SVC_MODULE)
  res.json({ delivery: deliveryDetail(await requireDelivery(svc, idOf(req))) })
})
