import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import { readCatalogSettings } from "../../modules/svc/catalog"

/** No product of any store has it. */
const NO_PRODUCT = { metadata: { svc_uninstall: "nothing is sent any more" } }

/** Takes every product out of what every connection sends: the next import tells the service that none is for sale. */
export async function sendNothing(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  for (const { id, catalog } of await svc.listSvcConnections({}, { take: null })) {
    const { settings } = readCatalogSettings(catalog)
    await svc.connections.rows.write(id, {
      catalog: { ...settings, include: NO_PRODUCT },
    })
  }
}
