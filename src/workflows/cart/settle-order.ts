import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../modules/svc"
import { hadEnded } from "../../modules/svc/cart"

/**
 * The order of a cart was placed: its proofs are kept as they are, and lines whose price had ended by then are flagged. A
 * payment's provider may place an order long after the payment began; it is placed at what was paid, and the merchant
 * sees that the show was over. Doing it twice changes nothing.
 */
export async function settleOrderedCart(container: MedusaContainer, cartId: string): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  // Most orders have no line of a show.
  if (!(await svc.cart.linePrices.hasOpen(cartId))) return
  const situation = await svc.cart.situations.read({ cartId })
  const placedAt = situation?.cart.completedAt
  if (!situation || !placedAt) return
  const { paymentHoldMs } = svc.cart.pricePolicy
  const ended = situation.lines
    .filter((line) => hadEnded(line, situation, placedAt, paymentHoldMs))
    .map(({ id }) => id)
  await svc.cart.linePrices.settle(cartId, ended)
  if (ended.length > 0) {
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .warn(
        `svc: the order of cart ${cartId} was placed at a show's price that had ended: its payment was begun while it held.`,
      )
  }
}
