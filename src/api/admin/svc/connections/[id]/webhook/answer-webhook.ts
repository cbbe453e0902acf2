import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { SVC_MODULE } from "../../../../../../modules/svc"
import { findWebhook } from "../../../../../../workflows/webhooks"
import { idOf } from "../../../../../answer"
import { webhookView } from "./view"

/** Answers with the subscriber as it is in its row: what a workflow hands on may have been a copy without dates. */
export async function answerWebhook(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const svc = req.scope.resolve(SVC_MODULE)
  const row = await findWebhook(svc, idOf(req))
  res.json({ webhook: row && webhookView(row) })
}
