import type { MedusaRequest } from "@medusajs/framework/http"
import { SVC_MODULE } from "../../../../../../modules/svc"
import {
  findWebhook,
  type RegisterWebhookInput,
  refreshForPerson,
  registerWebhookWorkflow,
  removeWebhookWorkflow,
} from "../../../../../../workflows/webhooks"
import { idOf, route } from "../../../../../answer"
import { answerWebhook } from "./answer-webhook"

/** `GET /admin/svc/connections/:id/webhook` → `{webhook}`; `null` where there is none. */
export const GET = route(async (req, res) => {
  const svc = req.scope.resolve(SVC_MODULE)
  const connection = await svc.connection(idOf(req))
  const known = await findWebhook(svc, connection.id)
  if (known) await refreshForPerson(req.scope, known)
  await answerWebhook(req, res)
})

/**
 * `POST /admin/svc/connections/:id/webhook` `{name?, topics?, custom_headers?}` → `{webhook}`: registers it, or
 * takes over and updates the one that has this store's URL.
 */
export const POST = route(async (req: MedusaRequest<RegisterWebhookInput>, res) => {
  await registerWebhookWorkflow(req.scope).run({
    input: { connection_id: idOf(req), ...req.validatedBody },
  })
  await answerWebhook(req, res)
})

/** `DELETE /admin/svc/connections/:id/webhook` → Medusa's shape of a deletion. */
export const DELETE = route(async (req, res) => {
  const id = idOf(req)
  await removeWebhookWorkflow(req.scope).run({ input: id })
  res.json({ id, object: "svc_webhook", deleted: true })
})
