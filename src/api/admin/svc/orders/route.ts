import { SVC_MODULE } from "../../../../modules/svc"
import { readListQuery, route } from "../../../answer"
import { orderView } from "./view"

/** `GET /admin/svc/orders` → `{orders, count, limit, offset}`: attributions, the latest first. */
export const GET = route(async (req, res) => {
  const svc = req.scope.resolve(SVC_MODULE)
  const { filters, config, page } = readListQuery(req.query, {
    sortable: [
      "placed_at",
      "created_at",
      "reported_at",
      "next_attempt_at",
      "display_id",
      "state",
      "attempts",
      "units",
      "gross",
      "campaign_uid",
      "svc_order_no",
      "order_id",
      "id",
    ],
    filters: [
      "id",
      "order_id",
      "cart_id",
      "connection_id",
      "campaign_uid",
      "svc_order_no",
      "state",
    ],
  })
  const [rows, count] = await svc.listAndCountSvcAttributions(filters, config)
  res.json({ orders: rows.map(orderView), count, ...page })
})
