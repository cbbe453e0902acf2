import { rotateWebhookKeyWorkflow } from "../../../../../../../workflows/webhooks"
import { route } from "../../../../../../answer"
import { webhookView } from "../view"

/** `POST /admin/svc/connections/:id/webhook/rotate` → `{webhook}`; the new key is never shown. */
export const POST = route(async (req, res) => {
  const { result } = await rotateWebhookKeyWorkflow(req.scope).run({ input: req.params.id ?? "" })
  res.json({ webhook: webhookView(result) })
})
