import type { MedusaRequest } from "@medusajs/framework/http"
import { closeFeed, openFeed } from "../../../../../../workflows/catalog"
import { idOf, route } from "../../../../../answer"

/**
 * `POST /admin/svc/connections/:id/feed` → `{feed: {url, created_at}}`: opens the feed under a new address, which is shown
 * this once; an address from before is closed. Refuses with `connection_not_found`, `connection_read_only`,
 * `backend_url_missing`.
 */
export const POST = route(async (req: MedusaRequest, res) => {
  res.json({ feed: await openFeed(req.scope, idOf(req)) })
})

/** `DELETE /admin/svc/connections/:id/feed` → `{id, object, deleted}`. Refuses with `connection_not_found`, `connection_read_only`. */
export const DELETE = route(async (req: MedusaRequest, res) => {
  await closeFeed(req.scope, idOf(req))
  res.json({ id: idOf(req), object: "svc_feed", deleted: true })
})
