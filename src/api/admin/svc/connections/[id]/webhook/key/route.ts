import {
  pasteWebhookKeyInput,
  pasteWebhookKeyWorkflow,
} from "../../../../../../../workflows/webhooks"
import { read, route } from "../../../../../../answer"
import { answerWebhook } from "../answer-webhook"

/** `POST /admin/svc/connections/:id/webhook/key` `{signature_key}` → `{webhook}`. */
export const POST = route(async (req, res) => {
  const input = read(pasteWebhookKeyInput, req.body)
  await pasteWebhookKeyWorkflow(req.scope).run({
    input: { connection_id: req.params.id ?? "", ...input },
  })
  await answerWebhook(req, res)
})
