import { productSells } from "./campaign-state"
import type { CartReason } from "./codes"
import { clampQuantity } from "./limits"
import { isHeld } from "./payment-hold"
import { besides, limitsOf, offerOf } from "./reprice-line"
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
  const context = { situation }
  const wanted = { productId: line.productId, variantId: line.variantId }
  const { state, product } = offerOf(context, proof, wanted)
  const more = quantity > line.quantity
  const heldNow = isHeld(line.original, proof, situation.cart, situation.now)
  if (!state.sells || !productSells(product)) {
    // One that no payment holds goes back to the catalog price, where the campaign's limits do not count.
    const code = state.sells ? "not_available" : "campaign_ended"
    return more && (heldNow || code === "not_available") ? { code } : null
  }
  // Core checks the stock.
  const limits = { ...limitsOf(context, proof, wanted), stock: null }
  const { reason } = clampQuantity(quantity, besides(context, line, lines), limits)
  if (reason?.code === "quantity_limited") return { ...reason, code: reason.code }
  return reason?.code === "not_available" && more ? { code: reason.code } : null
}
