import type { MedusaContainer } from "@medusajs/framework/types"
import {
  CartWorkflowEvents,
  ContainerRegistrationKeys,
  MedusaError,
  Modules,
} from "@medusajs/framework/utils"
import {
  createHook,
  createStep,
  createWorkflow,
  StepResponse,
  transform,
  WorkflowResponse,
  when,
} from "@medusajs/framework/workflows-sdk"
import {
  addToCartWorkflow,
  deleteLineItemsStep,
  refreshCartItemsWorkflow,
  updateLineItemsStep,
  updateTaxLinesWorkflow,
} from "@medusajs/medusa/core-flows"
import { SVC_MODULE, SvcRefusal } from "../../modules/svc"
import {
  type Answers,
  type CartAccess,
  type CartPlan,
  type CartSituation,
  cancelledSessions,
  changesLines,
  changesTotals,
  type FailedProduct,
  type Intent,
  isAnswered,
  isCampaignLine,
  isIdle,
  isPayingBack,
  isSameAmount,
  livingSessions,
  planCart,
  refused,
} from "../../modules/svc/cart"
import { announceCart, asAdded } from "./announce-cart"
import { CartLock } from "./lock-cart"
import { lookUpPrices, recallPrices } from "./look-up-prices"
import { endOpenPayments, removeSessions } from "./payment-status"
import { readCatalogPrices } from "./read-catalog-prices"
import { readSituation } from "./read-situation"
import { readCartTaxRates } from "./read-tax-rates"

export type ChangeCartInput = {
  cart_id: string
  intent: Intent
  /** Who asks; anybody, where a store's own code does. */
  access?: CartAccess | undefined
  /** Core has to compute the cart's totals anew, also where no line changes. Its tax lines stay as they are. */
  totals_anew?: boolean
  /** The promotions that the cart is to have, where core computes its totals anew; absent: those that it has. */
  promo_codes?: string[] | undefined
}

/** How a change went. */
export type ChangedCart = {
  failed: FailedProduct[]
  /** Products of the action that were put in, changed or taken out. */
  done: number
  /** Lines that are not what the shopper saw. */
  changed: number
  /** Some change has not been told yet, of now or of earlier. */
  untold: boolean
  /** Payment sessions that shoppers may have paid with, or may still. */
  payments: string[]
  /** Core computed anew what the cart costs. */
  computed: boolean
  /** Payments that had begun were ended; what the cart costs may still be the same. */
  ended: boolean
  locale: string | null
  /** The lock ended before the change did: another request may have overwritten it. */
  overtaken?: boolean
}

/** What follows from one price may need another, and the cart may move meanwhile; more than that would be a circle. */
const MOST_ROUNDS = 10

type Planned = Awaited<ReturnType<typeof decide>>

/**
 * Plans from the cart as it is under its lock, and records what has to be known before the lines change. What only the service
 * or a payment's provider can say is asked while nobody holds the lock, and then the cart is read anew: another tab may
 * have changed it, or begun a payment.
 *
 * @param shopper is told the cart's locale, for the sentence of a refusal
 * @throws SvcRefusal as `changeCart`
 */
async function decide(
  container: MedusaContainer,
  input: ChangeCartInput,
  lock: CartLock,
  shopper: { locale: string | null },
) {
  const { cart_id, intent, access, totals_anew = false } = input
  const answers: Answers = { prices: {}, catalog: {}, taxRates: {} }
  const { pricePolicy, records } = container.resolve(SVC_MODULE).cart
  let askedFor = ""
  let ended = false
  let situation: CartSituation | null = null
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (lock.ownerId === null) {
      // Before most orders there is nothing to change, and the same shopper's first click may hold the lock until the card
      // company has answered.
      if (round > 0 || intent.occasion !== "order") await lock.take()
      situation = null
    }
    situation ??= await readSituation(container, cart_id, intent, access)
    shopper.locale = situation.cart.locale
    if (isPayingBack(situation.payment)) throw refused("cart_busy")
    const cancelled = cancelledSessions(situation.payment)
    // They go before anything else.
    if (cancelled.length > 0) {
      await removeSessions(container, cancelled)
      situation = null
      continue
    }
    // In another region, or for another customer, the store charges and taxes other amounts.
    const { pricing, taxing } = situation.cart
    const market = JSON.stringify([pricing, taxing])
    if (market !== askedFor) Object.assign(answers, { catalog: {}, taxRates: {} })
    askedFor = market
    const plan = planCart(situation, intent, pricePolicy(), answers)
    if (!isAnswered(plan.needs)) {
      const { needs } = plan
      // With a price that a crowd has just asked for the lock may be kept: nobody is called.
      const recalled = await recallPrices(container, needs.prices)
      const isKnown = Object.keys(recalled).length === needs.prices.length
      if (!isKnown) await lock.giveBack()
      const [prices, catalog, taxRates] = await Promise.all([
        isKnown ? recalled : lookUpPrices(container, situation, needs.prices, cart_id),
        readCatalogPrices(container, situation, needs.catalog),
        readCartTaxRates(container, situation.cart, needs.taxRates),
      ])
      Object.assign(answers.prices, prices)
      Object.assign(answers.catalog, catalog)
      Object.assign(answers.taxRates, taxRates)
      continue
    }
    const taxes = taxesAnew(plan, situation)
    const payments = livingSessions(situation.payment).map(({ id }) => id)
    // Set right where the shopper sees the cart afterwards: whoever pays, pays what their page shows.
    const isShown = intent.occasion !== "order" && intent.occasion !== "payment"
    const leftOld = situation.hasOldDiscounts && payments.length === 0 && isShown
    // What the cart costs may be another, so core has to compute it anew. Never where it cannot be: core reads shipping and
    // promotions anew with it, and a total that differs for their sake ends a payment that was made.
    const totalsAnew = totals_anew || taxes || leftOld || changesTotals(plan, situation)
    // Begun for a total that we are about to change, be it by the shopper's own tap. Core would end them itself, after the
    // lines have changed and without asking whether the shopper has confirmed one of them.
    if (payments.length > 0 && (totalsAnew || isForAnother(situation.payment, intent))) {
      await lock.giveBack()
      await endOpenPayments(container, payments)
      ended = true
      continue
    }
    const result: ChangedCart = {
      failed: plan.failed,
      done: plan.done,
      changed: plan.changes.length,
      untold: plan.changes.length + situation.changes.length > 0,
      payments,
      computed: totalsAnew,
      ended,
      locale: situation.cart.locale,
    }
    const anew = { taxesAnew: taxes, totalsAnew }
    if (isIdle(plan) && !totalsAnew) {
      await lock.giveBack()
      // Nothing is recorded then, but a merchant may want to know what was refused.
      await announceCart(container, cart_id, intent, plan, { cartUpdated: null })
      // Without an owner: nothing is to be written, and the cart is not locked.
      return { plan, result, ...anew, lockOwner: null, before: null }
    }
    if (lock.ownerId === null) continue
    // The order number as it was, where one is recorded.
    const before = await records.before(cart_id, plan)
    if (before === false) {
      throw refused("cart_completed", plan.number ? { order_no: plan.number.orderNo } : {})
    }
    return { plan, result, ...anew, lockOwner: lock.ownerId, before }
  }
  throw refused("cart_busy")
}

/**
 * Whether tax lines have to be computed anew. Never for the totals alone: where a region has no automatic taxes, core then
 * takes every tax line away that the store has asked for.
 *
 * Lines are restored, so that their tax lines are those of the region that they come from; or a process died after it had
 * restored or added lines, and before it wrote down their prices in this region.
 */
const taxesAnew = (plan: CartPlan, { lines, cart }: CartSituation): boolean =>
  plan.restore.length > 0 ||
  (!isIdle(plan) &&
    lines.some((line) => isCampaignLine(line) && line.proof?.regionId !== cart.regionId))

/**
 * Whether a payment was begun for another amount, or in another currency, than is to be paid: core begins one without the cart's lock, in which another
 * tab changes it meanwhile; and it ends one while it writes the new amount, so that a process that dies in between leaves it.
 * At an order core takes what the payment was begun for; for another payment it ends it itself.
 */
const isForAnother = (payment: CartSituation["payment"], { occasion }: Intent): boolean =>
  occasion === "order" &&
  livingSessions(payment).some(({ amount, currency }) => {
    const toPay = payment.collection ?? { amount, currency }
    return currency !== toPay.currency || !isSameAmount(amount, toPay.amount)
  })

const planStep = createStep(
  "svc-plan-cart",
  async (input: ChangeCartInput, { container, parentStepIdempotencyKey }) => {
    const lock = new CartLock(container, input.cart_id, Boolean(parentStepIdempotencyKey))
    const shopper: { locale: string | null } = { locale: null }
    try {
      const planned = await decide(container, input, lock, shopper)
      const { before, lockOwner } = planned
      return new StepResponse(planned, { cartId: input.cart_id, ownerId: lockOwner, before })
    } catch (error) {
      await lock.giveBack()
      if (error instanceof SvcRefusal) error.locale ??= shopper.locale
      throw error
    }
  },
  async (held, { container }) => {
    if (!held?.ownerId) return
    try {
      if (held.before) await container.resolve(SVC_MODULE).cart.records.takeBack(held.before)
    } finally {
      await container.resolve(Modules.LOCKING).release(held.cartId, { ownerId: held.ownerId })
    }
  },
)

/** Restores lines that core deleted. */
const restoreLinesStep = createStep(
  "svc-restore-lines",
  async (ids: string[], { container }) => {
    await container.resolve(Modules.CART).restoreLineItems(ids)
    return new StepResponse(null, ids)
  },
  async (ids, { container }) => {
    if (ids) await container.resolve(Modules.CART).softDeleteLineItems(ids)
  },
)

/**
 * Records where the prices came from, once the lines are as planned, tells a merchant's own code, and gives the lock back.
 *
 * @returns false where the lock had ended by then
 */
const recordStep = createStep(
  "svc-record-cart",
  async (
    { input, planned }: { input: ChangeCartInput; planned: Planned },
    { container, parentStepIdempotencyKey },
  ) => {
    const svc = container.resolve(SVC_MODULE)
    const { intent, cart_id } = input
    const { plan, lockOwner } = planned
    await svc.cart.records.after(cart_id, plan, svc.cart.pricePolicy().paymentHoldMs)
    await announceCart(container, cart_id, intent, plan, {
      // Core's own workflow that adds to a cart says so itself.
      cartUpdated: changesLines(plan) && plan.add.length === 0 ? CartWorkflowEvents.UPDATED : null,
    })
    // Inside another workflow the lock is that one's.
    const wasHeld =
      Boolean(parentStepIdempotencyKey) ||
      (await container.resolve(Modules.LOCKING).release(cart_id, { ownerId: lockOwner }))
    return new StepResponse(wasHeld)
  },
)

/** What the hook `validate` hears before a line changes; amounts are in major units, as the lines have them. */
const aboutTo = ({ cart_id, intent }: ChangeCartInput, plan: CartPlan) => ({
  cart_id,
  /** `action`: a shopper's, of the player. The others price again what is in the cart. */
  occasion: intent.occasion,
  campaign_uid: intent.occasion === "action" ? intent.action.campaignUid : null,
  added: plan.add.map(asAdded),
  /** Absent: as it is. */
  updated: plan.update.map(({ lineId, columns: { quantity, unit_price } }) => ({
    line_item_id: lineId,
    ...(quantity === undefined ? {} : { quantity }),
    ...(unit_price === undefined ? {} : { unit_price }),
  })),
  removed: plan.remove,
})

const some = ({ plan }: Planned, part: "restore" | "remove" | "update" | "add"): boolean =>
  plan[part].length > 0

/**
 * The one way in which a cart changes because of a show: a cart action, re-pricing, a change of region, the beginning of a
 * payment. The cart is locked, planned and changed; the lock is given back while we wait for the service or a payment's
 * provider. Where nothing has to change, nothing is written.
 *
 * The steps that change lines are core's and take themselves back. Of what is recorded before them the order number is taken
 * back last; a change that was not made is told only where it followed another one that nobody was told of.
 *
 * A process that dies halfway leaves lines that are due again, and tells the shopper of a change too many.
 *
 * A store's own rules for what the player may do are the hook `validate`: what it throws, the request answers.
 */
export const changeCartWorkflow = createWorkflow("svc-change-cart", (input: ChangeCartInput) => {
  const planned = planStep(input)
  const validate = createHook(
    "validate",
    transform({ input, planned }, ({ input, planned }) => aboutTo(input, planned.plan)),
  )
  when("svc-to-restore", { planned }, ({ planned }) => some(planned, "restore")).then(() => {
    restoreLinesStep(transform({ planned }, ({ planned }) => planned.plan.restore))
  })
  when("svc-to-remove", { planned }, ({ planned }) => some(planned, "remove")).then(() => {
    deleteLineItemsStep(transform({ planned }, ({ planned }) => planned.plan.remove))
  })
  when("svc-to-update", { planned }, ({ planned }) => some(planned, "update")).then(() => {
    updateLineItemsStep({
      id: input.cart_id,
      items: transform({ planned }, ({ planned }) =>
        planned.plan.update.map(({ lineId, columns }) => ({ id: lineId, ...columns })),
      ),
    })
  })
  when("svc-to-tax", { planned }, ({ planned }) => planned.taxesAnew).then(() => {
    updateTaxLinesWorkflow.runAsStep({ input: { cart_id: input.cart_id } })
  })
  when("svc-to-add", { planned }, ({ planned }) => some(planned, "add")).then(() => {
    addToCartWorkflow.runAsStep({
      input: transform({ input, planned }, ({ input, planned }) => ({
        cart_id: input.cart_id,
        items: planned.plan.add.map(({ variantId, quantity, metadata, unitPrice, custom }) => ({
          variant_id: variantId,
          quantity,
          ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
          ...(custom ? { unit_price: unitPrice, ...custom } : {}),
        })),
      })),
    })
  })
  when(
    "svc-to-refresh",
    { input, planned },
    // addToCart refreshes shipping, taxes, promotions and payment itself, and knows of no promotion that the cart has lost.
    ({ input, planned }) =>
      planned.totalsAnew && (!some(planned, "add") || input.promo_codes !== undefined),
  ).then(() => {
    refreshCartItemsWorkflow.runAsStep({
      input: { cart_id: input.cart_id, promo_codes: input.promo_codes },
    })
  })
  const wasHeld = when(
    "svc-to-record",
    { planned },
    ({ planned }) => planned.lockOwner !== null,
  ).then(() => recordStep({ input, planned }))
  return new WorkflowResponse(
    transform(
      { planned, wasHeld },
      ({ planned, wasHeld }): ChangedCart => ({ ...planned.result, overtaken: wasHeld === false }),
    ),
    { hooks: [validate] },
  )
})

/**
 * Changes a cart. A change whose lock ended before it was done is not called done, because its pieces may not be in the cart.
 *
 * @throws SvcRefusal `not_found`, `cart_completed`, `cart_busy`, `cart_moved`, `payment_under_way`; before an order or a payment also
 * `too_many_requests`; for an action `page_not_connected`, `channel_mismatch`, `order_number_required`
 */
export async function changeCart(
  container: MedusaContainer,
  input: ChangeCartInput,
): Promise<ChangedCart> {
  const change = async () => (await changeCartWorkflow(container).run({ input })).result
  const result = await change().catch((error: { code?: unknown }) => {
    // Core counts the stock once more, and another order may have taken the last pieces meanwhile: counted anew, what is left
    // goes in, and the shopper is told of which product there is none.
    const isTaken = error.code === MedusaError.Codes.INSUFFICIENT_INVENTORY
    if (input.intent.occasion !== "action" || !isTaken) throw error
    return change()
  })
  if (!result.overtaken) return result
  container
    .resolve(ContainerRegistrationKeys.LOGGER)
    .warn(`svc: the lock of cart ${input.cart_id} ended while it was changed.`)
  // Not `cart_busy`, which says that nothing was changed: the SDK would ask again, and put the piece in twice.
  throw Object.assign(refused("cart_moved"), { locale: result.locale })
}
