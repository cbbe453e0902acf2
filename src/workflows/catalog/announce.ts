/** What the catalog tells a merchant's own code, on Medusa's event bus. */

import type { MedusaContainer } from "@medusajs/framework/types"
import { emitEvents } from "../shared"

/** The service took products. `product_ids` are those of one call. */
export const PRODUCT_SYNCED = "svc.product.synced"
/** Products that the service refused, or that cannot be sent: each with its reason. */
export const PRODUCT_REFUSED = "svc.product.refused"
/** A full import has ended, and every product of it is settled. */
export const IMPORT_COMPLETED = "svc.import.completed"

/** The data of each event. */
export type CatalogEvents = {
  [PRODUCT_SYNCED]: { connection_id: string; product_ids: string[] }
  [PRODUCT_REFUSED]: {
    connection_id: string
    products: { product_id: string; code: string; message: string }[]
  }
  [IMPORT_COMPLETED]: {
    connection_id: string
    import_id: string
    total: number
    done: number
    failed: number
  }
}

/** Returns at once. */
export function announce<Name extends keyof CatalogEvents>(
  container: MedusaContainer,
  name: Name,
  data: CatalogEvents[Name],
): void {
  void emitEvents(container, name, [{ name, data }], { internal: true })
}
