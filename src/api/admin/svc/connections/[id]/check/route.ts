import { SVC_MODULE } from "../../../../../../modules/svc"
import { checkConnectionWorkflow } from "../../../../../../workflows/connections"
import { idOf, route } from "../../../../../answer"
import { connectionView } from "../../view"

/**
 * `POST /admin/svc/connections/:id/check` → `{check: {ok, reachable, token_accepted, duration_ms, error},
 * connection}`. A failed check is an answer, not an error: always 200 for a known connection. Refuses with `connection_not_found`.
 */
export const POST = route(async (req, res) => {
  const id = idOf(req)
  const svc = req.scope.resolve(SVC_MODULE)
  await svc.connection(id)
  const { result: check } = await checkConnectionWorkflow(req.scope).run({ input: id })
  res.json({ check, connection: connectionView(await svc.connection(id)) })
})
