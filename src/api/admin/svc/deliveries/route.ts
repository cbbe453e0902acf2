import { SVC_MODULE } from "../../../../modules/svc"
import { readListQuery, route } from "../../../answer"
import { deliveryView, LISTED_COLUMNS } from "./view"

/** `GET /admin/svc/deliveries` → `{deliveries, count, limit, offset}`; without payloads, newest first. */
export const GET = route(async (req, res) => {
  const svc = req.scope.resolve(SVC_MODULE)
  const { filters, config, page } = readListQuery(req.query, {
    sortable: ["received_at", "occurred_at", "topic", "outcome", "attempts", "event_uid", "id"],
    filters: ["id", "connection_id", "topic", "outcome", "event_uid", "delivery_uid"],
  })
  const [rows, count] = await svc.listAndCountSvcDeliveries(filters, {
    ...config,
    select: [...LISTED_COLUMNS],
  })
  res.json({ deliveries: rows.map(deliveryView), count, ...page })
})
