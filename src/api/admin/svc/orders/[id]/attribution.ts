import { SvcRefusal } from "../../../../../modules/svc/refusal"
import type SvcModuleService from "../../../../../modules/svc/service"
import type { Attribution } from "../../../../../modules/svc/service"

/** @throws SvcRefusal `not_found` */
export async function attribution(svc: SvcModuleService, id: string): Promise<Attribution> {
  const [row] = await svc.listSvcAttributions({ id })
  if (!row) throw new SvcRefusal("not_found", `There is no attribution with the id "${id}".`)
  return row
}
