import { rotateWebhookKeyWorkflow } from "../../../../../../../workflows/webhooks"
import { idOf, route } from "../../../../../../answer"
import { answerWebhook } from "../answer-webhook"

/**
 * `POST /admin/svc/connections/:id/webhook/rotate` → `{webhook}`; the new key is never shown. Refuses with
 * `connection_not_found`, `webhook_not_registered`, `encryption_key_missing`, `webhook_key_unknown`, `svc_call_failed`.
 */
export const POST = route(async (req, res) => {
  await rotateWebhookKeyWorkflow(req.scope).run({ input: idOf(req) })
  await answerWebhook(req, res)
})
