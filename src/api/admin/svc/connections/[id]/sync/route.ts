import type { MedusaRequest } from "@medusajs/framework/http"
import { readSync, startImport } from "../../../../../../workflows/catalog"
import { idOf, route } from "../../../../../answer"
import { syncView } from "./view"

/** `GET /admin/svc/connections/:id/sync` → `{sync}`: the latest full import. Refuses with `connection_not_found`. */
export const GET = route(async (req: MedusaRequest, res) => {
  res.json({ sync: syncView(await readSync(req.scope, idOf(req))) })
})

/** `POST /admin/svc/connections/:id/sync` → `{sync}`. Refuses with `sync_running`, `connection_not_found`. */
export const POST = route(async (req: MedusaRequest, res) => {
  await startImport(req.scope, idOf(req))
  res.json({ sync: syncView(await readSync(req.scope, idOf(req))) })
})
