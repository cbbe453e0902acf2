import {
  besides,
  type CampaignPlace,
  limitsOf,
  type OfferContext,
  offerPrice,
  sellingConnection,
  whyNotSold,
} from "./campaign-offer"
import type { CartCode, CartReason } from "./codes"
import { clampQuantity } from "./limits"
import { CAMPAIGN_KEY } from "./line-columns"
import { isHeld } from "./payment-hold"
import type { OfferedPrice } from "./price-policy"
import { refused } from "./refused"
import type { CartSituation, Line } from "./situation"
import { type PricedBy, sellAtCampaignPrice, sellAtCatalogPrice, type WorkLine } from "./work-lines"

/**
 * Why the cart is priced again. `order`: it is to be ordered. `payment`: a payment begins, so everything is proven anew and
 * held. `market`: its region or channel was just changed, and the answer shows the result. `job`: nobody asked.
 * `action`: the player changes it next. `abandoned`: nobody has come back to it for so long that its records are forgotten,
 * so no line may stay at a show's price.
 */
export type Occasion = "order" | "payment" | "market" | "job" | "action" | "abandoned"

/** What may be sold of a line (`sells`), or why it is none of the campaign's any more. */
type Verdict =
  /** At the price and the tax basis that its proof says, whatever other code made of the line. */
  | { kind: "as_proven" }
  | { kind: "campaign"; price: OfferedPrice; by: PricedBy }
  | { kind: "catalog"; reason: CartReason }
  /** What it costs is not known yet. */
  | { kind: "unknown" }

export type PricingContext = OfferContext & { occasion: Occasion }

/** Whether we have a say in what a line costs: by our own record, or by its metadata where a process died before that. */
export const isCampaignLine = (line: Line): boolean =>
  (line.isCustomPrice || line.dropped) &&
  (line.proof !== null || Boolean(line.metadata?.[CAMPAIGN_KEY]))

/**
 * Prices one campaign line of the cart again, where that is due: a line whose hold ran out gets the show's present price,
 * or the catalog price where the show is over or gives none; a line that core deleted because the cart's region changed
 * comes back; a quantity that the campaign does not sell is clamped (gap 45).
 *
 * @param before lines that were priced before this one: of several that share a maximum the first keep their pieces
 */
export function repriceLine(line: WorkLine, before: WorkLine[], context: PricingContext): void {
  const { original } = line
  if (!original || !isCampaignLine(original)) return
  const verdict = judge(original, context)
  if (verdict.kind === "unknown") return

  if (verdict.kind === "catalog") {
    fallBack(line, verdict.reason, context)
    return
  }
  const { proof } = original
  if (verdict.kind === "campaign" && isMadeCheaper(original, verdict.price, context)) return
  // Before the line is changed: a price that is not sold must not be recorded as proven.
  const limited = limit(line, verdict.kind === "campaign" ? verdict.by : proof, before, context)
  if (limited?.quantity === 0) {
    fallBack(line, limited.reason ?? { code: "not_available" }, context)
    return
  }
  if (verdict.kind === "campaign") {
    line.removed = false
    sellAtCampaignPrice(line, verdict.price, verdict.by)
    // A promotion that the shopper has seen on it stays: the setting is for what is put in from now on, and nobody is told
    // of a total that changes by this alone.
    if (proof && original.isCustomPrice && !original.dropped) {
      line.isDiscountable = original.isDiscountable
    }
  } else if (proof) {
    // The record decides, also about a line whose metadata somebody wiped.
    line.removed = false
    line.campaignUid = proof.campaignUid
    line.unitPrice = proof.amount
    line.isTaxInclusive = proof.isTaxInclusive
  }
  if (limited) line.quantity = limited.quantity
  line.reason = whyChanged(line, original, context) ?? limited?.reason ?? null
}

/**
 * A price that other code set, marked as ours by a shopper: it must not become cheaper by that. One that we have changed
 * already was ours: core writes a line as it was before where one of its own workflows outlives the cart's lock.
 */
const isMadeCheaper = (
  line: Line,
  price: { amount: number; isTaxInclusive: boolean } | null,
  { situation }: Pick<PricingContext, "situation">,
): boolean =>
  line.proof === null &&
  (line.dropped ||
    !situation.changes.some(
      ({ lineId, oldUnitPrice }) => lineId === line.id && oldUnitPrice === line.unitPrice,
    )) &&
  ((price?.amount ?? 0) < line.unitPrice ||
    (!line.isTaxInclusive && price?.isTaxInclusive === true))

function judge(line: Line, context: PricingContext): Verdict {
  const { situation, occasion } = context
  const { cart, now, numbers } = situation
  const { proof } = line
  const catalog = (code: CartCode): Verdict => ({ kind: "catalog", reason: { code } })

  const held = isHeld(line, proof, cart, now)
  const asProven: Verdict = { kind: "as_proven" }
  if (held && occasion !== "payment") return asProven
  if (occasion === "abandoned") return catalog("price_unavailable")

  const campaignUid = proof?.campaignUid ?? String(line.metadata?.[CAMPAIGN_KEY])
  const by = proof ?? numbers.find((number) => number.campaignUid === campaignUid)
  const origin = situation.connections.find(({ id }) => id === by?.connectionId)
  if (!by) return catalog("price_unavailable")
  if (!origin) return catalog("campaign_ended")
  const connection = sellingConnection(situation, origin.pageUid)
  if (typeof connection === "string") return catalog("channel_mismatch")

  const variant = situation.variants.find(({ variantId }) => variantId === line.variantId)
  if (!variant || (line.dropped && !variant.forSale)) return catalog("not_for_sale")
  // What a payment holds it holds to the end, though no longer than that.
  const unlessHeld = (reason: CartReason): Verdict =>
    held ? asProven : { kind: "catalog", reason }
  const notSold = whyNotSold(situation, { connectionId: connection.id, campaignUid }, variant)
  if (notSold) return unlessHeld(notSold)

  const mustProve =
    proof === null ||
    proof.expiresAt <= now ||
    proof.connectionId !== connection.id ||
    proof.regionId !== cart.regionId ||
    proof.currency !== cart.currency
  if (!mustProve && occasion !== "payment") return asProven
  const offer = offerPrice(context, { connection, campaignUid, variant, quantity: line.quantity })
  switch (offer.kind) {
    case "unknown":
      return { kind: "unknown" }
    case "unanswered": {
      if (mustProve && offer.answer.reason.code === "too_many_requests") {
        // It was we who did not ask: the service may well sell it still. Whoever wants to pay now tries again in a moment.
        if (occasion === "order" || occasion === "payment") {
          throw refused("too_many_requests", offer.answer.reason.params)
        }
        return { kind: "unknown" }
      }
      // A service that is away does not void what it said a moment ago.
      const isAway = offer.answer.reason.code !== "not_in_show"
      return !mustProve && isAway ? asProven : unlessHeld(offer.answer.reason)
    }
    case "refused":
      return unlessHeld(offer.reason)
    case "catalog":
      return catalog("price_changed")
    case "campaign":
      return {
        kind: "campaign",
        price: offer.price,
        by: { connectionId: connection.id, campaignUid, orderNo: by.orderNo },
      }
  }
}

/** Clamps a line to what the campaign sells. Core checks the stock, except for pieces that are added here. */
function limit(
  line: WorkLine,
  by: CampaignPlace | null,
  before: WorkLine[],
  { situation }: PricingContext,
) {
  const { original, productId, variantId } = line
  if (!original || !by || !productId) return null
  // What a payment holds, it holds for these pieces.
  if (isHeld(original, original.proof, situation.cart, situation.now)) return null
  const limits = limitsOf(situation, by, { productId, variantId })
  const adds = line.quantity < (limits.minQuantity ?? 0)
  return clampQuantity(
    line.quantity,
    besides(situation, { productId, variantId, campaignUid: by.campaignUid }, before),
    adds ? limits : { ...limits, stock: null },
  )
}

/** Puts a line back to the catalog price; one that the store does not sell any more is removed. */
function fallBack(
  line: WorkLine,
  reason: CartReason,
  { situation, inquiry }: PricingContext,
): void {
  const { original } = line
  if (!original) return
  const variant = situation.variants.find(({ variantId }) => variantId === line.variantId)
  // A line that core deleted is restored only if its product could be bought now.
  const exists = variant && (variant.forSale || !original.dropped)
  const price = exists
    ? inquiry.catalog({ variantId: variant.variantId, quantity: original.quantity })
    : null
  if (price === undefined || isMadeCheaper(original, price, { situation })) return
  line.quantity = original.quantity
  line.removed = false
  sellAtCatalogPrice(line, price)
  const changed = line.removed || costsOther(line, original) || moved(original, situation)
  line.reason = changed ? reason : null
}

const costsOther = (line: WorkLine, original: Line): boolean =>
  line.unitPrice !== original.unitPrice || line.isTaxInclusive !== original.isTaxInclusive

/** Whether the line was priced for another region or currency than the cart has now. */
const moved = ({ proof, dropped }: Line, { cart }: CartSituation): boolean =>
  dropped || (proof !== null && proof.currency !== cart.currency)

function whyChanged(
  line: WorkLine,
  original: Line,
  { situation, occasion }: PricingContext,
): CartReason | null {
  if (moved(original, situation)) {
    // The answer to the change of region shows the line where it is.
    return occasion === "market" ? null : { code: "region_changed" }
  }
  // So does the answer to a change that core made wrongly and that we set right before it was sent.
  const repaired = occasion === "market" && line.proven === null
  return costsOther(line, original) && !repaired ? { code: "price_changed" } : null
}
