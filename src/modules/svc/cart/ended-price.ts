import { whyNotSold } from "./campaign-offer"
import type { CartSituation, Line } from "./situation"

/**
 * Whether a line's price had ended when the cart's order was placed: its time was over, or the show did not sell it any
 * more, and no payment held it. A payment that its provider settles late is placed at what was paid, and the merchant is
 * told by this. The one rule for the record of the line and for the order's flags. Pure.
 *
 * @param paymentHoldMs how long a payment's beginning holds prices
 */
export function hadEnded(
  { proof, productId, variantId }: Pick<Line, "proof" | "productId" | "variantId">,
  situation: Pick<CartSituation, "events" | "products" | "connections" | "payment">,
  placedAt: number,
  paymentHoldMs: number,
): boolean {
  if (!proof) return false
  const { events, products, connections, payment } = situation
  // The job holds a line longer where its payment cannot be ended: that does not make the price one that still held.
  const paidInTime = payment.sessions.some(({ createdAt }) => createdAt > placedAt - paymentHoldMs)
  if (paidInTime && (proof.heldUntil ?? 0) > placedAt) return false
  const isConnected = connections.some(({ id }) => id === proof.connectionId)
  const known = { events, products, now: placedAt }
  const wanted = { productId: productId ?? "", variantId }
  return !isConnected || proof.expiresAt <= placedAt || whyNotSold(known, proof, wanted) !== null
}
