import { rotateWebhookKeyWorkflow } from "../../../../../../../workflows/webhooks"
import { idOf, route } from "../../../../../../answer"
import { answerWebhook } from "../answer-webhook"

/** `POST /admin/svc/connections/:id/webhook/rotate` → `{webhook}`; the new key is never shown. */
export const POST = route(async (req, res) => {
  await rotateWebhookKeyWorkflow(req.scope).run({ input: idOf(req) })
  await answerWebhook(req, res)
})
