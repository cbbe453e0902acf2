import type { CartPayment, Line, PaymentSession, Proof } from "./situation"

/**
 * Whether a payment that has begun holds a line's price: for the pieces that it was begun for, in the cart's present
 * region and currency. The show may be over meanwhile; the shopper is just paying what was proven when it was not.
 */
export function isHeld(
  line: Pick<Line, "quantity" | "dropped">,
  proof: Proof | null,
  cart: { regionId: string; currency: string },
  now: number,
): boolean {
  return (
    proof !== null &&
    !line.dropped &&
    proof.heldUntil !== null &&
    proof.heldUntil > now &&
    line.quantity <= (proof.heldQuantity ?? 0) &&
    proof.regionId === cart.regionId &&
    proof.currency === cart.currency
  )
}

/** Statuses of a session whose money is promised or taken. */
const PAID = ["authorized", "captured"]
/**
 * Sessions that a shopper may have paid with, or may still: what Medusa calls them says little. One that failed may be
 * tried again with another card.
 */
export const livingSessions = ({ sessions }: CartPayment): PaymentSession[] =>
  sessions.filter(({ status }) => status !== "canceled")

/** Those whose payment was cancelled or paid back. */
export const cancelledSessions = ({ sessions }: CartPayment): string[] =>
  sessions.filter(({ status }) => status === "canceled").map(({ id }) => id)

/** Whether core is paying one back, because an order failed. The provider may still refuse, and then it has paid the cart. */
export const isPayingBack = ({ sessions }: CartPayment): boolean =>
  sessions.some(({ status }) => status === "refunding")

/** Less than half of the smallest coin of any currency: sums of prices with tax have more digits than money. */
const SAME_AMOUNT = 0.0005

export const isSameAmount = (one: number, other: number): boolean =>
  Math.abs(one - other) < SAME_AMOUNT

/** The session that has paid exactly this total; null where none has. */
export const paidSession = (
  { sessions }: CartPayment,
  due: { total: number; currency: string },
): PaymentSession | null =>
  sessions.find(
    ({ status, amount, currency }) =>
      PAID.includes(status) && isSameAmount(amount, due.total) && currency === due.currency,
  ) ?? null
