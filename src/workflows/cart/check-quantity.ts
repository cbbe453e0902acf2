import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE, SvcRefusal } from "../../modules/svc"
import { clampQuantity, quantityLimits } from "../../modules/svc/cart/plan"

/**
 * Refuses a quantity that the campaign of a line does not sell (gap 45). A line that no campaign prices, or whose price
 * is due to be proven again, is left to core and to the next re-pricing.
 *
 * @throws SvcRefusal `quantity_limited`, `not_available`
 */
export async function checkQuantity(
  container: MedusaContainer,
  asked: { cartId: string; lineId: string | undefined; quantity: number },
): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const lines = await svc.campaignLines.ofCart(asked.cartId)
  const line = lines.find(({ id, due }) => id === asked.lineId && !due)
  if (!line?.campaign_uid || !line.connection_id) return

  const products = await svc.shows.productsOf(line.connection_id, [line.campaign_uid])
  // Core checks the stock.
  const limits = quantityLimits(products, { productId: line.product_id ?? "", stock: null })
  const { reason } = clampQuantity(asked.quantity, 0, limits)
  if (!reason) return
  // Fewer pieces of a product that is not sold any more are a step in the right direction.
  if (reason.code === "not_available" && asked.quantity <= line.quantity) return
  throw new SvcRefusal(
    reason.code === "not_available" ? "not_available" : "quantity_limited",
    reason.message,
  )
}
