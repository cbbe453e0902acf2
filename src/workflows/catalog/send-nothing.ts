import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"

/** No product of any store has it. The command that leaves the service knows it again by its key. */
const NO_PRODUCT = { metadata: { svc_uninstall: "nothing is sent any more" } }

/**
 * Takes every product out of what every connection sends: the next import tells the service that none is for sale. The
 * merchant's own rule is lost by it: who calls this has read it before.
 */
export async function sendNothing(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  for (const { id, catalog } of await svc.listSvcConnections({}, { take: null })) {
    await svc.connections.rows.write(id, { catalog: { ...catalog, include: NO_PRODUCT } })
  }
}
