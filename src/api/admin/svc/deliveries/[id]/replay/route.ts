import { replayDeliveryWorkflow } from "../../../../../../workflows/webhooks"
import { idOf, route } from "../../../../../answer"
import { deliveryDetail } from "../../view"

/** `POST /admin/svc/deliveries/:id/replay` → `{delivery}`, applied again from its row. Refuses with `not_found`. */
export const POST = route(async (req, res) => {
  const { result } = await replayDeliveryWorkflow(req.scope).run({ input: idOf(req) })
  res.json({ delivery: deliveryDetail(result) })
})
