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
 * `POST /admin/svc/connections/:id` → `{connection}`. Empty token: unchanged; new address: token again. Refuses with
 * `connection_not_found`, `connection_read_only`, `token_required`, `connection_exists`, `encryption_key_missing`,
 * `invalid_url`, `insecure_url`, `sales_channel_not_found`, `region_not_found`, `invalid_request`.
 */
export const POST = route(async (req, res) => {
  const input = await readBody(req, updateConnectionInput)
  const { result } = await updateConnectionWorkflow(req.scope).run({
    input: { id: idOf(req), ...input },
  })
  res.json({ connection: connectionView(result) })
})

/**
 * `DELETE /admin/svc/connections/:id` → `{id, object, deleted}`. Refuses with `connection_not_found`,
 * `connection_read_only`.
 */
export const DELETE = route(async (req, res) => {
  const { result: id } = await deleteConnectionWorkflow(req.scope).run({ input: idOf(req) })
  res.json({ id, object: "svc_connection", deleted: true })
})
