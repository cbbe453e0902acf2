import { basisOf } from "../shared/price-basis"
import { productSells } from "./campaign-state"
import type { CartReason } from "./codes"
import type { Limits } from "./limits"
import { decidePrice, type OfferedPrice, type PricePolicy, type PriceVerdict } from "./price-policy"
import { type Inquiry, type PriceAnswer, priceQuestion } from "./prices"
import type {
  CampaignEvent,
  CampaignProduct,
  CartSituation,
  KnownConnection,
  StoreVariant,
} from "./situation"
import { pieces, type WorkLine } from "./work-lines"

/** A campaign at a connection. */
export type CampaignPlace = { connectionId: string; campaignUid: string }
export type WantedVariant = { productId: string; variantId: string | null }

/** What a plan looks into. */
export type OfferContext = { situation: CartSituation; policy: PricePolicy; inquiry: Inquiry }

/**
 * The connection of a page that sells to this cart: the one in its sales channel, in its currency (gap 46a). Another region of
 * the same currency sells at the same numbers.
 */
export function sellingConnection(
  { connections, cart }: Pick<CartSituation, "connections" | "cart">,
  pageUid: string,
): KnownConnection | "page_not_connected" | "channel_mismatch" {
  const ofPage = connections.filter((connection) => connection.pageUid === pageUid)
  if (ofPage.length === 0) return "page_not_connected"
  const inChannel = ofPage.find(({ salesChannelId }) => salesChannelId === cart.salesChannelId)
  return inChannel?.currency === cart.currency ? inChannel : "channel_mismatch"
}

/** What is known of the campaigns that a cart meets. */
type KnownCampaigns = Pick<CartSituation, "events" | "products">

export const ofPlace =
  ({ connectionId, campaignUid }: CampaignPlace) =>
  (row: CampaignPlace): boolean =>
    row.connectionId === connectionId && row.campaignUid === campaignUid

export const eventOf = (
  { events }: KnownCampaigns,
  place: CampaignPlace,
): CampaignEvent | undefined => events.find(ofPlace(place))

/**
 * What a campaign was told to sell of a product: the record that names the variant, else one that stands for the whole
 * product; one that is in the show before one that was removed. Null where none was told: then the lookup decides.
 */
export function productOf(
  { products }: Pick<CartSituation, "products">,
  place: CampaignPlace,
  { productId, variantId }: WantedVariant,
): CampaignProduct | null {
  const ofProduct = products.filter(ofPlace(place)).filter((told) => told.productId === productId)
  const rank = ({ variantIds, deleted }: CampaignProduct): number => {
    const names = variantId !== null && variantIds.includes(variantId)
    const whole = variantIds.length === 0
    return (deleted ? 0 : 4) + (names ? 2 : whole ? 1 : 0)
  }
  const [best] = ofProduct.sort((one, other) => rank(other) - rank(one))
  return best ?? null
}

/** Why a campaign does not sell a product now, whatever the service would answer; null where it may. */
export function whyNotSold(
  known: KnownCampaigns,
  place: CampaignPlace,
  wanted: WantedVariant,
): CartReason<"campaign_ended" | "not_available"> | null {
  if (eventOf(known, place)?.sells === false) return { code: "campaign_ended" }
  return productSells(productOf(known, place, wanted)) ? null : { code: "not_available" }
}

/** What a campaign offers a variant at, or why it does not. */
export type Offer =
  /** A price was not asked for yet; the plan is made again with it. */
  | { kind: "unknown" }
  /** The lookup gave no price. */
  | { kind: "unanswered"; answer: Extract<PriceAnswer, { ok: false }> }
  | { kind: "campaign"; price: OfferedPrice }
  | { kind: "refused"; reason: CartReason }
  | Exclude<PriceVerdict, { kind: "campaign" }>

/**
 * The one way to a campaign's price: the campaign sells, it sells the product, the service answers a price, and the price
 * can be charged. For a product that is put in and for a line that is priced again.
 */
export function offerPrice(
  { situation, policy, inquiry }: OfferContext,
  asked: {
    connection: KnownConnection
    campaignUid: string
    variant: StoreVariant
    quantity: number
  },
): Offer {
  const { connection, campaignUid, variant, quantity } = asked
  const place = { connectionId: connection.id, campaignUid }
  const reason = whyNotSold(situation, place, variant)
  if (reason) return { kind: "refused", reason }
  // Both are asked for at once: what is missing is then gathered in one round.
  const answer = inquiry.price(
    priceQuestion(connection.id, campaignUid, variant, productOf(situation, place, variant)),
  )
  const catalog = inquiry.catalog({ variantId: variant.variantId, quantity })
  if (answer === undefined || catalog === undefined) return { kind: "unknown" }
  if (!answer.ok) return { kind: "unanswered", answer }
  const { price } = answer
  const { currency } = situation.cart
  // The connection was chosen by the cart's currency, so an answer without one is in it.
  const basis = basisOf(price, { ...connection, currency })
  const isOtherBasis = catalog !== null && catalog.isTaxInclusive !== basis.isTaxInclusive
  const taxRate = isOtherBasis ? inquiry.taxRate(variant) : null
  if (taxRate === undefined) return { kind: "unknown" }
  const verdict = decidePrice({
    price,
    basis,
    cartCurrency: currency,
    catalog,
    taxRate,
    deadline: eventOf(situation, place)?.deadline ?? null,
    fetchedAt: answer.fetchedAt,
    source: answer.source,
    policy,
  })
  if (verdict.kind !== "campaign") return verdict
  const isDiscountable = connection.promotions === "allow"
  return { kind: "campaign", price: { ...verdict.price, isDiscountable } }
}

/** What the campaign and the stock allow of a variant that the campaign sells. */
export function limitsOf(
  situation: CartSituation,
  place: CampaignPlace,
  wanted: WantedVariant,
): Limits {
  const product = productOf(situation, place, wanted)
  const variant = situation.variants.find((candidate) => candidate.variantId === wanted.variantId)
  return {
    // Core adds none of what is not for sale any more; what is in the basket may be ordered.
    stock: variant?.forSale === false ? 0 : (variant?.stock ?? null),
    minQuantity: product?.minQuantity ?? null,
    maxQuantity: product?.maxQuantity ?? null,
  }
}

/**
 * Pieces of a product that count for a campaign's maximum beside one line: other lines', and those ordered before.
 * @param others lines of the cart; the line itself is not counted where it is among them
 */
export function besides(
  { bought }: Pick<CartSituation, "bought">,
  line: Pick<WorkLine, "variantId" | "productId" | "campaignUid">,
  others: WorkLine[],
): { ofVariant: number; ofCampaign: number } {
  const live = others.filter((other) => other !== line && !other.removed)
  const ofCampaign = (row: { campaignUid: string | null; productId: string | null }): boolean =>
    row.campaignUid === line.campaignUid && row.productId === line.productId
  return {
    ofVariant: pieces(live.filter(({ variantId }) => variantId === line.variantId)),
    ofCampaign: pieces([...live.filter(ofCampaign), ...bought.filter(ofCampaign)]),
  }
}
