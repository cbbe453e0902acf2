/**
 * What the catalog tells a merchant's own code, on Medusa's event bus. Best effort: rows are the truth, and an event bus
 * that is away must not hold up what is sent.
 */

import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { messageOf } from "../../modules/svc/shared/error-message"

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

/** Returns at once; a failure is a line in the log. */
export function announce<Name extends keyof CatalogEvents>(
  container: MedusaContainer,
  name: Name,
  data: CatalogEvents[Name],
): void {
  container
    .resolve(Modules.EVENT_BUS)
    .emit({ name, data }, { internal: true })
    .catch((error: unknown) => {
      const reason = messageOf(error)
      container
        .resolve(ContainerRegistrationKeys.LOGGER)
        .warn(`svc: ${name} could not be announced: ${reason}`)
    })
}
