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
/** Statuses of a session that a shopper may still pay with. */
const OPEN = ["pending", "requires_more", "pending_authorization"]

export const openSessions = ({ sessions }: CartPayment): PaymentSession[] =>
  sessions.filter(({ status }) => OPEN.includes(status))

/** Less than half of the smallest coin of any currency: sums of prices with tax have more digits than money. */
const SAME_AMOUNT = 0.0005

/** The session that has paid exactly this total; null where none has. */
export const paidSession = (
  { sessions }: CartPayment,
  due: { total: number; currency: string },
): PaymentSession | null =>
  sessions.find(
    ({ status, amount, currency }) =>
      PAID.includes(status) &&
      Math.abs(amount - due.total) < SAME_AMOUNT &&
      currency === due.currency,
  ) ?? null
