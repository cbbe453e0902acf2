import { closeFeed, openFeed } from "../../../../../../workflows/catalog"
import { idOf, route } from "../../../../../answer"

/**
 * `POST /admin/svc/connections/:id/feed` → `{feed: {url, username, password, created_at}}`: opens the feed with a new
 * password, which is shown this once; the one from before opens nothing any more. Refuses with `connection_not_found`, `connection_read_only`,
 * `backend_url_missing`.
 */
export const POST = route(async (req, res) => {
  res.json({ feed: await openFeed(req.scope, idOf(req)) })
})

/** `DELETE /admin/svc/connections/:id/feed` → `{id, object, deleted}`. Refuses with `connection_not_found`, `connection_read_only`. */
export const DELETE = route(async (req, res) => {
  await closeFeed(req.scope, idOf(req))
  res.json({ id: idOf(req), object: "svc_feed", deleted: true })
})
