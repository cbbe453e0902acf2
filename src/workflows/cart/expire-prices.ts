import type { MedusaContainer } from "@medusajs/framework/types"
import { CartWorkflowEvents, ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { refusalCode, SVC_MODULE, type SvcModuleService } from "../../modules/svc"
import { whyNotSold } from "../../modules/svc/cart/campaign-offer"
import { type CartPlan, isIdle, planCart } from "../../modules/svc/cart/plan"
import type { CatalogPrice } from "../../modules/svc/cart/price-policy"
import type { CartSituation } from "../../modules/svc/cart/situation"
import { messageOf } from "../../modules/svc/shared/error-message"
import { announceCart } from "./announce-cart"
import { changeCart } from "./change-cart"
import { refreshTotalsWorkflow } from "./lock-cart"
import { readCatalogPrices } from "./read-catalog-prices"
import { settleOrderedCart } from "./settle-order"

/** Carts that are locked and written together: few enough that a shopper waits for none of them noticeably. */
const BATCH = 20
/** The job comes each minute; what is left then is taken up. */
const MOST_MS = 50_000
/** What every kind of work has at least, however long the one before it took. */
const LEAST_MS = 4_000

type OpenOffer = Awaited<ReturnType<SvcModuleService["expiringCarts"]["openOffers"]>>[number]

const JOB = { occasion: "job" } as const
const ABANDONED = { occasion: "abandoned" } as const
type Unasked = typeof JOB | typeof ABANDONED

/**
 * Puts the lines of shows that are over back to the catalog price, and proves anew what could still be paid at a price
 * whose time is over. A show's end is the moment of most baskets, so lines are written by the batch: a basket by itself
 * costs core's whole computation of totals.
 *
 * @returns how many carts were changed
 */
export async function expirePrices(container: MedusaContainer): Promise<number> {
  const until = Date.now() + MOST_MS
  const changed = await expireOffers(container, until)
  await proveStalePayments(container, Math.max(until, Date.now() + LEAST_MS))
  await computeTotals(container, Math.max(until, Date.now() + LEAST_MS))
  return changed
}

async function expireOffers(container: MedusaContainer, until: number): Promise<number> {
  const { expiringCarts } = container.resolve(SVC_MODULE)
  const ended = await endedOffers(container)
  const isAutomatic = await expiringCarts.hasAutomaticPromotions()
  let changed = 0
  let after = takeUp("ended offers")
  for (; Date.now() < until; ) {
    const carts = await expiringCarts.cartsOf(ended, after, BATCH)
    const last = carts.at(-1)
    if (!last) return changed
    after = last.cartId
    for (const { cartId } of carts.filter(({ closed }) => closed)) {
      await closeCart(container, cartId)
    }
    const open = carts.filter(({ closed }) => !closed)
    for (const { cartId } of open.filter(({ hasSessions }) => hasSessions)) {
      changed += await changeOne(container, cartId)
    }
    const simple = open.filter(({ hasSessions }) => !hasSessions).map(({ cartId }) => cartId)
    changed += await changeTogether(container, simple, isAutomatic)
  }
  stoppedAfter.set("ended offers", after)
  return changed
}

/** Which of the offers that open carts have lines of do not sell any more: by the one rule of gap 21. */
async function endedOffers(container: MedusaContainer): Promise<OpenOffer[]> {
  const { expiringCarts } = container.resolve(SVC_MODULE)
  const offers = await expiringCarts.openOffers()
  const { events, products } = await expiringCarts.knownOf([
    ...new Set(offers.map(({ campaignUid }) => campaignUid)),
  ])
  const now = Date.now()
  return offers.filter(
    (offer) => offer.disconnected || whyNotSold({ events, products, now }, offer, offer) !== null,
  )
}

/** The cart was ordered and nobody settled it, or it is gone. */
async function closeCart(container: MedusaContainer, cartId: string): Promise<void> {
  await settleOrderedCart(container, cartId)
  await container.resolve(SVC_MODULE).linePrices.close([cartId])
}

/** Plans many carts under their locks and writes them in one statement; those that need more are left to a workflow each. */
async function changeTogether(
  container: MedusaContainer,
  cartIds: string[],
  isAutomatic: boolean,
  intent: Unasked = JOB,
): Promise<number> {
  const svc = container.resolve(SVC_MODULE)
  const locking = container.resolve(Modules.LOCKING)
  const locked: string[] = []
  const others: string[] = []
  const plans: { cartId: string; plan: CartPlan }[] = []
  try {
    for (const cartId of cartIds) {
      // Busy: its shopper is at it just now, and the next minute is early enough.
      const taken = await locking.acquire(cartId, { expire: 10 }).then(
        () => true,
        () => false,
      )
      if (taken) locked.push(cartId)
    }
    const catalog = new CatalogPrices(container)
    const totals = new Map(
      (await svc.expiringCarts.totalsOf(locked)).map((each) => [each.cartId, each]),
    )
    for (const cartId of locked) {
      // Its shopper has begun to pay since: the payment has to be ended first.
      if (totals.get(cartId)?.hasSessions) {
        others.push(cartId)
        continue
      }
      const situation = await svc.cartSituations.read({ cartId })
      if (!situation || situation.cart.completedAt !== null) continue
      const plan = await planUnasked(svc, situation, intent, catalog)
      if (isIdle(plan)) continue
      if (isOnlyPrices(plan)) plans.push({ cartId, plan })
      else others.push(cartId)
    }
    if (plans.length > 0) {
      await svc.expiringCarts.apply(
        plans,
        (cartId) => isAutomatic || (totals.get(cartId)?.hasTotals ?? true),
      )
    }
  } finally {
    for (const cartId of locked) await locking.release(cartId)
  }
  for (const { cartId, plan } of plans) {
    await announceCart(container, cartId, intent, plan, { cartUpdated: CartWorkflowEvents.UPDATED })
  }
  let changed = plans.length
  for (const cartId of others) changed += await changeOne(container, cartId, intent)
  return changed
}

/**
 * Puts lines at a show's price back to the catalog price in carts whose records are about to be forgotten.
 * @param before carts that met the service last before this moment
 */
export async function returnAbandonedCarts(
  container: MedusaContainer,
  before: Date,
): Promise<void> {
  const { expiringCarts, metCarts } = container.resolve(SVC_MODULE)
  const isAutomatic = await expiringCarts.hasAutomaticPromotions()
  for (let after = ""; ; ) {
    const carts = await metCarts.abandoned(before, after, BATCH)
    const last = carts.at(-1)
    if (last === undefined) return
    after = last
    await changeTogether(container, carts, isAutomatic, ABANDONED)
  }
}

/** Lines that would need a lookup stay as they are: they are due when somebody wants to order them. */
async function planUnasked(
  svc: SvcModuleService,
  situation: CartSituation,
  intent: Unasked,
  catalog: CatalogPrices,
): Promise<CartPlan> {
  const asked = planCart(situation, intent, svc.pricePolicy, {
    prices: new Map(),
    catalog: new Map(),
  })
  if (asked.needs.catalog.length === 0) return asked
  const prices = await catalog.read(situation, asked.needs.catalog)
  return planCart(situation, intent, svc.pricePolicy, { prices: new Map(), catalog: prices })
}

const isOnlyPrices = (plan: CartPlan): boolean =>
  plan.restore.length + plan.remove.length + plan.add.length + plan.proofs.length === 0 &&
  plan.update.every(
    ({ columns }) =>
      columns.quantity === undefined &&
      columns.unitPrice !== undefined &&
      columns.campaignUid !== "",
  )

/** Catalog prices of one batch: carts of one market and one group of customers pay the same. */
class CatalogPrices {
  readonly #known = new Map<string, Map<string, CatalogPrice | null>>()

  constructor(private readonly container: MedusaContainer) {}

  async read(
    situation: CartSituation,
    questions: CartPlan["needs"]["catalog"],
  ): Promise<Map<string, CatalogPrice | null>> {
    const { id: _cart, ...context } = situation.cart.pricing
    const key = JSON.stringify([context, questions])
    const known =
      this.#known.get(key) ?? (await readCatalogPrices(this.container, situation, questions))
    this.#known.set(key, known)
    return known
  }
}

/** @returns 1 where the cart was changed */
async function changeOne(
  container: MedusaContainer,
  cartId: string,
  intent: Unasked = JOB,
): Promise<number> {
  const svc = container.resolve(SVC_MODULE)
  try {
    const { changed } = await changeCart(container, { cart_id: cartId, intent })
    return changed > 0 ? 1 : 0
  } catch (error) {
    if (refusalCode(error) === "payment_under_way") {
      await svc.expiringCarts.holdWhilePaid(cartId, svc.pricePolicy.paymentHoldMs)
    }
    // One cart that cannot be priced (locked, or its payment cannot be ended) does not hold up the others.
    const reason = messageOf(error)
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .warn(`svc: cart ${cartId} keeps its show price for now: ${reason}`)
    return 0
  }
}

/** Payments that were begun at a price whose time is over must not be paid any more, unless it is the price still. */
async function proveStalePayments(container: MedusaContainer, until: number): Promise<void> {
  const { expiringCarts } = container.resolve(SVC_MODULE)
  await eachCart(
    "stale payments",
    (after) => expiringCarts.cartsWithStalePayments(after, BATCH),
    (cartId) => changeOne(container, cartId),
    until,
  )
}

/** Totals that core has to compute since lines were written by the batch; also of a process that died in between. */
async function computeTotals(container: MedusaContainer, until: number): Promise<void> {
  const { expiringCarts } = container.resolve(SVC_MODULE)
  await eachCart(
    "pending totals",
    (after) => expiringCarts.cartsWithPendingTotals(after, BATCH),
    (cartId) => computeTotalsOf(container, cartId),
    until,
  )
}

async function computeTotalsOf(container: MedusaContainer, cartId: string): Promise<void> {
  try {
    await refreshTotalsWorkflow(container).run({ input: cartId })
    await container.resolve(SVC_MODULE).priceChanges.totalsComputed(cartId)
  } catch (error) {
    const reason = messageOf(error)
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .warn(`svc: the totals of cart ${cartId} are computed later: ${reason}`)
  }
}

/** The last cart of each kind of work that ran out of time. */
const stoppedAfter = new Map<string, string>()

/** The cart after which to go on; the pass that asks is the only one that does. */
function takeUp(name: string): string {
  const after = stoppedAfter.get(name) ?? ""
  stoppedAfter.delete(name)
  return after
}

/**
 * Works on carts by their id, page after page, so that carts that fail each time hold up no other. Where its time is over,
 * the next pass of this process goes on behind the cart that it came to.
 *
 * @param page carts after an id, in the order of their ids
 * @param work of a cart; throws nothing
 */
async function eachCart(
  name: string,
  page: (after: string) => Promise<string[]>,
  work: (cartId: string) => Promise<unknown>,
  until: number,
): Promise<void> {
  let after = takeUp(name)
  for (;;) {
    const carts = await page(after)
    if (carts.length === 0) return
    for (const cartId of carts) {
      if (Date.now() >= until) {
        stoppedAfter.set(name, after)
        return
      }
      await work(cartId)
      after = cartId
    }
  }
}
