import { isDeepStrictEqual } from "node:util"
import { Modules } from "@medusajs/framework/utils"
import {
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
} from "@medusajs/medusa/core-flows"
import { isSimple } from "../../contract"
import { SVC_MODULE, SvcRefusal } from "../../modules/svc"
import { CAMPAIGN_KEY, campaignPriced, ORDER_NO_KEY } from "../../modules/svc/cart/line-columns"
import { matchVariant } from "../../modules/svc/cart/match-variant"
import {
  type CartChange,
  type FailedProduct,
  type Limits,
  type LineRequest,
  type ProductRef,
  planCart,
  quantityLimits,
  resolveAction,
} from "../../modules/svc/cart/plan"
import { decidePrice, type ProvenPrice } from "../../modules/svc/cart/price-policy"
import { lockCartStep } from "./lock-cart"
import { lookUpPrices } from "./look-up-prices"
import {
  type Cart,
  type CartItem,
  cartBusy,
  cartLines,
  readCart,
  sellingConnection,
} from "./read-cart"
import { readVariants, type StoreVariant } from "./read-variants"

/** What a cart action asks, whichever of the two it is. */
export type CartActionInput = {
  cart_id: string
  campaign_uid: string
  page_uid: string
  order_no: string
  products: (ProductRef & {
    action: LineRequest["action"] | null
    quantity?: number
  })[]
  /** Remove every line of the cart first (gap 40: only where asked). */
  clear_cart: boolean
}

/** What takes time, gathered before the lock. Dates travel between steps as ISO strings. */
type Prepared = {
  connectionId: string
  /** What of the cart the prices depend on, as it was when they were looked up. */
  pricedFor: PricedFor
  requests: LineRequest[]
  failed: FailedProduct[]
  prices: [variantId: string, price: Wire<ProvenPrice> | null][]
  limits: [variantId: string, limits: Limits][]
}
type PricedFor = { regionId: string; currency: string; salesChannelId: string }
const pricedFor = (cart: Cart): PricedFor => ({
  regionId: cart.region_id,
  currency: cart.currency_code,
  salesChannelId: cart.sales_channel_id,
})
type Wire<T> = { [K in keyof T]: T[K] extends Date ? string : T[K] }

const toWire = (price: ProvenPrice): Wire<ProvenPrice> => ({
  ...price,
  fetchedAt: price.fetchedAt.toISOString(),
  expiresAt: price.expiresAt.toISOString(),
})
const fromWire = (price: Wire<ProvenPrice>): ProvenPrice => ({
  ...price,
  fetchedAt: new Date(price.fetchedAt),
  expiresAt: new Date(price.expiresAt),
})

/** Finds the products and proves their prices. Calls the service, so it runs before the lock is taken. */
const prepareStep = createStep(
  "svc-prepare-cart-action",
  async (input: CartActionInput, { container }) => {
    const svc = container.resolve(SVC_MODULE)
    const cart = await readCart(container, input.cart_id)
    const connection = await sellingConnection(container, input.page_uid, cart)
    const currency = cart.currency_code
    const [variants, linePrices, campaign] = await Promise.all([
      readVariants(container, cart, input.products),
      svc.linePrices.ofCart(cart.id),
      svc.shows.campaign(connection.id, input.campaign_uid),
    ])

    const failed: FailedProduct[] = []
    const requests: LineRequest[] = []
    const matched = new Map<string, StoreVariant>()
    for (const { action, ...ref } of input.products) {
      const match = matchVariant(ref, variants)
      if (!match.ok) {
        failed.push({ product: ref, code: match.code, message: match.message })
        continue
      }
      const { variant } = match
      matched.set(variant.variantId, variant)
      requests.push({
        ref,
        variantId: variant.variantId,
        productId: variant.productId,
        ...resolveAction(action, ref.quantity, hasVariant(cart.items, variant.variantId)),
      })
    }

    const toPrice = [...matched.values()].filter((variant) =>
      requests.some(
        (request) =>
          request.variantId === variant.variantId &&
          request.action !== "remove" &&
          request.quantity > 0,
      ),
    )
    const now = Date.now()
    const held = new Set(
      linePrices
        .filter(
          (row) =>
            // A cart that is emptied first has no line whose price could hold.
            !input.clear_cart &&
            row.campaign_uid === input.campaign_uid &&
            row.expires_at.getTime() > now &&
            cart.items.some((item) => item.id === row.line_item_id && item.is_custom_price),
        )
        .map((row) => row.variant_id),
    )
    const toLookUp = toPrice.filter((variant) => !held.has(variant.variantId))
    const prices: Prepared["prices"] = toPrice
      .filter((variant) => held.has(variant.variantId))
      .map((variant) => [variant.variantId, null])

    const lookups = await lookUpPrices(
      container,
      connection.id,
      input.campaign_uid,
      toLookUp.map((variant) => ({
        productId: variant.productId,
        // Only for products with variants (interface §2.2, gap 38).
        ...(isSimple(variant.siblings) ? {} : { variantId: variant.variantId }),
      })),
    )
    const refused = new Map<string, Omit<FailedProduct, "product">>()
    for (const [index, variant] of toLookUp.entries()) {
      const lookup = lookups[index]
      if (!lookup?.ok) {
        refused.set(variant.variantId, {
          code: "price_unavailable",
          message:
            lookup?.error.code === "svc_not_found"
              ? "This product is not in the show any more."
              : "The show's price could not be confirmed. Please try again.",
        })
        continue
      }
      const verdict = decidePrice({
        price: lookup.price,
        cartCurrency: currency,
        pricesIncludeVat: connection.prices_include_vat,
        catalog: variant.catalog,
        deadline: campaign?.deadline?.getTime() ?? null,
        fetchedAt: lookup.fetchedAt,
      })
      if (verdict.ok) prices.push([variant.variantId, toWire(verdict.price)])
      else refused.set(variant.variantId, { code: verdict.code, message: verdict.message })
    }
    for (const request of requests) {
      const refusal = refused.get(request.variantId)
      if (refusal) failed.push({ product: request.ref, ...refusal })
    }

    const known = await svc.shows.eventProducts(
      connection.id,
      input.campaign_uid,
      toPrice.map((variant) => variant.productId),
    )
    const prepared: Prepared = {
      connectionId: connection.id,
      pricedFor: pricedFor(cart),
      requests: requests.filter((request) => !refused.has(request.variantId)),
      failed,
      prices,
      limits: toPrice.map((variant) => [variant.variantId, quantityLimits(known, variant)]),
    }
    return new StepResponse(prepared)
  },
)

const hasVariant = (items: { variant_id: string | null }[], variantId: string): boolean =>
  items.some((item) => item.variant_id === variantId)

type Planned = CartChange & { connectionId: string }

/** Decides, under the lock, from the cart as it is now. */
const planStep = createStep(
  "svc-plan-cart-action",
  async ({ action, prepared }: { action: CartActionInput; prepared: Prepared }, { container }) => {
    const svc = container.resolve(SVC_MODULE)
    const cart = await readCart(container, action.cart_id)
    // Another tab changed the region while the prices were looked up, so they may be in another currency.
    if (!isDeepStrictEqual(pricedFor(cart), prepared.pricedFor)) throw cartBusy()
    const [numbers, linePrices] = await Promise.all([
      svc.orderNumbers.ofCart(cart.id),
      svc.linePrices.ofCart(cart.id),
    ])
    const lines = cartLines(cart, linePrices)
    const number = numbers.find(({ order_no }) => order_no === action.order_no)
    const change = planCart({
      campaignUid: action.campaign_uid,
      checkoutQuantities: number?.checkout_quantities ?? {},
      lines: action.clear_cart ? [] : lines,
      requests: prepared.requests,
      prices: new Map(
        prepared.prices.map(([variantId, price]) => [variantId, price && fromWire(price)]),
      ),
      limits: new Map(prepared.limits),
    })
    const sells = change.create.length + change.update.length + change.remove.length > 0
    const planned: Planned = {
      ...change,
      // An action that could sell nothing must not empty the cart.
      remove: action.clear_cart && sells ? lines.map((line) => line.id) : change.remove,
      failed: [...prepared.failed, ...change.failed],
      connectionId: prepared.connectionId,
    }
    return new StepResponse(planned)
  },
)

/**
 * Records the order number before the lines change: a process that dies in between leaves a number that nothing was sold
 * under, which is harmless. The other way round it would leave a sale that is never reported.
 */
const recordOrderNumberStep = createStep(
  "svc-record-order-number",
  async ({ action, planned }: { action: CartActionInput; planned: Planned }, { container }) => {
    if (planned.create.length + planned.update.length === 0) return new StepResponse(null)
    const svc = container.resolve(SVC_MODULE)
    const carts = container.resolve(Modules.CART)
    const recorded = await svc.orderNumbers.record({
      cartId: action.cart_id,
      connectionId: planned.connectionId,
      campaignUid: action.campaign_uid,
      orderNo: action.order_no,
    })
    if (!recorded) {
      throw new SvcRefusal(
        "cart_completed",
        "This basket's order was placed already. Start a new one.",
      )
    }
    const { metadata } = await carts.retrieveCart(action.cart_id, { select: ["id", "metadata"] })
    await carts.updateCarts(action.cart_id, {
      metadata: { ...metadata, [ORDER_NO_KEY]: action.order_no },
    })
    return new StepResponse(null)
  },
)

/** Records where each price came from and what the checkout put into the cart, once the lines are as planned. */
const recordProvenanceStep = createStep(
  "svc-record-line-prices",
  async ({ action, planned }: { action: CartActionInput; planned: Planned }, { container }) => {
    const svc = container.resolve(SVC_MODULE)
    await svc.linePrices.forget(planned.remove)
    await svc.linePrices.assignOrderNumber(
      planned.update.map(({ lineId }) => lineId),
      action.order_no,
    )
    await svc.orderNumbers.recordCheckoutQuantities(
      action.cart_id,
      action.order_no,
      planned.checkoutQuantities,
    )
    const cart = await readCart(container, action.cart_id)
    const priceOf = (item: CartItem): ProvenPrice | null | undefined => {
      const updated = planned.update.find(({ lineId }) => lineId === item.id)
      if (updated) return updated.price
      // Compared by price too: a shopper can write the same metadata on a line whose custom price other code set.
      return planned.create.find(
        ({ variantId, price }) =>
          variantId === item.variant_id &&
          price.amount === item.unit_price &&
          item.is_custom_price &&
          item.metadata?.[CAMPAIGN_KEY] === action.campaign_uid,
      )?.price
    }
    await svc.linePrices.record(
      cart.items.flatMap((item) => {
        const found = priceOf(item)
        if (!found || !item.variant_id) return []
        const price = reviveDates(found)
        return [
          {
            line_item_id: item.id,
            cart_id: cart.id,
            connection_id: planned.connectionId,
            campaign_uid: action.campaign_uid,
            order_no: action.order_no,
            product_id: item.product_id ?? "",
            variant_id: item.variant_id,
            region_id: cart.region_id,
            amount: price.amount,
            currency_code: cart.currency_code,
            is_tax_inclusive: price.isTaxInclusive,
            fetched_at: price.fetchedAt,
            expires_at: price.expiresAt,
          },
        ]
      }),
    )
    return new StepResponse(null)
  },
)

/** A durable workflow engine hands dates on as strings. */
const reviveDates = (price: ProvenPrice): ProvenPrice => ({
  ...price,
  fetchedAt: new Date(price.fetchedAt),
  expiresAt: new Date(price.expiresAt),
})

/**
 * Applies SOME_CHECKOUT or UPDATE_CART_CONTENTS to a cart (interface §4.6).
 *
 * Prices are looked up first, then the cart is locked, then it changes: no lock is held while we wait for the service.
 * Every line that is added or changed carries the campaign's price, with a record of where it came from.
 *
 * @returns the products that could not be sold as asked, and how many could
 * @throws SvcRefusal `not_found`, `cart_completed`, `page_not_connected`, `channel_mismatch`, `cart_busy`
 */
export const applyCartActionWorkflow = createWorkflow(
  "svc-apply-cart-action",
  (action: CartActionInput) => {
    const prepared = prepareStep(action)
    lockCartStep(action.cart_id)
    const planned = planStep({ action, prepared })
    recordOrderNumberStep({ action, planned })

    when("svc-lines-to-remove", { planned }, ({ planned }) => planned.remove.length > 0).then(
      () => {
        deleteLineItemsStep(transform({ planned }, ({ planned }) => planned.remove))
      },
    )
    when("svc-lines-to-update", { planned }, ({ planned }) => planned.update.length > 0).then(
      () => {
        updateLineItemsStep({
          id: action.cart_id,
          items: transform({ action, planned }, ({ action, planned }) =>
            planned.update.map(({ lineId, quantity, price }) => ({
              id: lineId,
              quantity,
              ...(price && campaignPriced(price, action.campaign_uid)),
            })),
          ),
        })
      },
    )
    when("svc-lines-to-create", { planned }, ({ planned }) => planned.create.length > 0).then(
      () => {
        addToCartWorkflow.runAsStep({
          input: transform({ action, planned }, ({ action, planned }) => ({
            cart_id: action.cart_id,
            items: planned.create.map(({ variantId, quantity, price }) => ({
              variant_id: variantId,
              quantity,
              unit_price: price.amount,
              is_tax_inclusive: price.isTaxInclusive,
              ...(price.compareAt === null ? {} : { compare_at_unit_price: price.compareAt }),
              metadata: { [CAMPAIGN_KEY]: action.campaign_uid },
            })),
          })),
        })
      },
    )
    // addToCart refreshes shipping, taxes, promotions and payment itself.
    when(
      "svc-cart-to-refresh",
      { planned },
      ({ planned }) =>
        planned.create.length === 0 && planned.update.length + planned.remove.length > 0,
    ).then(() => {
      refreshCartItemsWorkflow.runAsStep({ input: { cart_id: action.cart_id } })
    })

    recordProvenanceStep({ action, planned })
    releaseLockStep({ key: action.cart_id })

    return new WorkflowResponse(
      transform({ planned }, ({ planned }) => ({
        failed: planned.failed,
        changed: planned.create.length + planned.update.length + planned.remove.length,
      })),
    )
  },
)
