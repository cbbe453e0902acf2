import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { SVC_MODULE } from "../../../../../../modules/svc"
import { findWebhook, webhookProblem } from "../../../../../../workflows/webhooks"
import { idOf } from "../../../../../answer"
import { webhookView } from "./view"

/** Answers with the subscriber as its row has it now. What a workflow returns may be a copy whose dates are text. */
export async function answerWebhook(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const svc = req.scope.resolve(SVC_MODULE)
  const id = idOf(req)
  const row = await findWebhook(svc, id)
  const problem = await webhookProblem(svc, id, row)
  const now = await svc.shows.projection.now()
  res.json({ webhook: row && webhookView(row, problem, now) })
}
