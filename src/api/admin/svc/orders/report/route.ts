import { reportAgain } from "../../../../../workflows/orders"
import { filtersOf, moment, route, someFilters } from "../../../../answer"
import { readBody } from "../../../../body"

/** Body of `POST /admin/svc/orders/report`: the filters of the list, at least one. */
const reportOrdersInput = someFilters({
  ...filtersOf("id", "order_id", "connection_id", "campaign_uid", "svc_order_no", "state"),
  from: moment.optional(),
  to: moment.optional(),
})

/**
 * `POST /admin/svc/orders/report` `{filters: {id?, order_id?, connection_id?, campaign_uid?, svc_order_no?, state?, from?,
 * to?}}` → `{count}`: has all that match, and that failed or still wait, reported now, in the background. Refuses with
 * `invalid_request`.
 */
export const POST = route(async (req, res) => {
  const { filters } = await readBody(req, reportOrdersInput)
  res.json({ count: await reportAgain(req.scope, filters) })
})
