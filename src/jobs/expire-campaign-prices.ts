import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../modules/svc"
import { repriceCartWorkflow } from "../workflows/cart"

const BATCH = 200

/** Each minute: puts the lines of campaigns that are over back to the catalog price. */
export default async function expireCampaignPrices(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  for (const cartId of await svc.campaignLines.cartsToReprice(BATCH)) {
    try {
      await repriceCartWorkflow(container).run({ input: cartId })
    } catch (error) {
      // One cart that cannot be priced (locked, or its variant is gone) does not hold up the others.
      const reason = error instanceof Error ? error.message : String(error)
      logger.warn(`svc: cart ${cartId} keeps its show price for now: ${reason}`)
    }
  }
}

export const config = { name: "svc-expire-campaign-prices", schedule: "* * * * *" }
