import { pauseApplying } from "../../../../../../../workflows/webhooks"
import { idOf, route } from "../../../../../../answer"
import { answerWebhook } from "../answer-webhook"

/**
 * `POST /admin/svc/connections/:id/webhook/resume` → `{webhook}`: applies what was kept meanwhile, and what comes. Refuses
 * with `connection_not_found`, `webhook_not_registered`.
 */
export const POST = route(async (req, res) => {
  await pauseApplying(req.scope, idOf(req), false)
  await answerWebhook(req, res)
})
