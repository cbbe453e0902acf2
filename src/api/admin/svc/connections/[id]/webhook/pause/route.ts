import { pauseApplying } from "../../../../../../../workflows/webhooks"
import { idOf, route } from "../../../../../../answer"
import { answerWebhook } from "../answer-webhook"

/**
 * `POST /admin/svc/connections/:id/webhook/pause` → `{webhook}`: deliveries are kept, and not applied until it is resumed.
 * Refuses with `connection_not_found`, `webhook_not_registered`.
 */
export const POST = route(async (req, res) => {
  await pauseApplying(req.scope, idOf(req), true)
  await answerWebhook(req, res)
})
