import { SVC_MODULE } from "../../../../modules/svc"
import { moment, readListQuery, route } from "../../../answer"
import { deliveryView, LISTED_COLUMNS } from "./view"

/**
 * `GET /admin/svc/deliveries` → `{deliveries, count, limit, offset}`; without payloads, newest first. `from` and `to`
 * (before) are of the receipt.
 */
export const GET = route(async (req, res) => {
  const svc = req.scope.resolve(SVC_MODULE)
  const { filters, config, page, extra } = readListQuery(req.query, {
    sortable: ["received_at", "occurred_at", "topic", "outcome", "attempts", "event_uid", "id"],
    filters: ["id", "connection_id", "topic", "outcome", "event_uid", "delivery_uid"],
    extra: { from: moment.optional(), to: moment.optional() },
  })
  const [rows, count] = await svc.listAndCountSvcDeliveries(
    { ...filters, ...received(extra) },
    { ...config, select: [...LISTED_COLUMNS] },
  )
  res.json({ deliveries: rows.map(deliveryView), count, ...page })
})

const received = ({ from, to }: { from?: Date; to?: Date }) =>
  from || to ? { received_at: { ...(from && { $gte: from }), ...(to && { $lt: to }) } } : {}
