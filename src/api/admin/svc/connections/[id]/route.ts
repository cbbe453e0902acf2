import { SVC_MODULE } from "../../../../../modules/svc"
import {
  deleteConnectionWorkflow,
  updateConnectionInput,
  updateConnectionWorkflow,
} from "../../../../../workflows/connections"
import { idOf, route } from "../../../../answer"
import { readBody } from "../../../../body"
import { connectionView } from "../view"

/** `GET /admin/svc/connections/:id` → `{connection}`. Refuses with `connection_not_found`. */
export const GET = route(async (req, res) => {
  const svc = req.scope.resolve(SVC_MODULE)
  res.json({ connection: connectionView(await svc.connection(idOf(req))) })
})

/**
 * `POST /admin/svc/connections/:id` → `{connection, webhook_left}`. What is left out stays as it is, also within `catalog` and
 * `report_settings`. Empty token: unchanged; new address: token again. `webhook_left`: `{webhook_uid, url, code, message}` of the
 * webhook that the page which was left did not remove, else null. Refuses with
 * `connection_not_found`, `connection_read_only`, `token_required`, `connection_exists`, `encryption_key_missing`,
 * `invalid_url`, `insecure_url`, `sales_channel_not_found`, `region_not_found`, `invalid_request`.
 */
export const POST = route(async (req, res) => {
  const input = await readBody(req, updateConnectionInput)
  const { result } = await updateConnectionWorkflow(req.scope).run({
    input: { id: idOf(req), ...input },
  })
  res.json({ connection: connectionView(result), webhook_left: result.webhook_left })
})

/**
 * `DELETE /admin/svc/connections/:id` → `{id, object, deleted, webhook_left}`. `webhook_left`: `{webhook_uid, url, code, message}`
 * of the webhook that the service did not remove, else null. Refuses with `connection_not_found`, `connection_read_only`.
 */
export const DELETE = route(async (req, res) => {
  const { result } = await deleteConnectionWorkflow(req.scope).run({ input: idOf(req) })
  res.json({ ...result, object: "svc_connection", deleted: true })
})
