import { readSync, startImport } from "../../../../../../workflows/catalog"
import { idOf, route } from "../../../../../answer"
import { readBody } from "../../../../../body"
import { syncInput } from "./body"

/** `GET /admin/svc/connections/:id/sync` → `{sync}`: the latest full import. Refuses with `connection_not_found`. */
export const GET = route(async (req, res) => {
  res.json({ sync: await readSync(req.scope, idOf(req)) })
})

/**
 * `POST /admin/svc/connections/:id/sync` `{force?}` → `{sync}`. Refuses with `sync_running`, `connection_not_found`,
 * `invalid_request`.
 */
export const POST = route(async (req, res) => {
  await startImport(req.scope, idOf(req), await readBody(req, syncInput))
  res.json({ sync: await readSync(req.scope, idOf(req)) })
})
