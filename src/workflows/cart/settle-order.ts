import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../modules/svc"
import { hadEnded } from "../../modules/svc/cart/ended-price"

/**
 * The order of a cart was placed: its proofs are kept as they are, and lines whose price had ended by then are flagged. A
 * payment's provider may place an order long after the payment began; it is placed at what was paid, and the merchant
 * sees that the show was over. Doing it twice changes nothing.
 */
export async function settleOrderedCart(container: MedusaContainer, cartId: string): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  // Most orders have no line of a show.
  if (!(await svc.linePrices.hasOpen(cartId))) return
  const situation = await svc.cartSituations.read({ cartId })
  const placedAt = situation?.cart.completedAt
  if (!situation || !placedAt) return
  const { paymentHoldMs } = svc.pricePolicy
  const ended = situation.lines
    .filter((line) => hadEnded(line, situation, placedAt, paymentHoldMs))
    .map(({ id }) => id)
  await svc.linePrices.settle(cartId, ended)
  if (ended.length > 0) {
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .warn(
        `svc: the order of cart ${cartId} was placed at a show's price that had ended: its payment was begun while it held.`,
      )
  }
}

/** The same, by the order's id. */
export async function settleOrder(container: MedusaContainer, orderId: string): Promise<void> {
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "order_cart",
    fields: ["cart_id"],
    filters: { order_id: orderId },
  })
  const cartId = data[0]?.cart_id
  if (cartId) await settleOrderedCart(container, cartId)
}
