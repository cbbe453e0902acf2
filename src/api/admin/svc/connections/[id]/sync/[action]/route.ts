import type { MedusaRequest } from "@medusajs/framework/http"
import { changeImport, readSync } from "../../../../../../../workflows/catalog"
import { idOf, requireAction, route } from "../../../../../../answer"

const ACTIONS = { pause: "pause", resume: "resume", cancel: "cancel" } as const

/**
 * `POST /admin/svc/connections/:id/sync/:action` → `{sync}`: `pause`, `resume` or `cancel`. Refuses with `not_found`,
 * `sync_not_running`, `connection_not_found`.
 */
export const POST = route(async (req: MedusaRequest, res) => {
  await changeImport(req.scope, idOf(req), requireAction(req, ACTIONS))
  res.json({ sync: await readSync(req.scope, idOf(req)) })
})
