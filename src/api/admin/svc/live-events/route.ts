import { SVC_MODULE } from "../../../../modules/svc"
import { EVENT_COLUMNS, EVENT_FILTERS } from "../../../../workflows/shows"
import { byColumn, readListQuery, route } from "../../../answer"
import { liveEventListView } from "./view"

/** `GET /admin/svc/live-events` → `{live_events, count, limit, offset}`, live events and shoppables. */
export const GET = route(async (req, res) => {
  const svc = req.scope.resolve(SVC_MODULE)
  const { filters, order, page } = readListQuery(req.query, {
    sortable: EVENT_COLUMNS,
    filters: EVENT_FILTERS,
  })
  const { events, count } = await svc.shows.queries.listEvents({
    filters,
    order: byColumn(order),
    ...page,
  })
  const products = await svc.shows.queries.countProducts(events)
  res.json({
    live_events: events.map((event) => liveEventListView(event, products.get(event) ?? 0)),
    count,
    ...page,
  })
})
