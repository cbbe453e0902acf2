import type { MedusaRequest } from "@medusajs/framework/http"
import {
  cancelImport,
  pauseImport,
  readSync,
  resumeImport,
} from "../../../../../../../workflows/catalog"
import { idOf, requireAction, route } from "../../../../../../answer"

const ACTIONS = { pause: pauseImport, resume: resumeImport, cancel: cancelImport }

/**
 * `POST /admin/svc/connections/:id/sync/:action` → `{sync}`: `pause`, `resume` or `cancel`. Refuses with `not_found`,
 * `sync_not_running`, `connection_not_found`.
 */
export const POST = route(async (req: MedusaRequest, res) => {
  await requireAction(req, ACTIONS)(req.scope, idOf(req))
  res.json({ sync: await readSync(req.scope, idOf(req)) })
})
