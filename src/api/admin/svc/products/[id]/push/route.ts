import { pushNow } from "../../../../../../workflows/catalog"
import { idOf, route } from "../../../../../answer"
import { catalogItem, singleProductView } from "../../view"

/**
 * `POST /admin/svc/products/:id/push` → `{product}` after the attempt: a failed one is an answer with a `reason`, not an
 * error. Refuses with `not_found`, and with `store_error` where the store cannot be read now: it is sent once it can.
 */
export const POST = route(async (req, res) => {
  const { id } = await catalogItem(req.scope, idOf(req))
  await pushNow(req.scope, id)
  res.json({ product: await singleProductView(req.scope, await catalogItem(req.scope, id)) })
})
