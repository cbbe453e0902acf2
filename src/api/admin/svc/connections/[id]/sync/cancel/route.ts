import type { MedusaRequest } from "@medusajs/framework/http"
import { cancelImport, readSync } from "../../../../../../../workflows/catalog"
import { idOf, route } from "../../../../../../answer"
import { syncView } from "../view"

/** `POST /admin/svc/connections/:id/sync/cancel` → `{sync}`. Refuses with `sync_not_running`, `connection_not_found`. */
export const POST = route(async (req: MedusaRequest, res) => {
  await cancelImport(req.scope, idOf(req))
  res.json({ sync: syncView(await readSync(req.scope, idOf(req))) })
})
