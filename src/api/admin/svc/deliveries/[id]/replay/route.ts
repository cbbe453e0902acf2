import { SVC_MODULE } from "../../../../../../modules/svc"
import { replayDeliveryWorkflow, requireDelivery } from "../../../../../../workflows/webhooks"
import { idOf, route } from "../../../../../answer"
import { deliveryDetail } from "../../view"

/** `POST /admin/svc/deliveries/:id/replay` → `{delivery}`, applied again from its row. Refuses with `not_found`. */
export const POST = route(async (req, res) => {
  const id = idOf(req)
  await replayDeliveryWorkflow(req.scope).run({ input: id })
  const svc = req.scope.resolve(SVC_MODULE)
  res.json({ delivery: deliveryDetail(await requireDelivery(svc, id)) })
})
