import { closeFeed, openFeed, openFeedInput } from "../../../../../../workflows/catalog"
import { idOf, route } from "../../../../../answer"
import { readBody } from "../../../../../body"

/**
 * `POST /admin/svc/connections/:id/feed` `{replace?: false}` → `{feed: {url, username, password, created_at}}`: opens the feed
 * with a new password, which is shown this once. A feed that is open needs `replace: true`; the password from before opens
 * nothing any more. Refuses with `connection_not_found`, `connection_read_only`, `feed_open`, `backend_url_missing`, `invalid_request`.
 */
export const POST = route(async (req, res) => {
  const input = await readBody(req, openFeedInput)
  res.json({ feed: await openFeed(req.scope, idOf(req), input) })
})

/** `DELETE /admin/svc/connections/:id/feed` → `{id, object, deleted}`. Refuses with `connection_not_found`, `connection_read_only`. */
export const DELETE = route(async (req, res) => {
  await closeFeed(req.scope, idOf(req))
  res.json({ id: idOf(req), object: "svc_feed", deleted: true })
})
