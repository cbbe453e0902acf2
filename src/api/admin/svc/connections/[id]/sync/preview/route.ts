import type { MedusaRequest } from "@medusajs/framework/http"
import { previewImport } from "../../../../../../../workflows/catalog"
import { idOf, route } from "../../../../../../answer"

/**
 * `POST /admin/svc/connections/:id/sync/preview` `{force?}` → `{preview}`: what an import would send. Nothing is sent.
 * Refuses with `connection_not_found`, `invalid_request`.
 */
export const POST = route(async (req: MedusaRequest<{ force?: boolean }>, res) => {
  res.json({ preview: await previewImport(req.scope, idOf(req), req.validatedBody) })
})
