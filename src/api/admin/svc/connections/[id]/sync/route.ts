import type { MedusaRequest } from "@medusajs/framework/http"
import { z } from "zod"
import { readSync, startImport } from "../../../../../../workflows/catalog"
import { idOf, route } from "../../../../../answer"
import { syncView } from "./view"

/** Body of `POST .../sync` and `.../sync/preview`: by default only what differs is sent. */
export const syncInput = z.strictObject({ force: z.boolean().optional() })
type SyncInput = z.infer<typeof syncInput>

/** `GET /admin/svc/connections/:id/sync` → `{sync}`: the latest full import. Refuses with `connection_not_found`. */
export const GET = route(async (req: MedusaRequest, res) => {
  res.json({ sync: syncView(await readSync(req.scope, idOf(req))) })
})

/**
 * `POST /admin/svc/connections/:id/sync` `{force?}` → `{sync}`. Refuses with `sync_running`, `connection_not_found`,
 * `invalid_request`.
 */
export const POST = route(async (req: MedusaRequest<SyncInput>, res) => {
  await startImport(req.scope, idOf(req), req.validatedBody)
  res.json({ sync: syncView(await readSync(req.scope, idOf(req))) })
})
