import {
  besides,
  limitsOf,
  type OfferContext,
  offerPrice,
  ofPlace,
  sellingConnection,
  whyNotSold,
} from "./campaign-offer"
import type { CartReason } from "./codes"
import { clampQuantity, NO_LIMITS } from "./limits"
import { CAMPAIGN_KEY } from "./line-columns"
import type { OfferedPrice } from "./price-policy"
import { refused } from "./refused"
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

/** What an action does beside changing the lines. */
export type Outcome = {
  /** All lines of the cart, also those that were not meant. */
  lines: WorkLine[]
  failed: FailedProduct[]
  done: number
  orderNo: string
  /** The number that something was sold under, and what its checkout has put in. */
  soldUnder: MetNumber | null
}

/** @throws SvcRefusal `page_not_connected`, `channel_mismatch`, `order_number_required` */
export function carryOut(action: CartAction, lines: WorkLine[], context: OfferContext): Outcome {
  const { situation } = context
  const connection = sellingConnection(situation, action.pageUid)
  if (typeof connection === "string") throw refused(connection)
  const number = numberOf(action, connection, situation.numbers)
  if (!number) throw refused("order_number_required")

  const failed: FailedProduct[] = []
  const requests: LineRequest[] = []
  const present = action.clear ? [] : situation.lines
  let done = 0
  for (const product of action.products) {
    if (product.action === "add" && product.quantity === 0) {
      done += 1
      continue
    }
    const request = resolveRequest(product, situation.variants, present)
    if ("code" in request) failed.push(request)
    else requests.push(request)
  }
  // An action that could sell nothing must not empty the cart, so it works on a second set of lines.
  const work = action.clear ? [] : [...lines]
  const run = new ActionRun(work, connection, number, context)
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
    lines: action.clear ? [...lines, ...(cleared ? run.lines : [])] : run.lines,
    failed,
    done,
    orderNo: number.orderNo,
    soldUnder: run.sold
      ? {
          ...number,
          page: connection.page,
          checkoutQuantities: { ...number.checkoutQuantities, ...run.checkoutQuantities },
        }
      : null,
  }
}

/** Reasons that come with something sold, though not as asked. */
const isDoneInPart = ({ code, params }: CartReason): boolean =>
  code === "catalog_price" || (code === "quantity_limited" && (params?.quantity ?? 0) > 0)

/** Not one that the shop has marked as another thing: engraved, of a bundle, with a gift's text. Core merges none with those. */
const isPlain = ({ original }: WorkLine): boolean =>
  Object.keys(original?.metadata ?? {}).every((key) => key === CAMPAIGN_KEY)

/** The number of an action; without one, that under which the cart met the campaign before. */
function numberOf(
  { campaignUid, orderNo }: CartAction,
  connection: KnownConnection,
  numbers: MetNumber[],
): MetNumber | null {
  const place = { connectionId: connection.id, campaignUid }
  const met = numbers
    .filter(ofPlace(place))
    .find((number) => orderNo === null || number.orderNo === orderNo)
  if (met || orderNo === null) return met ?? null
  return { ...place, orderNo, page: connection.page, checkoutQuantities: {} }
}

/** Carries out the requests of one action, one after the other, on the lines that it was given. */
class ActionRun {
  readonly checkoutQuantities: CheckoutQuantities = {}
  /** Whether anything was put in or changed at the campaign's price. */
  sold = false

  constructor(
    readonly lines: WorkLine[],
    private readonly connection: KnownConnection,
    private readonly number: MetNumber,
    private readonly context: OfferContext,
  ) {}

  /**
   * A request meets the line of its variant that this campaign priced, else one at the catalog price, which then takes the
   * campaign's (interface §4.6 rule 2). A line that another campaign or other code priced, or that the shop has marked as
   * another thing, is changed and removed as the player asks, because the player shows it, but keeps its price; what is added
   * beside it becomes a line of its own.
   *
   * @returns why it could not be done, or not as asked
   */
  carryOut(request: LineRequest): CartReason | null {
    if (request.action === "remove") return this.#remove(request)
    const { variant } = request
    if (!variant) return { code: "product_not_found" }
    const line = this.#lineFor(request) ?? newLine(variant)
    if (line.campaignUid === null && isPlain(line)) return this.#sell(line, variant, request)
    return line.campaignUid === this.number.campaignUid
      ? this.#change(line, variant, request)
      : this.#setQuantity(line, request)
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
    // The player shows every line, and a shopper who changes or removes one means it.
    const isShown = action === "set" || action === "remove"
    const own = ofVariant.filter(({ campaignUid }) => campaignUid === this.number.campaignUid)
    if (action === "checkout" && this.number.checkoutQuantities[variantId]) {
      // A link that is opened again finds what it has put in, engraved since or not (gap 44).
      const [most] = own.sort((one, other) => other.quantity - one.quantity)
      if (most) return most
    }
    return (
      own.find(isPlain) ??
      (isShown ? own[0] : undefined) ??
      ofVariant.find((line) => line.campaignUid === null && (isShown || isPlain(line))) ??
      (isShown ? ofVariant[0] : undefined)
    )
  }

  /** Changes the pieces of a line that this campaign priced; its proven price still holds (gap 45a). */
  #change(line: WorkLine, variant: StoreVariant, request: LineRequest): CartReason | null {
    const notSold = whyNotSold(this.context.situation, this.number, variant)
    if (!notSold) return this.#sellAtCampaign(line, variant, request)
    // A payment holds the price for the pieces that it was begun for, and for no more.
    const more = this.#asked(request, line) > line.quantity
    return more ? notSold : this.#setQuantity(line, request)
  }

  /** Puts a product in at the campaign's price, or gives a line at the catalog price the campaign's. */
  #sell(line: WorkLine, variant: StoreVariant, request: LineRequest): CartReason | null {
    const offer = offerPrice(this.context, {
      connection: this.connection,
      campaignUid: this.number.campaignUid,
      variant,
      quantity: this.#asked(request, line),
    })
    if (offer.kind === "unknown") return null
    const isThere = this.lines.includes(line)
    const sets = isThere && request.action === "set"
    if (offer.kind === "campaign") {
      const { price } = offer
      const whole = !isThere || this.#maySellWhole(line, variant, request, price)
      if (whole) return this.#sellAtCampaign(line, variant, request, price)
      if (!sets) return this.#sellAtCampaign(newLine(variant), variant, request, price)
    }
    // The player shows lines that are at the catalog price too, and a shopper must be able to change them, whatever the
    // service says of their product, and when it is away.
    if (sets) return this.#setQuantity(line, request)
    if (offer.kind === "refused") return offer.reason
    const isAway = offer.kind === "unanswered"
    if (isAway && !offer.answer.catalogInstead) return offer.answer.reason
    const reason = this.#setQuantity(line, request)
    if (reason !== null && !isDoneInPart(reason)) return reason
    this.sold = true
    return reason ?? (isAway ? { code: "catalog_price" } : null)
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
    request: LineRequest,
    price: OfferedPrice,
  ): boolean {
    const isSameBasis = line.isTaxInclusive === price.isTaxInclusive
    const lost = price.isDiscountable ? 0 : (line.original?.reducedBy ?? 0)
    const isDearer = isSameBasis
      ? price.amount > line.unitPrice - lost / line.quantity
      : price.isDearer !== false || lost > 0
    if (isDearer) return false
    const { quantity, reason } = this.#clamped(line, variant, request)
    const isStock = reason?.code === "quantity_limited" && reason.params?.limit === "stock"
    return quantity >= this.#asked(request, line) || (isStock && quantity >= line.quantity)
  }

  /** @param price absent: the line has it already */
  #sellAtCampaign(
    line: WorkLine,
    variant: StoreVariant,
    request: LineRequest,
    price?: OfferedPrice,
  ): CartReason | null {
    const { quantity, reason } = this.#clamped(line, variant, request)
    if (quantity === 0) return reason
    const { connectionId, campaignUid, orderNo } = this.number
    line.by = { connectionId, campaignUid, orderNo }
    if (price) sellAtCampaignPrice(line, price, line.by)
    this.sold = true
    this.#put(line, quantity, request)
    return reason
  }

  /**
   * Sets the pieces of a line at the price that it has, of which another campaign may sell no more; a catalog price may
   * depend on how many are bought.
   */
  #setQuantity(line: WorkLine, request: LineRequest): CartReason | null {
    const { variant, variantId } = request
    const { situation } = this.context
    const asked = this.#asked(request, line)
    // Fewer than before can always be had.
    const more = asked > line.quantity ? variant : null
    const seller = line.by?.campaignUid === line.campaignUid ? line.by : null
    const notSold = seller && more ? whyNotSold(situation, seller, more) : null
    if (notSold) return notSold
    const maxQuantity = seller && more ? limitsOf(situation, seller, more).maxQuantity : null
    const limits = { ...NO_LIMITS, stock: more?.stock ?? null, maxQuantity }
    const { quantity, reason } = clampQuantity(asked, this.#besides(line), limits)
    if (quantity === 0) return reason
    if (line.campaignUid === null) {
      const price = this.context.inquiry.catalog({ variantId, quantity })
      // Core sells no further piece without a price.
      if (price === null && quantity > line.quantity) return { code: "price_unavailable" }
      if (price) sellAtCatalogPrice(line, price)
    }
    this.#put(line, quantity, request)
    return reason
  }

  /** How many pieces of a line the campaign and the stock allow. */
  #clamped(line: WorkLine, variant: StoreVariant, request: LineRequest) {
    const limits = limitsOf(this.context.situation, this.number, variant)
    return clampQuantity(this.#asked(request, line), this.#besides(line), limits)
  }

  #besides(line: WorkLine) {
    const others = this.lines.filter((other) => other !== line)
    const campaignUid = line.campaignUid ?? this.number.campaignUid
    return besides(this.context.situation, { ...line, campaignUid }, others)
  }

  #put(line: WorkLine, quantity: number, request: LineRequest): void {
    // Kept for the next time that the link is opened.
    if (request.action === "checkout") {
      const own = quantity - this.#piecesBesides(request, line)
      this.checkoutQuantities[request.variantId] = Math.max(0, own)
    }
    line.quantity = quantity
    if (!this.lines.includes(line)) this.lines.push(line)
  }

  /** How many pieces the line is to have. */
  #asked(request: LineRequest, line: WorkLine): number {
    return this.#piecesBesides(request, line) + (request.quantity ?? (line.quantity || 1))
  }

  /**
   * Pieces of the line that stay beside the requested ones. A checkout replaces what its order number put into the cart
   * before, so that a reloaded link or a double click changes nothing, whatever else happened to the line (gap 44).
   */
  #piecesBesides(request: LineRequest, line: WorkLine): number {
    if (request.action === "set") return 0
    if (request.action === "add") return line.quantity
    // Pieces that the shopper added without the show count as the link's: a link never takes pieces away.
    const wasCatalog = line.original !== null && !line.original.isCustomPrice
    const first = wasCatalog ? (request.quantity ?? 0) : 0
    return Math.max(0, line.quantity - (this.number.checkoutQuantities[request.variantId] ?? first))
  }
}
