import { readSetup } from "../../../../../../workflows/connections"
import { idOf, route } from "../../../../../answer"
import { setupView } from "./view"

/**
 * `GET /admin/svc/connections/:id/setup` → `{setup: {complete, steps: [{name, state, at, reason}]}}`, in the order in which
 * they are taken; states: `done`, `open`, `running`, `failed`, `blocked`. Refuses with `connection_not_found`.
 */
export const GET = route(async (req, res) => {
  res.json({ setup: setupView(await readSetup(req.scope, idOf(req))) })
})
