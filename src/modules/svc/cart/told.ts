import type { CartParams } from "./codes"
import type { CartSituation, Line, PriceChange } from "./situation"

/** A line that is not what the shopper last saw; amounts in major units. */
export type ChangedLine = {
  /** Of the change: what a storefront acknowledges. Another change of the same line has another. */
  id: string
  line_item_id: string
  variant_id: string | null
  title: string
  old_unit_price: number
  /** `null`: it cannot be sold any more, and the line was removed. */
  new_unit_price: number | null
  old_quantity: number
  /** 0 where the line was removed. */
  new_quantity: number
  /** Whether tax is in the price; only this may differ. Null where the line was removed, or nobody wrote it down. */
  old_is_tax_inclusive: boolean
  new_is_tax_inclusive: boolean | null
  /** Of the new price. */
  currency_code: string
  /** Of the old price; another one only after the cart changed its region. */
  old_currency_code: string
  reason: string
  params?: CartParams
}

/** Every change since a shopper was last told, by whichever process; one that was undone meanwhile is left out. */
export function untoldChanges({
  changes,
  lines,
  cart,
}: Pick<CartSituation, "changes" | "lines" | "cart">): ChangedLine[] {
  return changes.flatMap((change): ChangedLine[] => {
    const line = lines.find(({ id, dropped }) => id === change.lineId && !dropped)
    // A line that is gone and that we did not remove was removed by the shopper.
    if (!line && !change.removed) return []
    return isUndone(change, line, cart.currency) ? [] : [asChangedLine(change, line, cart.currency)]
  })
}

function isUndone(change: PriceChange, line: Line | undefined, currency: string): boolean {
  if (!line || change.again) return false
  const sameBasis = change.oldIsTaxInclusive === line.isTaxInclusive
  const fewer = change.reason === "quantity_limited" && line.quantity !== change.oldQuantity
  return (
    line.unitPrice === change.oldUnitPrice &&
    sameBasis &&
    currency === change.currency &&
    change.reason !== "region_changed" &&
    !fewer
  )
}

const asChangedLine = (
  change: PriceChange,
  line: Line | undefined,
  currency: string,
): ChangedLine => ({
  id: change.id,
  line_item_id: change.lineId,
  variant_id: change.variantId,
  title: change.title,
  old_unit_price: change.oldUnitPrice,
  new_unit_price: line?.unitPrice ?? null,
  old_quantity: change.oldQuantity ?? line?.quantity ?? 0,
  new_quantity: line?.quantity ?? 0,
  old_is_tax_inclusive: change.oldIsTaxInclusive,
  new_is_tax_inclusive: line?.isTaxInclusive ?? null,
  currency_code: currency,
  old_currency_code: change.currency,
  ...reasonTold(change, line),
})

/** Why a line left the show's price is no answer any more where it is back at one. */
function reasonTold(
  { reason, params }: PriceChange,
  line: Line | undefined,
): { reason: string; params?: CartParams } {
  const isBack = line?.proof != null
  if (isBack && (reason === "price_unavailable" || reason === "price_too_low")) {
    return { reason: "price_changed" }
  }
  return { reason, ...(params ? { params } : {}) }
}

/**
 * Which of the untold changes a shopper has agreed to, so that they are not asked about again.
 *
 * - The storefront says that it has shown the change (`acknowledged`, its id). A line that changed once more has another id.
 * - A payment was begun after the change: it was begun for the new total.
 * - A storefront that does not know of acknowledgements has been answered with the change, and no other sign can come: it
 *   asks again to begin a payment, or its basket needs none (nothing to pay, or a payment that survived because the total
 *   stayed the same).
 *
 * An answer that was lost is thereby asked again wherever another sign is possible.
 *
 * @param acknowledged ids in the storefront's header; null where it sends none
 * @param askedAt when this request came: of two at once (a double click) both are told
 * @param beginsPayment the request begins a payment, else it orders
 * @param nothingToPay the basket's total is zero
 */
export function agreedChanges(
  { changes, payment }: Pick<CartSituation, "changes" | "payment">,
  request: {
    acknowledged: readonly string[] | null
    askedAt: number
    beginsPayment: boolean
    nothingToPay: boolean
  },
): Set<string> {
  const agreed = changes.filter((change) => {
    if (request.acknowledged?.includes(change.id)) return true
    const begunAfter = payment.sessions.some(({ id }) => !change.sessionsBefore.includes(id))
    if (!request.beginsPayment && begunAfter) return true
    if (request.acknowledged !== null) return false
    const wasAnswered = change.answeredAt !== null && change.answeredAt < request.askedAt
    const paymentSurvived = payment.sessions.some(({ id }) => change.sessionsBefore.includes(id))
    return wasAnswered && (request.beginsPayment || request.nothingToPay || paymentSurvived)
  })
  return new Set(agreed.map(({ id }) => id))
}
