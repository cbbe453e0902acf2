import type { MedusaRequest } from "@medusajs/framework/http"
import { SVC_MODULE } from "../../../../../modules/svc"
import {
  deleteConnectionWorkflow,
  type UpdateConnectionInput,
  updateConnectionWorkflow,
} from "../../../../../workflows/connections"
import { idOf, route } from "../../../../answer"
import { connectionView } from "../view"

/** `GET /admin/svc/connections/:id` → `{connection}`. */
export const GET = route(async (req: MedusaRequest, res) => {
  const svc = req.scope.resolve(SVC_MODULE)
  res.json({ connection: connectionView(await svc.connection(idOf(req))) })
})

/** `POST /admin/svc/connections/:id` → `{connection}`. Empty token: unchanged; new address: token again. */
export const POST = route(async (req: MedusaRequest<UpdateConnectionInput>, res) => {
  const { result } = await updateConnectionWorkflow(req.scope).run({
    input: { id: idOf(req), ...req.validatedBody },
  })
  res.json({ connection: connectionView(result) })
})

/** `DELETE /admin/svc/connections/:id` → `{id, object, deleted}`. */
export const DELETE = route(async (req: MedusaRequest, res) => {
  const { result: id } = await deleteConnectionWorkflow(req.scope).run({ input: idOf(req) })
  res.json({ id, object: "svc_connection", deleted: true })
})
