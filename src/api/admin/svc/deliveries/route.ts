import { SVC_MODULE } from "../../../../modules/svc"
import { DELIVERY_COLUMNS, DELIVERY_FILTERS } from "../../../../workflows/webhooks"
import { moment, readListQuery, route } from "../../../answer"
import { deliveryView } from "./view"

/**
 * `GET /admin/svc/deliveries` → `{deliveries, count, limit, offset}`; without payloads, newest first. `q` is a part of the
 * topic, of the event's uid or of the delivery's; `from` and `to` (before) are of the receipt.
 */
export const GET = route(async (req, res) => {
  const { deliveryList } = req.scope.resolve(SVC_MODULE).webhooks
  const { filters, order, page } = readListQuery(req.query, {
    sortable: DELIVERY_COLUMNS,
    filters: DELIVERY_FILTERS,
    extra: { from: moment.optional(), to: moment.optional() },
  })
  const { rows, count } = await deliveryList.list({ filters, order, ...page })
  res.json({ deliveries: rows.map(deliveryView), count, ...page })
})
