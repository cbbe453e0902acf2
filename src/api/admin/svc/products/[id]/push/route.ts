import { pushNow } from "../../../../../../workflows/catalog"
import { idOf, route } from "../../../../../answer"
import { catalogItem, singleProductView } from "../../view"

/**
 * `POST /admin/svc/products/:id/push` → `{product, sent}` after the attempt: a failed one is an answer with a `reason`, not an
 * error. `sent` is false where the service did not take it now: a connection may only have the feed. Refuses with
 * `not_found`, and with `store_error` where the store cannot be read now: it is sent once it can.
 */
export const POST = route(async (req, res) => {
  const { id, last_pushed_at: before } = await catalogItem(req.scope, idOf(req))
  await pushNow(req.scope, id)
  const item = await catalogItem(req.scope, id)
  const sent = item.last_pushed_at?.getTime() !== before?.getTime()
  res.json({ product: await singleProductView(req.scope, item), sent })
})
