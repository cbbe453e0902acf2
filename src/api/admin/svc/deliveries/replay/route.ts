import type { MedusaRequest } from "@medusajs/framework/http"
import {
  type ReplayDeliveriesInput,
  replayDeliveriesWorkflow,
} from "../../../../../workflows/webhooks"
import { route } from "../../../../answer"

/**
 * `POST /admin/svc/deliveries/replay` `{filters: {connection_id?, topic?, outcome?, event_uid?, from?, to?}}` →
 * `{count}`: makes all that match due again; `from` and `to` (before) are of the receipt, as in the list. They are applied
 * in the background. Refuses with `invalid_request`.
 */
export const POST = route(async (req: MedusaRequest<ReplayDeliveriesInput>, res) => {
  const { result } = await replayDeliveriesWorkflow(req.scope).run({ input: req.validatedBody })
  res.json({ count: result })
})
