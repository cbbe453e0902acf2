import { besides, limitsOf, whyNotSold } from "./campaign-offer"
import type { CartReason } from "./codes"
import { clampQuantity } from "./limits"
import { isHeld } from "./payment-hold"
import type { CartSituation } from "./situation"
import { workLine } from "./work-lines"

/** The limit that a quantity breaks, for a line that this campaign prices; null where it may have so many. */
export function brokenLimit(
  situation: CartSituation,
  lineId: string,
  quantity: number,
): CartReason<"quantity_limited" | "not_available" | "campaign_ended"> | null {
  const lines = situation.lines.map(workLine)
  const line = lines.find(({ original }) => original?.id === lineId)
  const proof = line?.original?.proof
  if (!line?.original || !proof || !line.productId || line.original.dropped) return null
  const wanted = { productId: line.productId, variantId: line.variantId }
  const notSold = whyNotSold(situation, proof, wanted)
  const more = quantity > line.quantity
  const heldNow = isHeld(line.original, proof, situation.cart, situation.now)
  if (notSold) {
    // One that no payment holds goes back to the catalog price, where the campaign's limits do not count.
    return more && (heldNow || notSold.code === "not_available") ? notSold : null
  }
  // Core checks the stock.
  const limits = { ...limitsOf(situation, proof, wanted), stock: null }
  const allowed = clampQuantity(quantity, besides(situation, line, lines), limits)
  const { reason } = allowed
  if (!reason || reason.code === "out_of_stock") return null
  // Where nothing is left fewer can be had all the same.
  return allowed.quantity > 0 || more ? { ...reason, code: reason.code } : null
}
