import { replayDeliveriesInput, replayDeliveriesWorkflow } from "../../../../../workflows/webhooks"
import { route } from "../../../../answer"
import { readBody } from "../../../../body"

/**
 * `POST /admin/svc/deliveries/replay` `{filters: {connection_id?, topic?, outcome?, event_uid?, from?, to?}}` →
 * `{count}`: makes all that match due again; `from` and `to` (before) are of the receipt, as in the list. They are applied
 * in the background. Refuses with `invalid_request`.
 */
export const POST = route(async (req, res) => {
  const input = await readBody(req, replayDeliveriesInput)
  const { result } = await replayDeliveriesWorkflow(req.scope).run({ input })
  res.json({ count: result })
})
