import type { LineCode, ProvenPrice } from "./price-policy"

/** What a cart action asks for one product, after the product was found in the store. */
export type LineRequest = {
  /** What the player sent; given back with a refusal so that the player finds its product. */
  ref: ProductRef
  variantId: string
  productId: string
  /** `checkout`: set per order number, so that a reloaded link or a double click counts once (gap 44). */
  action: "add" | "set" | "checkout" | "remove"
  quantity: number
}
export type ProductRef = {
  product_id: string
  variant_id?: string | null
  sku?: string | null
  quantity?: number
}

/** A line as it is in the cart, read under the lock. */
export type CartLine = {
  id: string
  variantId: string | null
  quantity: number
  /**
   * Campaign whose price the line carries, by our own record; null at the catalog price, "" where other code set the
   * price.
   */
  campaignUid: string | null
}

/** What is known of a variant's limits in this campaign and in stock. `null` = no limit. */
export type Limits = {
  available: boolean
  stock: number | null
  minQuantity: number | null
  maxQuantity: number | null
}

/** Why a quantity cannot be sold as wanted. */
type LimitCode = Extract<LineCode, "not_available" | "out_of_stock" | "quantity_limited">

export type FailedProduct = { product: ProductRef; code: LineCode; message: string }

/** Pieces of each variant that an order number's checkout put into the cart. */
export type CheckoutQuantities = Record<string, number>

/**
 * Reads action and quantity of one product as gap 41 does: without an action, quantity 0 removes, a line that exists is
 * set, and any other is added.
 */
export function resolveAction(
  action: LineRequest["action"] | null,
  quantity: number | undefined,
  inCart: boolean,
): Pick<LineRequest, "action" | "quantity"> {
  if (action === "remove" || quantity === 0) return { action: "remove", quantity: 0 }
  if (action) return { action, quantity: quantity ?? 1 }
  return { action: inCart ? "set" : "add", quantity: quantity ?? 1 }
}

/** Changes to make, one entry per line; quantities are the line's new totals. */
export type CartChange = {
  create: { variantId: string; productId: string; quantity: number; price: ProvenPrice }[]
  update: { lineId: string; variantId: string; quantity: number; price: ProvenPrice | null }[]
  remove: string[]
  failed: FailedProduct[]
  /** What the order number's checkout has put into the cart after this; to be kept for its next checkout. */
  checkoutQuantities: CheckoutQuantities
}

/**
 * Turns requests into line changes. Pure, and run under the cart's lock with the lines as they are then.
 *
 * A request meets the line of its variant that this campaign priced, else a line of that variant at catalog
 * price (which then takes the campaign's price, interface §4.6 rule 2), else it makes a new line. A line that
 * carries another campaign's price is left alone.
 *
 * @param checkoutQuantities what the checkout of the action's order number put into the cart before
 * @param prices proven prices by variant; `null` in the map: the line's own proven price still holds (gap 45a)
 */
export function planCart(input: {
  campaignUid: string
  checkoutQuantities: CheckoutQuantities
  lines: CartLine[]
  requests: LineRequest[]
  prices: Map<string, ProvenPrice | null>
  limits: Map<string, Limits>
}): CartChange {
  const change: CartChange = {
    create: [],
    update: [],
    remove: [],
    failed: [],
    checkoutQuantities: {},
  }

  for (const request of mergeRequests(input.requests)) {
    const sameVariant = input.lines.filter(
      (line) => line.variantId === request.variantId && !change.remove.includes(line.id),
    )
    const line =
      sameVariant.find((candidate) => candidate.campaignUid === input.campaignUid) ??
      sameVariant.find((candidate) => candidate.campaignUid === null)

    if (request.action === "remove" || request.quantity === 0) {
      if (line) change.remove.push(line.id)
      continue
    }
    const price = input.prices.get(request.variantId)
    if (price === undefined || (price === null && line?.campaignUid !== input.campaignUid)) {
      change.failed.push({
        product: request.ref,
        code: "price_unavailable",
        message: "The show's price could not be confirmed. Please try again.",
      })
      continue
    }
    const besides = piecesBesides(request, line, input.checkoutQuantities[request.variantId])
    const wanted = besides + request.quantity
    const elsewhere = sameVariant
      .filter((candidate) => candidate !== line)
      .reduce((sum, candidate) => sum + candidate.quantity, 0)
    const limits = input.limits.get(request.variantId)
    const limited = limits
      ? clampQuantity(wanted, elsewhere, limits)
      : { quantity: wanted, reason: null }
    if (limited.reason) change.failed.push({ product: request.ref, ...limited.reason })
    if (limited.quantity === 0) continue

    if (request.action === "checkout") {
      change.checkoutQuantities[request.variantId] = Math.max(0, limited.quantity - besides)
    }
    if (line) {
      change.update.push({
        lineId: line.id,
        variantId: request.variantId,
        quantity: limited.quantity,
        price,
      })
    } else if (price) {
      const { variantId, productId } = request
      change.create.push({ variantId, productId, quantity: limited.quantity, price })
    }
  }
  return change
}

/**
 * Pieces of the line that stay beside the requested ones. A checkout replaces what its order number put into the cart
 * before, so that a reloaded link or a double click changes nothing, whatever else happened to the line (gap 44).
 */
function piecesBesides(
  request: LineRequest,
  line: CartLine | undefined,
  fromCheckout: number | undefined,
): number {
  if (!line || request.action === "set") return 0
  if (request.action === "add") return line.quantity
  // Pieces that the shopper added without the show count as the link's: a link never takes pieces away.
  const first = line.campaignUid === null ? request.quantity : 0
  return Math.max(0, line.quantity - (fromCheckout ?? first))
}

/**
 * Two entries for one variant in one payload are one request, as if they were made one after the other: pieces that
 * are added count on top of the entry before, all else replaces it.
 */
function mergeRequests(requests: LineRequest[]): LineRequest[] {
  const merged = new Map<string, LineRequest>()
  for (const request of requests) {
    const earlier = merged.get(request.variantId)
    const adds = request.action === "add" || request.action === "checkout"
    if (!earlier || !adds) merged.set(request.variantId, request)
    else if (earlier.action === "remove")
      merged.set(request.variantId, { ...request, action: "set" })
    else {
      const quantity = earlier.quantity + request.quantity
      merged.set(request.variantId, { ...request, action: earlier.action, quantity })
    }
  }
  return [...merged.values()]
}

/**
 * What is known of a variant's limits in a campaign. Where the service told us of no such product there are none: the
 * price lookup decides what is in the show.
 *
 * @param products the campaign's products, also those that were removed from it
 */
export function quantityLimits(
  products: {
    external_id: string | null
    deleted_at: Date | null
    available: boolean
    min_purchase_qty: number | null
    max_qty_per_customer: number | null
  }[],
  variant: { productId: string; stock: number | null },
): Limits {
  const product = products.find(
    (candidate) => candidate.external_id === variant.productId && candidate.deleted_at === null,
  )
  return {
    available: product?.available ?? true,
    stock: variant.stock,
    minQuantity: product?.min_purchase_qty ?? null,
    maxQuantity: product?.max_qty_per_customer ?? null,
  }
}

/**
 * Clamps a quantity to what may be sold (gap 45): quantity 0 means refused.
 *
 * @param elsewhere pieces of the same variant in other lines, which the stock must serve too
 */
export function clampQuantity(
  wanted: number,
  elsewhere: number,
  limits: Limits,
): { quantity: number; reason: { code: LimitCode; message: string } | null } {
  if (!limits.available) {
    return {
      quantity: 0,
      reason: { code: "not_available", message: "This product is not for sale in the show now." },
    }
  }
  const { minQuantity, maxQuantity, stock } = limits
  const least = minQuantity ?? 1
  const left = stock === null ? Number.POSITIVE_INFINITY : Math.floor(stock - elsewhere)
  if (left < least) {
    return { quantity: 0, reason: { code: "out_of_stock", message: "This product is sold out." } }
  }
  const most = Math.min(left, maxQuantity ?? Number.POSITIVE_INFINITY)
  if (most < least) {
    return {
      quantity: 0,
      reason: { code: "not_available", message: "This product is not for sale in the show now." },
    }
  }
  const quantity = Math.min(Math.max(wanted, least), most)
  if (quantity === wanted) return { quantity, reason: null }
  const message =
    quantity > wanted
      ? `This product is sold from ${quantity} pieces.`
      : left < (maxQuantity ?? Number.POSITIVE_INFINITY)
        ? `Only ${quantity} left.`
        : `At most ${quantity} per customer.`
  return { quantity, reason: { code: "quantity_limited", message } }
}
