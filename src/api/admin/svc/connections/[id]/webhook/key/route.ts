import type { MedusaRequest } from "@medusajs/framework/http"
import {
  type PasteWebhookKeyInput,
  pasteWebhookKeyWorkflow,
} from "../../../../../../../workflows/webhooks"
import { idOf, route } from "../../../../../../answer"
import { answerWebhook } from "../answer-webhook"

/**
 * `POST /admin/svc/connections/:id/webhook/key` `{signature_key}` → `{webhook}`. Refuses with `connection_not_found`,
 * `encryption_key_missing`, `invalid_request`.
 */
export const POST = route(async (req: MedusaRequest<PasteWebhookKeyInput>, res) => {
  await pasteWebhookKeyWorkflow(req.scope).run({
    input: { connection_id: idOf(req), ...req.validatedBody },
  })
  await answerWebhook(req, res)
})
