import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../modules/svc"
import { hadEnded } from "../../modules/svc/cart"

/**
 * The order of a cart was placed: its proofs are kept as they are. A payment's provider may place an order long after the
 * payment began; it is placed at what was paid, and the merchant sees that the show was over.
 *
 * @returns lines of the cart whose price had ended by then; null where the cart does not say that it was ordered
 */
export async function settleOrderedCart(
  container: MedusaContainer,
  cartId: string,
): Promise<string[] | null> {
  const svc = container.resolve(SVC_MODULE)
  const situation = await svc.cart.situations.read({ cartId })
  const placedAt = situation?.cart.completedAt
  if (!situation || !placedAt) return null
  await svc.cart.expiring.close([cartId])
  const { paymentHoldMs } = svc.cart.pricePolicy
  const ended = situation.lines
    .filter((line) => hadEnded(line, situation, placedAt, paymentHoldMs))
    .map(({ id }) => id)
  if (ended.length > 0) {
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .warn(
        `svc: the order of cart ${cartId} was placed at a show's price that had ended: its payment was begun while it held.`,
      )
  }
  return ended
}
