import type { MedusaContainer } from "@medusajs/framework/types"
import { expirePrices } from "../workflows/cart"

/** Each minute: puts the lines of campaigns that are over back to the catalog price. */
export default async function expireCampaignPrices(container: MedusaContainer): Promise<void> {
  await expirePrices(container)
}

export const config = { name: "svc-expire-campaign-prices", schedule: "* * * * *" }
