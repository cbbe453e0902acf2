import type { Attribution, SvcModuleService } from "../../../../../modules/svc"
import { requireSingle } from "../../../../answer"

/**
 * @param id of the attribution, or of an order that has only one
 * @throws SvcRefusal `not_found`, `invalid_request`
 */
export async function attribution(svc: SvcModuleService, id: string): Promise<Attribution> {
  const rows = await svc.listSvcAttributions({ $or: [{ id }, { order_id: id }] })
  return requireSingle(rows, "attribution", id)
}
