import { SVC_MODULE } from "../../../../../modules/svc"
import { idOf, route } from "../../../../answer"
import { orderView } from "../view"
import { attribution } from "./attribution"

/** `GET /admin/svc/orders/:id` → `{order}`; `:id` is the attribution's or the order's. Refuses with `not_found`. */
export const GET = route(async (req, res) => {
  const svc = req.scope.resolve(SVC_MODULE)
  res.json({ order: orderView(await attribution(svc, idOf(req))) })
})
