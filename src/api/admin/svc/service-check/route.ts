import { tryService, tryServiceInput } from "../../../../workflows/connections"
import { route } from "../../../answer"
import { readBody } from "../../../body"

/**
 * `POST /admin/svc/service-check` `{base_url, api_token}` → `{check}`, as that of a connection: asks the service with what
 * is not saved yet. Refuses with `invalid_url`, `insecure_url`, `invalid_request`.
 */
export const POST = route(async (req, res) => {
  const input = await readBody(req, tryServiceInput)
  res.json({ check: await tryService(req.scope, input) })
})
