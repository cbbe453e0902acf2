import {
  besides,
  limitsOf,
  type OfferContext,
  offerPrice,
  sellingConnection,
  whyNotSold,
} from "./campaign-offer"
import type { CartReason } from "./codes"
import { clampQuantity } from "./limits"
import type { OfferedPrice } from "./price-policy"
import {
  type FailedProduct,
  type LineRequest,
  mergeRequests,
  type RequestedProduct,
  resolveRequest,
} from "./requests"
import type { CheckoutQuantities, KnownConnection, MetNumber, StoreVariant } from "./situation"
import { newLine, sellAtCampaignPrice, sellAtCatalogPrice, type WorkLine } from "./work-lines"

/** A cart action, whichever of the two it is (interface §4.6). */
export type CartAction = {
  pageUid: string
  campaignUid: string
  /** Null: the number under which the cart met this campaign before. */
  orderNo: string | null
  products: RequestedProduct[]
  /** Remove every line of the cart first (gap 40: only where asked). */
  clear: boolean
}

export type PlanRefusal =
  | "page_not_connected"
  | "channel_mismatch"
  | "order_number_required"
  | "too_many_requests"

/** What an action does beside changing the lines. */
export type Outcome = {
  refusal: PlanRefusal | null
  /** Null: as they were re-priced. */
  lines: WorkLine[] | null
  failed: FailedProduct[]
  done: number
  orderNo: string | null
  /** The number that something was sold under, and what its checkout has put in. */
  soldUnder: MetNumber | null
}

export const NOTHING_ASKED: Outcome = {
  refusal: null,
  lines: null,
  failed: [],
  done: 0,
  orderNo: null,
  soldUnder: null,
}

export function carryOut(action: CartAction, lines: WorkLine[], context: OfferContext): Outcome {
  const { situation } = context
  const connection = sellingConnection(situation, action.pageUid)
  if (typeof connection === "string") return { ...NOTHING_ASKED, refusal: connection }
  const number = numberOf(action, connection, situation.numbers)
  if (!number) return { ...NOTHING_ASKED, refusal: "order_number_required" }

  const failed: FailedProduct[] = []
  const requests: LineRequest[] = []
  const present = action.clear ? [] : situation.lines
  for (const product of action.products) {
    const resolved = resolveRequest(product, situation.variants, present)
    if (resolved.ok) requests.push(resolved.request)
    else failed.push(resolved.failed)
  }
  // An action that could sell nothing must not empty the cart, so it works on a second set of lines.
  const work = action.clear ? [] : lines
  const run = new ActionRun({ action, connection, number, lines: work, context })
  let done = 0
  for (const request of mergeRequests(requests)) {
    const reason = run.carryOut(request)
    if (reason) failed.push({ product: request.ref, ...reason })
    if (reason === null || isDoneInPart(reason)) done += 1
  }
  const cleared = action.clear && run.lines.some((line) => !line.removed)
  if (cleared) {
    for (const line of lines) {
      line.removed = true
      // A line that core deleted with the region, and that waits to be restored, is gone with the others.
      line.campaignUid = null
    }
  }
  return {
    refusal: null,
    lines: action.clear ? [...lines, ...(cleared ? run.lines : [])] : run.lines,
    failed,
    done,
    orderNo: number.orderNo,
    soldUnder: run.sold
      ? {
          ...number,
          checkoutQuantities: { ...number.checkoutQuantities, ...run.checkoutQuantities },
        }
      : null,
  }
}

/** Reasons that come with something sold, though not as asked. */
const isDoneInPart = ({ code, params }: CartReason): boolean =>
  code === "catalog_price" || (code === "quantity_limited" && (params?.quantity ?? 0) > 0)

/** The number of an action; without one, that under which the cart met the campaign before. */
function numberOf(
  { campaignUid, orderNo }: CartAction,
  connection: KnownConnection,
  numbers: MetNumber[],
): MetNumber | null {
  const ofCampaign = numbers.filter(
    (number) => number.campaignUid === campaignUid && number.connectionId === connection.id,
  )
  const met = orderNo === null ? ofCampaign[0] : ofCampaign.find((each) => each.orderNo === orderNo)
  if (met) return met
  return orderNo === null
    ? null
    : { connectionId: connection.id, campaignUid, orderNo, checkoutQuantities: {} }
}

/** Carries out the requests of one action, one after the other, on the lines that it was given. */
class ActionRun {
  readonly lines: WorkLine[]
  readonly checkoutQuantities: CheckoutQuantities = {}
  /** Whether anything was put in or changed at the campaign's price. */
  sold = false
  readonly #action: CartAction
  readonly #connection: KnownConnection
  readonly #number: MetNumber
  readonly #context: OfferContext

  constructor(input: {
    action: CartAction
    connection: KnownConnection
    number: MetNumber
    lines: WorkLine[]
    context: OfferContext
  }) {
    this.lines = [...input.lines]
    this.#action = input.action
    this.#connection = input.connection
    this.#number = input.number
    this.#context = input.context
  }

  /**
   * A request meets the line of its variant that this campaign priced, else one at the catalog price, which then takes the
   * campaign's (interface §4.6 rule 2). A line that another campaign or other code priced is changed and removed as the
   * player asks, because the player shows it, but keeps its price; what is added beside it becomes a line of its own.
   *
   * @returns why it could not be done, or not as asked
   */
  carryOut(request: LineRequest): CartReason | null {
    if (request.action === "remove") return this.#remove(request)
    const line = this.#lineFor(request)
    const { variant } = request
    if (!variant) return { code: "product_not_found" }
    if (line && line.campaignUid !== this.#action.campaignUid && line.campaignUid !== null) {
      return this.#setQuantity(line, this.#asked(request, line))
    }
    if (line?.campaignUid === this.#action.campaignUid) return this.#change(line, variant, request)
    return this.#sell(line, variant, request)
  }

  #remove(request: LineRequest): null {
    const line =
      this.#lineFor(request) ??
      // One that re-pricing has just taken out.
      this.lines.find(({ variantId, reason }) => variantId === request.variantId && reason !== null)
    if (line) {
      line.removed = true
      // The shopper did it, so nobody has to be told.
      line.reason = null
    }
    return null
  }

  #lineFor({ variantId, action }: LineRequest): WorkLine | undefined {
    const ofVariant = this.lines.filter((line) => line.variantId === variantId && !line.removed)
    return (
      ofVariant.find(({ campaignUid }) => campaignUid === this.#action.campaignUid) ??
      ofVariant.find(({ campaignUid }) => campaignUid === null) ??
      (action === "set" || action === "remove" ? ofVariant[0] : undefined)
    )
  }

  /** Changes the pieces of a line that this campaign priced; its proven price still holds (gap 45a). */
  #change(line: WorkLine, variant: StoreVariant, request: LineRequest): CartReason | null {
    const asked = this.#asked(request, line)
    const notSold = whyNotSold(this.#context.situation, this.#place, variant)
    if (!notSold) return this.#clamped(line, variant, request, asked)
    // A payment holds the price for the pieces that it was begun for, and for no more.
    return asked > line.quantity ? notSold : this.#setQuantity(line, asked)
  }

  /** Puts a product in at the campaign's price, or gives a line at the catalog price the campaign's. */
  #sell(
    line: WorkLine | undefined,
    variant: StoreVariant,
    request: LineRequest,
  ): CartReason | null {
    const asked = this.#asked(request, line)
    const offer = offerPrice(this.#context, {
      connection: this.#connection,
      campaignUid: this.#action.campaignUid,
      variant,
      quantity: asked,
    })
    if (offer.kind === "unknown") return null
    // The player shows lines that are at the catalog price too, and a shopper must be able to change them, whatever the
    // service says of their product, and when it is away.
    if (line && request.action === "set" && offer.kind !== "campaign") {
      return this.#setQuantity(line, asked)
    }
    switch (offer.kind) {
      case "unanswered": {
        const { answer, catalog } = offer
        if (!answer.catalogInstead || catalog === null) return answer.reason
        return this.#sellAtCatalog(line, variant, request) ?? { code: "catalog_price" }
      }
      case "not_sold":
      case "refused":
        return offer.reason
      case "catalog":
        return offer.catalog === null
          ? { code: "price_unavailable" }
          : this.#sellAtCatalog(line, variant, request)
      case "campaign":
        if (!line || this.#maySellWhole(line, variant, asked, offer.price)) {
          return this.#sellAtCampaign(line, variant, request, offer.price)
        }
        return request.action === "set"
          ? this.#setQuantity(line, asked)
          : this.#sellAtCampaign(undefined, variant, request, offer.price)
    }
  }

  /**
   * Whether pieces that are at the catalog price may take the show's together with those that are added. Not where the
   * show's is dearer, because the shopper asked for no other price of what they had (a promotion counts that the line would
   * lose); and not where the show sells fewer to a customer: its limit is for the pieces that it sells. Those then stay as
   * they are, beside a line of the show's.
   */
  #maySellWhole(
    line: WorkLine,
    variant: StoreVariant,
    asked: number,
    price: OfferedPrice,
  ): boolean {
    const isSameBasis = line.isTaxInclusive === price.isTaxInclusive
    const lost = price.isDiscountable ? 0 : (line.original?.reducedBy ?? 0)
    const isDearer = isSameBasis
      ? price.amount > line.unitPrice - lost / line.quantity
      : price.isDearer !== false || lost > 0
    if (isDearer) return false
    const { situation } = this.#context
    const sold = { ...line, campaignUid: this.#action.campaignUid }
    const others = this.lines.filter((other) => other !== line)
    const limits = limitsOf(situation, this.#place, variant)
    const { quantity, reason } = clampQuantity(asked, besides(situation, sold, others), limits)
    const isStock = reason?.code === "quantity_limited" && reason.params?.limit === "stock"
    return quantity >= asked || (isStock && quantity >= line.quantity)
  }

  #sellAtCampaign(
    line: WorkLine | undefined,
    variant: StoreVariant,
    request: LineRequest,
    price: OfferedPrice,
  ): CartReason | null {
    const asked = this.#asked(request, line)
    const target = line ?? newLine({ ...variant, quantity: 0 })
    const before = { ...target }
    sellAtCampaignPrice(target, price, {
      connectionId: this.#connection.id,
      campaignUid: this.#action.campaignUid,
      orderNo: this.#number.orderNo,
    })
    const reason = this.#clamped(target, variant, request, asked)
    if (reason !== null && !isDoneInPart(reason)) Object.assign(target, before)
    else if (!line) this.lines.push(target)
    return reason
  }

  #sellAtCatalog(
    line: WorkLine | undefined,
    variant: StoreVariant,
    request: LineRequest,
  ): CartReason | null {
    const target = line ?? newLine({ ...variant, quantity: 0 })
    const stay = this.#piecesBesides(request, line)
    const reason = this.#setQuantity(target, this.#asked(request, line))
    if (reason !== null && !isDoneInPart(reason)) return reason
    this.#noteCheckout(request, target.quantity - stay)
    if (!line) this.lines.push(target)
    this.sold = true
    return reason
  }

  #clamped(
    line: WorkLine,
    variant: StoreVariant,
    request: LineRequest,
    asked: number,
  ): CartReason | null {
    const limits = limitsOf(this.#context.situation, this.#place, variant)
    const limited = clampQuantity(asked, besides(this.#context.situation, line, this.lines), limits)
    if (limited.quantity === 0) return limited.reason
    const present = this.lines.includes(line) ? line : undefined
    this.#noteCheckout(request, limited.quantity - this.#piecesBesides(request, present))
    line.quantity = limited.quantity
    line.orderNo = this.#number.orderNo
    this.sold = true
    return limited.reason
  }

  /** Sets the pieces of a line at the price that it has; a catalog price may depend on how many are bought. */
  #setQuantity(line: WorkLine, asked: number): CartReason | null {
    const { quantity, reason } = this.#inStock(line, asked)
    if (quantity === 0) return reason
    if (line.campaignUid === null && line.variantId !== null) {
      const price = this.#context.inquiry.catalog({ variantId: line.variantId, quantity })
      // Core sells nothing new without a price.
      if (price === null && line.original === null) return { code: "price_unavailable" }
      if (price) sellAtCatalogPrice(line, price)
    }
    line.quantity = quantity
    return reason
  }

  #inStock(line: WorkLine, asked: number) {
    const variant = this.#context.situation.variants.find(
      ({ variantId }) => variantId === line.variantId,
    )
    return clampQuantity(asked, besides(this.#context.situation, line, this.lines), {
      available: true,
      // Fewer than before can always be had.
      stock: asked <= line.quantity ? null : (variant?.stock ?? null),
      minQuantity: null,
      maxQuantity: null,
    })
  }

  /** Keeps what a checkout has put in, for the next time that its link is opened. */
  #noteCheckout({ action, variantId }: LineRequest, quantity: number): void {
    if (action === "checkout") this.checkoutQuantities[variantId] = Math.max(0, quantity)
  }

  /** How many pieces the line is to have. */
  #asked(request: LineRequest, line: WorkLine | undefined): number {
    return this.#piecesBesides(request, line) + (request.quantity ?? line?.quantity ?? 1)
  }

  /**
   * Pieces of the line that stay beside the requested ones. A checkout replaces what its order number put into the cart
   * before, so that a reloaded link or a double click changes nothing, whatever else happened to the line (gap 44).
   */
  #piecesBesides(request: LineRequest, line: WorkLine | undefined): number {
    if (!line || request.action === "set") return 0
    if (request.action === "add") return line.quantity
    // Pieces that the shopper added without the show count as the link's: a link never takes pieces away.
    const wasCatalog = line.original !== null && !line.original.isCustomPrice
    const first = wasCatalog ? (request.quantity ?? 0) : 0
    return Math.max(
      0,
      line.quantity - (this.#number.checkoutQuantities[request.variantId] ?? first),
    )
  }

  get #place() {
    return { connectionId: this.#connection.id, campaignUid: this.#action.campaignUid }
  }
}
