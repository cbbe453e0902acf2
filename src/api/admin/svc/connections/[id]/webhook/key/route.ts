import {
  pasteWebhookKeyInput,
  pasteWebhookKeyWorkflow,
} from "../../../../../../../workflows/webhooks"
import { read, route } from "../../../../../../answer"
import { webhookView } from "../view"

/** `POST /admin/svc/connections/:id/webhook/key` `{signature_key}` → `{webhook}`. */
export const POST = route(async (req, res) => {
  const input = read(pasteWebhookKeyInput, req.body)
  const { result } = await pasteWebhookKeyWorkflow(req.scope).run({
    input: { connection_id: req.params.id ?? "", ...input },
  })
  res.json({ webhook: webhookView(result) })
})
