import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { refusalCode, SVC_MODULE, type SvcModuleService } from "../../modules/svc"
import { whyNotSold } from "../../modules/svc/cart"
import { copyOf } from "../../modules/svc/shared/copy-of"
import { messageOf } from "../../modules/svc/shared/error-message"
import { changeCart } from "./change-cart"
import { type KeptPayment, keptPayments } from "./payment-status"

/** Carts that are read at a time. */
const PAGE = 20
/** Carts that are changed at a time: few, because the shoppers of a show use the same database. */
const AT_ONCE = 3
/** The job comes each minute; what is left then is taken up. */
const MOST_MS = 50_000
/** Of it, for payments that could still be made at a price whose time is over: they come first, and leave time for the rest. */
const STALE_MOST_MS = 20_000
/** How long a payment that was made is left alone before its provider is asked again: its order is on its way. */
const ORDER_COMES_MS = 15 * 60_000

type OpenOffer = Awaited<ReturnType<SvcModuleService["cart"]["expiring"]["openOffers"]>>[number]

type Unasked = "job" | "abandoned"

/**
 * Puts the lines of shows that are over back to the catalog price, and proves anew what could still be paid at a price
 * whose time is over. Each cart is changed as any other change of it is, a few at a time; what is left when the minute is
 * over is taken up in the next. A line that waits costs nobody anything: every action, payment and order proves it first. But
 * a payment that was begun passes no guard any more, so those are first, however many baskets a show leaves behind.
 *
 * @returns how many carts were changed
 */
export async function expirePrices(container: MedusaContainer): Promise<number> {
  const { expiring } = container.resolve(SVC_MODULE).cart
  const startedAt = Date.now()
  await expiring.closeGone()
  const stale = await changeEach(container, {
    name: "stale payments",
    occasion: "job",
    page: (after) => expiring.cartsWithStalePayments(after, PAGE),
    until: startedAt + STALE_MOST_MS,
  })
  const ended = await endedOffers(container)
  const over = await changeEach(container, {
    name: "ended shows",
    occasion: "job",
    page: (after) => expiring.cartsOf(ended, after, PAGE),
    until: startedAt + MOST_MS,
  })
  return stale + over
}

/**
 * Restores a cart's campaign lines where other code changed its region by core's own workflow, which deletes them. The
 * route that shoppers use does so before it answers (`keepCampaignLines`). What cannot be done now, the minute's job does.
 */
export async function restoreDroppedLines(
  container: MedusaContainer,
  cartId: string,
): Promise<void> {
  const { movingLines } = container.resolve(SVC_MODULE).cart
  if (await movingLines.markDropped(cartId)) await changeUnasked(container, cartId, "job")
}

/** Baskets that are named at a time: a shop that is left has few that were paid and never ordered. */
const MOST_PAID = 1_000
/** Of which the providers are asked at a time: whoever waits for the answer gives up after some minutes. */
const ASKED_AT_ONCE = 10

export type PaidCart = { cart_id: string; payments: KeptPayment[] }

/**
 * Open carts at a show's price that a payment was made for, or may have been: no job changes them, and where their order
 * never comes they stay so for ever.
 */
export async function readPaidCarts(container: MedusaContainer): Promise<PaidCart[]> {
  const begun = await container.resolve(SVC_MODULE).cart.expiring.openWithPayments(MOST_PAID)
  const paid: PaidCart[] = []
  for (let at = 0; at < begun.length; at += ASKED_AT_ONCE) {
    const few = begun.slice(at, at + ASKED_AT_ONCE)
    const asked = await Promise.all(
      few.map(async ({ cartId, sessionIds }) => ({
        cart_id: cartId,
        payments: await keptPayments(container, sessionIds),
      })),
    )
    paid.push(...asked.filter(({ payments }) => payments.length > 0))
  }
  return paid
}

/** Which of the offers that open carts have lines of do not sell any more: by the one rule of gap 21. */
async function endedOffers(container: MedusaContainer): Promise<OpenOffer[]> {
  const { expiring } = container.resolve(SVC_MODULE).cart
  const offers = await expiring.openOffers()
  const { events, products } = await expiring.knownOf([
    ...new Set(offers.map(({ campaignUid }) => campaignUid)),
  ])
  return offers.filter(
    (offer) => offer.disconnected || whyNotSold({ events, products }, offer, offer) !== null,
  )
}

/**
 * Puts lines at a show's price back to the catalog price in carts whose records are about to be forgotten.
 * @param before carts that met the service last before this moment
 */
export async function returnAbandonedCarts(
  container: MedusaContainer,
  before: Date,
): Promise<void> {
  const { metCarts } = container.resolve(SVC_MODULE).orders
  await changeEach(container, {
    name: "abandoned baskets",
    occasion: "abandoned",
    page: (after) => metCarts.abandoned(before, after, PAGE),
    until: Number.POSITIVE_INFINITY,
  })
}

/** Whether a cart was changed that nobody has asked to change. */
async function changeUnasked(
  container: MedusaContainer,
  cartId: string,
  occasion: Unasked,
): Promise<boolean> {
  try {
    const { changed } = await changeCart(container, { cart_id: cartId, intent: { occasion } })
    return changed > 0
  } catch (error) {
    const code = refusalCode(error)
    // It was ordered or cleaned away since it was found.
    if (code === "cart_completed" || code === "not_found") return false
    if (code === "payment_under_way") {
      const { expiring } = container.resolve(SVC_MODULE).cart
      await expiring.holdWhilePaid(cartId, ORDER_COMES_MS)
      return false
    }
    // One cart that cannot be priced (locked, or a provider is away) does not hold up the others.
    const reason = messageOf(error)
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .warn(`svc: cart ${cartId} keeps its show price for now: ${reason}`)
    return false
  }
}

/** The last cart that each pass came to when it ran out of time. */
const stoppedAfter = new Map<string, string>()

type Pass = {
  name: string
  occasion: Unasked
  /** Carts after an id, in the order of their ids. */
  page: (after: string) => Promise<string[]>
  until: number
}

/**
 * Changes carts by their id, page after page, so that carts that fail each time hold up no other. Where its time is over,
 * the next pass of that name in this process goes on behind the cart that it came to. A copy's baskets are left alone: it
 * asks for no price by itself, and the account at the payment's provider may be the original's.
 *
 * @returns how many were changed
 */
async function changeEach(
  container: MedusaContainer,
  { name, occasion, page, until }: Pass,
): Promise<number> {
  const svc = container.resolve(SVC_MODULE)
  const copies = (await svc.listSvcConnections({}, { select: ["id", "store_host"], take: null }))
    .filter((one) => copyOf(one, svc.options.backendUrl) !== null)
    .map(({ id }) => id)
  let after = stoppedAfter.get(name) ?? ""
  stoppedAfter.delete(name)
  let changed = 0
  for (;;) {
    const carts = await page(after)
    const ofCopies = await svc.cart.expiring.of(copies, carts)
    for (let at = 0; at < carts.length; at += AT_ONCE) {
      if (Date.now() >= until) {
        stoppedAfter.set(name, after)
        return changed
      }
      const few = carts.slice(at, at + AT_ONCE)
      const due = few.filter((id) => !ofCopies.has(id))
      const each = await Promise.all(due.map((id) => changeUnasked(container, id, occasion)))
      changed += each.filter(Boolean).length
      after = few.at(-1) ?? after
    }
    if (carts.length === 0) return changed
  }
}
