import { SVC_MODULE } from "../../../../../../../modules/svc"
import { byColumn, idOf, readListQuery, route } from "../../../../../../answer"
import { reconciliationView } from "./view"

/**
 * `GET /admin/svc/connections/:id/webhook/reconciliations` → `{reconciliations, count, limit, offset}`: what readings of
 * the listings found that no delivery had told, newest first.
 */
export const GET = route(async (req, res) => {
  const svc = req.scope.resolve(SVC_MODULE)
  const { id: connectionId } = await svc.connection(idOf(req))
  const { filters, order, page } = readListQuery(req.query, {
    sortable: ["started_at", "found", "id"],
    filters: ["id", "cause"],
  })
  const [rows, count] = await svc.listAndCountSvcReconciliations(
    { ...filters, connection_id: connectionId },
    { take: page.limit, skip: page.offset, order: byColumn(order) },
  )
  res.json({ reconciliations: rows.map(reconciliationView), count, ...page })
})
