import { checkStorefront, readSetup } from "../../../../../../../workflows/connections"
import { idOf, route } from "../../../../../../answer"
import { setupView } from "../view"

/**
 * `POST /admin/svc/connections/:id/setup/storefront` → `{setup}`: opens the storefront's address now. Refuses with
 * `connection_not_found`.
 */
export const POST = route(async (req, res) => {
  const id = idOf(req)
  await checkStorefront(req.scope, id)
  res.json({ setup: setupView(await readSetup(req.scope, id)) })
})
