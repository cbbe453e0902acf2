import type { MedusaContainer } from "@medusajs/framework/types"
import { CartWorkflowEvents, ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
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
  releaseLockStep,
  updateLineItemsStep,
  updateTaxLinesWorkflow,
} from "@medusajs/medusa/core-flows"
import { refusalCode, SVC_MODULE, SvcRefusal } from "../../modules/svc"
import type { Answers, CartAccess, CartSituation, FailedProduct } from "../../modules/svc/cart"
import {
  asCoreColumns,
  type CartPlan,
  changesLines,
  changesTotals,
  type Intent,
  isAnswered,
  isIdle,
  livingSessions,
  type PlanRefusal,
  planCart,
} from "../../modules/svc/cart"
import { announceCart } from "./announce-cart"
import { lockCartStep } from "./lock-cart"
import { lookUpPrices } from "./look-up-prices"
import { endOpenPayments } from "./payment-status"
import { readCatalogPrices } from "./read-catalog-prices"
import { cartBusy, readSituation } from "./read-situation"
import { readTaxRates } from "./read-tax-rates"

export type ChangeCartInput = {
  cart_id: string
  intent: Intent
  /** Who asks; anybody, where a store's own code does. */
  access?: CartAccess | undefined
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
  locale: string | null
  /** The lock ended before the change did: another request may have overwritten it. */
  overtaken?: boolean
}

const REFUSED: Record<PlanRefusal, string> = {
  page_not_connected: "The show that this comes from is not connected to this store.",
  channel_mismatch:
    "This show sells in another market than this basket. Open the shop of that market and try again.",
  order_number_required:
    "This basket has not met the show yet, so the request has to name an order number.",
  too_many_requests: "Too many prices were asked for. Please try again in a moment.",
}

const refused = (code: PlanRefusal, waitSeconds: number | null): SvcRefusal =>
  new SvcRefusal(code, REFUSED[code], waitSeconds === null ? undefined : { seconds: waitSeconds })

/** What follows from one price may need another, so it is asked a few times; more would be a circle. */
const MOST_ROUNDS = 5

type Gathered = {
  answers: Answers
  /** Null: there is something to do. */
  idle: ChangedCart | null
}

/**
 * Asks the service and the store for every price that the change needs, before the lock.
 * @throws SvcRefusal as `changeCart`
 */
async function gather(container: MedusaContainer, input: ChangeCartInput): Promise<Gathered> {
  const { cart_id, intent, access } = input
  const svc = container.resolve(SVC_MODULE)
  const situation = await readSituation(container, cart_id, intent, access)
  const answers: Answers = { prices: {}, catalog: {}, taxRates: {} }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const plan = planCart(situation, intent, svc.cart.pricePolicy, answers)
    if (plan.refusal) throw refused(plan.refusal, plan.waitSeconds)
    const { needs } = plan
    if (isAnswered(needs)) {
      const idle = isIdle(plan)
      // Nothing is recorded then, but a merchant may want to know what was refused.
      if (idle) await announceCart(container, cart_id, intent, plan, { cartUpdated: null })
      await endOpenPayments(container, paymentsToEnd(plan, situation))
      return { answers, idle: idle ? outcome(plan, situation) : null }
    }
    const [prices, catalog, taxRates] = await Promise.all([
      lookUpPrices(container, situation, needs.prices, cart_id),
      readCatalogPrices(container, situation, needs.catalog),
      readTaxRates(container, situation, needs.taxRates),
    ])
    Object.assign(answers.prices, prices)
    Object.assign(answers.catalog, catalog)
    Object.assign(answers.taxRates, taxRates)
  }
  throw cartBusy()
}

const gatherStep = createStep(
  "svc-gather-prices",
  async (input: ChangeCartInput, { container }) => new StepResponse(await gather(container, input)),
)

const outcome = (plan: CartPlan, situation: CartSituation): ChangedCart => ({
  failed: plan.failed,
  done: plan.done,
  changed: plan.changes.length,
  untold: plan.changes.length + situation.changes.length > 0,
  locale: situation.cart.locale,
})

type Planned = { plan: CartPlan; result: ChangedCart; lockOwner: string }

/** Decides, under the lock, from the cart as it is now, and records what has to be known before the lines change. */
const planStep = createStep(
  "svc-plan-cart",
  async (
    {
      input,
      gathered,
      lockOwner,
    }: { input: ChangeCartInput; gathered: Gathered; lockOwner: string },
    { container },
  ) => {
    const { cart_id, intent, access } = input
    const svc = container.resolve(SVC_MODULE)
    const situation = await readSituation(container, cart_id, intent, access)
    const plan = planCart(situation, intent, svc.cart.pricePolicy, gathered.answers)
    if (plan.refusal) throw refused(plan.refusal, plan.waitSeconds)
    // Another tab changed it while the prices were looked up, so they may be of another currency, or too few.
    if (!isAnswered(plan.needs)) throw cartMoved()
    // A payment was begun while the prices were looked up: its provider is asked without the lock.
    if (paymentsToEnd(plan, situation).length > 0) throw cartMoved()
    if (!(await svc.cart.records.before(cart_id, plan))) {
      throw new SvcRefusal(
        "cart_completed",
        "This basket's order was placed already. Start a new one.",
      )
    }
    const planned: Planned = { plan, result: outcome(plan, situation), lockOwner }
    return new StepResponse(planned)
  },
)

/**
 * Payments that were begun for a total that we are about to change, be it by the shopper's own tap. Core would end them
 * itself, after the lines have changed and without asking whether the shopper has confirmed one of them.
 */
const paymentsToEnd = (plan: CartPlan, situation: CartSituation): string[] =>
  changesTotals(plan, situation) ? livingSessions(situation.payment).map(({ id }) => id) : []

const cartMoved = (): SvcRefusal =>
  new SvcRefusal("cart_moved", "This basket changed while its prices were looked up.")

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

/** Records where the prices came from, once the lines are as planned, and tells a merchant's own code. */
const recordStep = createStep(
  "svc-record-cart",
  async ({ input, planned }: { input: ChangeCartInput; planned: Planned }, { container }) => {
    const { plan } = planned
    const svc = container.resolve(SVC_MODULE)
    const { intent, cart_id } = input
    await svc.cart.records.after(cart_id, plan, svc.cart.pricePolicy.paymentHoldMs)
    await announceCart(container, cart_id, intent, plan, {
      // Core's own workflow that adds to a cart says so itself.
      cartUpdated: changesLines(plan) && plan.add.length === 0 ? CartWorkflowEvents.UPDATED : null,
    })
    return new StepResponse(null)
  },
)

/** What the hook `validate` hears before a line changes; amounts are in major units, as the lines have them. */
type AboutTo = {
  cart_id: string
  /** `action`: a shopper's, of the player. The others price again what is in the cart. */
  occasion: Intent["occasion"]
  campaign_uid: string | null
  added: { variant_id: string; product_id: string; quantity: number; unit_price: number }[]
  /** Absent: as it is. */
  updated: { line_item_id: string; quantity?: number; unit_price?: number }[]
  removed: string[]
}

const aboutTo = ({ cart_id, intent }: ChangeCartInput, plan: CartPlan | undefined): AboutTo => ({
  cart_id,
  occasion: intent.occasion,
  campaign_uid: intent.occasion === "action" ? intent.action.campaignUid : null,
  added: (plan?.added ?? []).map(({ variantId, productId, added, price }) => ({
    variant_id: variantId,
    product_id: productId,
    quantity: added,
    unit_price: price,
  })),
  updated: (plan?.update ?? []).map(({ lineId, columns: { quantity, unitPrice } }) => ({
    line_item_id: lineId,
    ...(quantity === undefined ? {} : { quantity }),
    ...(unitPrice === undefined ? {} : { unit_price: unitPrice }),
  })),
  removed: plan?.remove ?? [],
})

const some = (planned: Planned | undefined, part: "restore" | "remove" | "update" | "add") =>
  (planned?.plan[part].length ?? 0) > 0

/**
 * The one way in which a cart changes because of a show: a cart action, re-pricing, a change of region, the beginning of a
 * payment. Prices are gathered first, then the cart is locked, then it changes: no lock is held while we wait for the
 * service. Where nothing has to change, nothing is locked and nothing written.
 *
 * The steps that change lines are core's and take themselves back. What is recorded before them does not have to be taken
 * back: a number under which nothing was sold is harmless, and a change that was not made is not told.
 *
 * A process that dies halfway leaves lines that are due again, and tells the shopper of a change too many.
 *
 * A store's own rules for what the player may do are the hook `validate`: what it throws, the request answers.
 */
export const changeCartWorkflow = createWorkflow("svc-change-cart", (input: ChangeCartInput) => {
  const gathered = gatherStep(input)
  // Conditions do not nest in a workflow, so each part asks for itself.
  const planned = when("svc-to-plan", { gathered }, ({ gathered }) => gathered.idle === null).then(
    () => {
      const lockOwner = lockCartStep(input.cart_id)
      return planStep({ input, gathered, lockOwner })
    },
  )
  const validate = createHook(
    "validate",
    transform({ input, planned }, ({ input, planned }) => aboutTo(input, planned?.plan)),
  )
  when("svc-to-restore", { planned }, ({ planned }) => some(planned, "restore")).then(() => {
    restoreLinesStep(transform({ planned }, ({ planned }) => planned?.plan.restore ?? []))
  })
  when("svc-to-remove", { planned }, ({ planned }) => some(planned, "remove")).then(() => {
    deleteLineItemsStep(transform({ planned }, ({ planned }) => planned?.plan.remove ?? []))
  })
  when("svc-to-update", { planned }, ({ planned }) => some(planned, "update")).then(() => {
    updateLineItemsStep({
      id: input.cart_id,
      items: transform({ planned }, ({ planned }) =>
        (planned?.plan.update ?? []).map(({ lineId, columns }) => ({
          id: lineId,
          ...asCoreColumns(columns),
        })),
      ),
    })
  })
  when("svc-to-tax", { planned }, ({ planned }) => some(planned, "restore")).then(() => {
    updateTaxLinesWorkflow.runAsStep({ input: { cart_id: input.cart_id } })
  })
  when("svc-to-add", { planned }, ({ planned }) => some(planned, "add")).then(() => {
    addToCartWorkflow.runAsStep({
      input: transform({ input, planned }, ({ input, planned }) => ({
        cart_id: input.cart_id,
        items: (planned?.plan.add ?? []).map(({ variantId, quantity, metadata, price }) => ({
          variant_id: variantId,
          quantity,
          ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
          ...(price === null
            ? {}
            : {
                unit_price: price.unitPrice,
                is_tax_inclusive: price.isTaxInclusive,
                ...(price.isDiscountable === false ? { is_discountable: false } : {}),
                ...(price.compareAt === null ? {} : { compare_at_unit_price: price.compareAt }),
              }),
        })),
      })),
    })
  })
  when(
    "svc-to-refresh",
    { planned },
    // addToCart refreshes shipping, taxes, promotions and payment itself.
    ({ planned }) => planned !== undefined && changesLines(planned.plan) && !some(planned, "add"),
  ).then(() => {
    refreshCartItemsWorkflow.runAsStep({ input: { cart_id: input.cart_id } })
  })
  const released = when("svc-to-record", { planned }, ({ planned }) => planned !== undefined).then(
    () => {
      recordStep(
        transform({ input, planned }, ({ input, planned }) => ({
          input,
          planned: planned as Planned,
        })),
      )
      return releaseLockStep({
        key: input.cart_id,
        ownerId: transform({ planned }, ({ planned }) => planned?.lockOwner ?? ""),
      })
    },
  )
  return new WorkflowResponse(
    transform(
      { gathered, planned, released },
      ({ gathered, planned, released }): ChangedCart => ({
        ...(planned?.result ?? (gathered.idle as ChangedCart)),
        // No lock of ours was there to be given back. Inside another workflow nothing is given back, nor answered.
        overtaken: (released as unknown) === false,
      }),
    ),
    { hooks: [validate] },
  )
})

/** How often a cart may move under a request before we give up. */
const MOST_ATTEMPTS = 3

/**
 * Changes a cart. Begins again where another tab changed it while the prices were looked up. A change whose lock ended before
 * it was done is not called done, because its pieces may not be in the cart.
 *
 * @throws SvcRefusal `not_found`, `cart_completed`, `cart_busy`, `cart_moved`, `payment_under_way`; before an order or a payment also
 * `too_many_requests`; for an action `page_not_connected`, `channel_mismatch`, `order_number_required`
 */
export async function changeCart(
  container: MedusaContainer,
  input: ChangeCartInput,
): Promise<ChangedCart> {
  const result = await attempt(container, input)
  if (!result.overtaken) return result
  container
    .resolve(ContainerRegistrationKeys.LOGGER)
    .warn(`svc: the lock of cart ${input.cart_id} ended while it was changed.`)
  // Not `cart_busy`, which says that nothing was changed: the SDK would ask again, and put the piece in twice.
  throw new SvcRefusal("cart_moved", "This basket was changed by another request meanwhile.")
}

async function attempt(
  container: MedusaContainer,
  input: ChangeCartInput,
  left = MOST_ATTEMPTS - 1,
): Promise<ChangedCart> {
  try {
    return (await changeCartWorkflow(container).run({ input })).result
  } catch (error) {
    if (refusalCode(error) !== "cart_moved") throw error
    if (left === 0) throw cartBusy()
    return attempt(container, input, left - 1)
  }
}
