import type { MedusaRequest } from "@medusajs/framework/http"
import {
  type ReplayDeliveriesInput,
  replayDeliveriesWorkflow,
} from "../../../../../workflows/webhooks"
import { route } from "../../../../answer"

/**
 * `POST /admin/svc/deliveries/replay` `{filters: {connection_id?, topic?, outcome?, event_uid?, from?, to?}}` →
 * `{count}`: makes all that match due again. They are applied in the background.
 */
export const POST = route(async (req: MedusaRequest<ReplayDeliveriesInput>, res) => {
  const { result } = await replayDeliveriesWorkflow(req.scope).run({ input: req.validatedBody })
  res.json({ count: result })
})
