import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { SVC_MODULE } from "../../../../../../modules/svc"
import { findWebhook } from "../../../../../../workflows/webhooks"
import { idOf } from "../../../../../answer"
import { webhookView } from "./view"

/** Answers with the subscriber as its row has it now. What a workflow returns may be a copy whose dates are text. */
export async function answerWebhook(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const svc = req.scope.resolve(SVC_MODULE)
  const row = await findWebhook(svc, idOf(req))
  res.json({ webhook: row && webhookView(row, svc.options.webhookToleranceSeconds * 1000) })
}
