import type { MedusaContainer } from "@medusajs/framework/types"
import { refusalCode, SVC_MODULE } from "../../modules/svc"
import { changeCart } from "./change-cart"

/**
 * Restores a cart's campaign lines where other code changed its region by core's own workflow, which deletes them. The
 * route that shoppers use does so before it answers (`keepCampaignLines`). What cannot be done now, the minute's job does.
 */
export async function restoreDroppedLines(
  container: MedusaContainer,
  cartId: string,
): Promise<void> {
  if (!(await container.resolve(SVC_MODULE).cart.movingLines.markDropped(cartId))) return
  try {
    await changeCart(container, { cart_id: cartId, intent: { occasion: "job" } })
  } catch (error) {
    const code = refusalCode(error)
    if (code !== "not_found" && code !== "cart_completed") throw error
  }
}
