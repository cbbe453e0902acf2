import type { MedusaRequest } from "@medusajs/framework/http"
import { SVC_MODULE } from "../../../../../modules/svc"
import { requireSingle } from "../../../../answer"
import { orderDetail } from "../view"

/**
 * @param id of the attribution, or of an order that has only one
 * @throws SvcRefusal `not_found`, `invalid_request`
 */
export async function readOrder(req: MedusaRequest, id: string) {
  const { attributionList, reportAttempts } = req.scope.resolve(SVC_MODULE).orders
  const row = requireSingle(await attributionList.named(id), "attribution", id)
  const [lines, attempts] = await Promise.all([
    attributionList.lines(row.order_id),
    reportAttempts.of(row.id),
  ])
  const own = lines.filter(
    (line) => line.campaign_uid === row.campaign_uid && line.connection_id === row.connection_id,
  )
  return orderDetail(row, own, attempts)
}
