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
import { refuseWhereCaptured } from "./payment-status"

/** What a shopper has to be asked about first; without lines: the total alone. Null: nothing, go on. */
export type Question = { cartId: string; lines: ChangedLine[]; locale: string | null } | null

/** Ids of changes that the storefront says it has shown; null where it does not say. */
export type Acknowledged = ReadonlySet<string> | null

/**
 * To be asked before a cart is ordered: a campaign's line that no longer holds as it is (its price, its tax basis, its
 * quantity, its market) is priced again, and the shopper has to be told. So nobody pays a price they did not see, and
 * nobody buys at a price that ended, but where a payment holds it or has paid it.
 */
export async function askBeforeOrder(
  container: MedusaContainer,
  cartId: string,
  request: { acknowledged: Acknowledged },
): Promise<Question> {
  const glance = await container.resolve(SVC_MODULE).cart.situations.glanceAtOrder(cartId)
  if (!glance.concerns) return null
  if (glance.hasPaid && (await isPaid(container, cartId))) return null
  return ask(container, glance, { ...request, occasion: "order" })
}

/**
 * To be asked before a payment begins, with any provider: its beginning is the shopper's yes. The prices are proven anew
 * and held for a while; an order that the provider's webhook places passes no other guard.
 */
export async function askBeforePayment(
  container: MedusaContainer,
  paymentCollectionId: string,
  request: { acknowledged: Acknowledged },
): Promise<Question> {
  const { situations } = container.resolve(SVC_MODULE).cart
  const glance = await situations.glanceAtPayment(paymentCollectionId)
  return glance?.concerns ? ask(container, glance, { ...request, occasion: "payment" }) : null
}

type Asked = { acknowledged: Acknowledged; occasion: "order" | "payment" }

async function ask(
  container: MedusaContainer,
  { cartId, now }: { cartId: string; now: number },
  request: Asked,
): Promise<Question> {
  const { occasion } = request
  try {
    const before = await totalsOf(container, cartId)
    const first = await changeCart(container, { cart_id: cartId, intent: { occasion } })
    // Core ends the payments that are there before it begins another, which for one that was captured can only fail.
    if (occasion === "payment") await refuseWhereCaptured(container, first.payments)
    const { total, untold, ended } = await setTotalsRight(
      container,
      cartId,
      occasion,
      first.computed ? await totalsOf(container, cartId) : before,
    )
    const told =
      first.untold || untold
        ? await tell(container, cartId, { ...request, askedAt: now, total })
        : null
    // Discounts or shipping, computed anew: no line changed, and the page still shows what the cart cost before. Or its payment
    // was ended, and there is none to order with.
    const isOther = !isSameAmount(before.total, total)
    const needsPayment = occasion === "order" && (first.ended || ended)
    const another = isOther || needsPayment ? { cartId, lines: [], locale: first.locale } : null
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

/**
 * The same for a store's own checkout, which knows the cart. To be called before it begins a payment, or orders, by core's
 * workflows: what is answered has to be shown to the shopper, whose next try names it in `acknowledged`.
 *
 * @returns null where nothing has to be asked
 * @throws SvcRefusal as `changeCart`
 */
export async function guardCart(
  container: MedusaContainer,
  cartId: string,
  occasion: "order" | "payment",
  { acknowledged = [] }: { acknowledged?: readonly string[] } = {},
): Promise<Question> {
  const request = { acknowledged: new Set(acknowledged) }
  if (occasion === "order") return askBeforeOrder(container, cartId, request)
  const glance = await container.resolve(SVC_MODULE).cart.situations.glanceAtOrder(cartId)
  return glance.concerns ? ask(container, glance, { ...request, occasion }) : null
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
 * Whether an order was placed with a payment, be it one that was cancelled with it, or that comes later (a bank transfer). An order that cost nothing was not: what
 * it costs after an edit is paid with the same collection.
 */
async function wasPaid(container: MedusaContainer, cartId: string): Promise<boolean> {
  const situation = await container.resolve(SVC_MODULE).cart.situations.read({ cartId })
  const statuses = ["authorized", "captured", "canceled", "pending_authorization"]
  return situation?.payment.sessions.some(({ status }) => statuses.includes(status)) ?? false
}

/** Whether a payment was authorised or captured for exactly what the cart costs: the shopper's yes to its prices. */
async function isPaid(container: MedusaContainer, cartId: string): Promise<boolean> {
  const situation = await container.resolve(SVC_MODULE).cart.situations.read({ cartId })
  if (!situation) return false
  const { cart, payment } = situation
  // Core orders with the first of a cart's sessions, and that may be one whose payment was cancelled.
  if (cancelledSessions(payment).length > 0) return false
  const { total } = await totalsOf(container, cartId)
  const due = { total, currency: cart.currency }
  return paidSession(payment, due) !== null
}

/**
 * A process that died after changing a line, be it for the shopper, has not updated what is to be paid, nor has core where its
 * `POST /store/carts/:id/taxes` or its workflows of credit lines change what the cart costs: that is done now, or the old amount
 * would be paid.
 *
 * @returns what the cart costs then, whether a payment was ended, and whether a change was met that the shopper has not been
 * told of
 */
async function setTotalsRight(
  container: MedusaContainer,
  cartId: string,
  occasion: Asked["occasion"],
  { total, toPay }: Totals,
): Promise<{ total: number; untold: boolean; ended: boolean }> {
  if (toPay === null || isSameAmount(toPay, total)) return { total, untold: false, ended: false }
  const { untold, ended } = await changeCart(container, {
    cart_id: cartId,
    intent: { occasion },
    totals_anew: true,
  })
  return { total: (await totalsOf(container, cartId)).total, untold, ended }
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
