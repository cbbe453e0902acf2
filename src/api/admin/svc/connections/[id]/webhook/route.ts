import { SVC_MODULE } from "../../../../../../modules/svc"
import {
  findWebhook,
  refreshForPerson,
  registerWebhookInput,
  registerWebhookWorkflow,
  removeWebhookWorkflow,
} from "../../../../../../workflows/webhooks"
import { idOf, route } from "../../../../../answer"
import { readBody } from "../../../../../body"
import { answerWebhook } from "./answer-webhook"

/** `GET /admin/svc/connections/:id/webhook` → `{webhook}`; `null` where there is none. Refuses with `connection_not_found`. */
export const GET = route(async (req, res) => {
  const svc = req.scope.resolve(SVC_MODULE)
  const connection = await svc.connection(idOf(req))
  const known = await findWebhook(svc, connection.id)
  if (known) await refreshForPerson(req.scope, known)
  await answerWebhook(req, res)
})

/**
 * `POST /admin/svc/connections/:id/webhook` `{name?, topics?, custom_headers?, take_over?}` → `{webhook}`: registers it, or
 * takes over and updates the one that has this store's URL; with `take_over` also from the store that it leads to. Without
 * `name` or `topics` those of the last registration stay; at first it asks for every topic. Refuses with
 * `connection_not_found`, `backend_url_missing`, `insecure_url`, `encryption_key_missing`, `webhook_limit`,
 * `webhook_of_another_store`, `webhook_key_unknown`, `webhook_headers_unknown`, `svc_call_failed`,
 * `webhook_registration_unsure`, `webhook_before_gone`, `webhook_before_left`, `invalid_request`.
 */
export const POST = route(async (req, res) => {
  const input = await readBody(req, registerWebhookInput)
  await registerWebhookWorkflow(req.scope).run({
    input: { connection_id: idOf(req), ...input },
  })
  await answerWebhook(req, res)
})

/**
 * `DELETE /admin/svc/connections/:id/webhook` → `{id, object, deleted}`; `id` is the connection's. Refuses with
 * `connection_not_found`, `webhook_of_another_store`, `svc_call_failed`.
 */
export const DELETE = route(async (req, res) => {
  const id = idOf(req)
  await removeWebhookWorkflow(req.scope).run({ input: id })
  res.json({ id, object: "svc_webhook", deleted: true })
})
