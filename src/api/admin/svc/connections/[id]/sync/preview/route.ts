import { previewImport } from "../../../../../../../workflows/catalog"
import { idOf, route } from "../../../../../../answer"
import { readBody } from "../../../../../../body"
import { syncInput } from "../body"

/**
 * `POST /admin/svc/connections/:id/sync/preview` `{force?}` → `{preview}`: what an import would send. Nothing is sent.
 * Refuses with `connection_not_found`, `invalid_request`, `setting_unreadable`, `store_error`.
 */
export const POST = route(async (req, res) => {
  const input = await readBody(req, syncInput)
  res.json({ preview: await previewImport(req.scope, idOf(req), input) })
})
