import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import { refusalCode, SVC_MODULE } from "../../modules/svc"
import {
  agreedChanges,
  type ChangedLine,
  cancelledSessions,
  isSameAmount,
  paidSession,
  untoldChanges,
} from "../../modules/svc/cart"
import { changeCart } from "./change-cart"
import { makeWayForAnother } from "./payment-status"

/** What a shopper has to be asked about first; without lines: the total alone. Null: nothing, go on. */
export type Question = { cartId: string; lines: ChangedLine[]; locale: string | null } | null

type Asked = {
  occasion: "order" | "payment"
  /** Ids of changes that the storefront says it has shown; null where it does not say. */
  acknowledged: readonly string[] | null
}

/**
 * To be asked before a cart is ordered, and before a payment of it begins, with any provider: a campaign's line that no
 * longer holds as it is (its price, its tax basis, its quantity, its market) is priced again, and the shopper has to be
 * told. So nobody pays a price they did not see, and nobody buys at a price that ended, but where a payment holds it or has
 * paid it. A payment's beginning is the shopper's yes: the prices are proven anew and held for a while, because an order
 * that the provider's webhook places passes no other guard.
 *
 * A store's own checkout calls it before it begins a payment, or orders, by core's workflows: what is answered has to be shown
 * to the shopper, whose next try names it in `acknowledged`.
 *
 * @param cart its id, or its payment collection's
 * @returns null where nothing has to be asked
 * @throws SvcRefusal as `changeCart`
 */
export async function guardCart(
  container: MedusaContainer,
  cart: string | { paymentCollectionId: string },
  occasion: Asked["occasion"],
  { acknowledged = [] }: { acknowledged?: Asked["acknowledged"] } = {},
): Promise<Question> {
  const glance = await container.resolve(SVC_MODULE).cart.situations.glance(cart)
  if (!glance?.concerns) return null
  const { cartId, now, hasPaid } = glance
  try {
    const before = await totalsOf(container, cartId)
    if (occasion === "order" && hasPaid && (await isPaid(container, cartId, before.total))) {
      return null
    }
    // A process that died after changing a line, be it for the shopper, has not updated what is to be paid, nor has core where
    // its `POST /store/carts/:id/taxes` or its workflows of credit lines change what the cart costs: that is done now, or
    // the old amount would be paid.
    const isOutdated = before.toPay !== null && !isSameAmount(before.toPay, before.total)
    const changed = await changeCart(container, {
      cart_id: cartId,
      intent: { occasion },
      totals_anew: isOutdated,
    })
    // Core ends the payments that are there before it begins another, which for one that was captured can only fail.
    if (occasion === "payment") await makeWayForAnother(container, changed)
    const { total } = changed.computed ? await totalsOf(container, cartId) : before
    const told = changed.untold
      ? await tell(container, cartId, { acknowledged, occasion, askedAt: now, total })
      : null
    // Discounts or shipping, computed anew: no line changed, and the page still shows what the cart cost before. Or its payment
    // was ended, and there is none to order with.
    const isOther = !isSameAmount(before.total, total)
    const needsPayment = occasion === "order" && changed.ended
    const another = isOther || needsPayment ? { cartId, lines: [], locale: changed.locale } : null
    return told ?? another
  } catch (error) {
    const code = refusalCode(error)
    // Core itself answers for a cart that is gone or completed already, the latter with its order.
    if (code === "not_found") return null
    if (code === "cart_completed") {
      // For another payment core would cancel the one that the order was placed with, and open a second that has no order.
      if (occasion === "payment" && (await wasPaid(container, cartId))) throw error
      return null
    }
    // A payment was made: the order is placed at what was paid. Another payment is refused, for core would begin it at a
    // price that is over, and end the one that was made.
    if (code === "payment_under_way" && occasion === "order") return null
    throw error
  }
}

/** What is still to be told, after what the shopper has agreed to is set aside. */
async function tell(
  container: MedusaContainer,
  cartId: string,
  request: Asked & { askedAt: number; total: number },
): Promise<Question> {
  const { records, situations } = container.resolve(SVC_MODULE).cart
  const { acknowledged, askedAt, occasion, total } = request
  const situation = await situations.read({ cartId })
  if (!situation) return null
  const agreed = agreedChanges(situation, {
    acknowledged,
    askedAt,
    beginsPayment: occasion === "payment",
    nothingToPay: situation.payment.sessions.length === 0 && total <= 0,
  })
  const lines = untoldChanges(situation)
  const open = lines.filter(({ id }) => !agreed.has(id))
  const isOpen = new Set(open.map(({ id }) => id))
  // Also those that were undone meanwhile: nobody has to be told of them any more.
  await records.noteChanges(
    "told_at",
    situation.changes.flatMap(({ id }) => (isOpen.has(id) ? [] : [id])),
  )
  return open.length === 0 ? null : { cartId, lines: open, locale: situation.cart.locale }
}

/**
 * Whether an order was placed with a payment, be it one that was cancelled with it, or that comes later (a bank transfer).
 * An order that cost nothing was not: what it costs after an edit is paid with the same collection.
 */
async function wasPaid(container: MedusaContainer, cartId: string): Promise<boolean> {
  const situation = await container.resolve(SVC_MODULE).cart.situations.read({ cartId })
  const statuses = ["authorized", "captured", "canceled", "refunding", "pending_authorization"]
  return situation?.payment.sessions.some(({ status }) => statuses.includes(status)) ?? false
}

/** Whether a payment was authorised or captured for exactly what the cart costs: the shopper's yes to its prices. */
async function isPaid(container: MedusaContainer, cartId: string, total: number): Promise<boolean> {
  const situation = await container.resolve(SVC_MODULE).cart.situations.read({ cartId })
  if (!situation) return false
  const { cart, payment } = situation
  // Core orders with the first of a cart's sessions, and that may be one whose payment was cancelled.
  if (cancelledSessions(payment).length > 0) return false
  return paidSession(payment, { total, currency: cart.currency }) !== null
}

/** What a cart costs, and what its payment collection asks for; null: there is none. */
type Totals = { total: number; toPay: number | null }

async function totalsOf(container: MedusaContainer, cartId: string): Promise<Totals> {
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "cart",
    fields: ["id", "total", "payment_collection.amount"],
    filters: { id: cartId },
  })
  const amount = data[0]?.payment_collection?.amount
  return {
    total: MathBN.convert(data[0]?.total ?? 0).toNumber(),
    toPay: amount === undefined ? null : MathBN.convert(amount).toNumber(),
  }
}

/** The changes that were answered have arrived, as far as a server can know. */
export async function changesAnswered(
  container: MedusaContainer,
  lines: { id: string }[],
): Promise<void> {
  const ids = lines.map(({ id }) => id)
  await container.resolve(SVC_MODULE).cart.records.noteChanges("answered_at", ids)
}

/** Every line that changed since a shopper was last told, for answers that show the cart anyway. */
export async function readUntoldChanges(
  container: MedusaContainer,
  cartId: string,
): Promise<ChangedLine[]> {
  const situation = await container.resolve(SVC_MODULE).cart.situations.read({ cartId })
  return situation ? untoldChanges(situation) : []
}
