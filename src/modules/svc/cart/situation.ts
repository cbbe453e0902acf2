import type { TaxedProduct, Taxing } from "../shared/country-tax"
import type { CartParams } from "./codes"

/**
 * Everything that decides what becomes of a cart, as one statement reads it (`core-tables/cart-situations.ts`) under the
 * cart's lock; anew after each time the lock was given back to ask for something. Times in ms since the epoch by
 * the database's clock, amounts in major units.
 */
export type CartSituation = {
  now: number
  cart: CartNow
  /** The cart's lines, and those that core deleted because the cart's region changed (`dropped`). */
  lines: Line[]
  /** Order numbers that the cart met, the latest first. */
  numbers: MetNumber[]
  /** Connections of the pages that the cart met, and of the action's page. */
  connections: KnownConnection[]
  /** What is known of the campaigns concerned, for each connection; a campaign that nobody told us of is missing. */
  events: CampaignEvent[]
  /** Products of those campaigns as far as they were told, also those that were removed from them. */
  products: CampaignProduct[]
  /** Variants that the lines have or that the action may mean. */
  variants: StoreVariant[]
  /** Pieces that this customer has in placed orders, by campaign and product, where the campaign has a maximum. */
  bought: { connectionId: string; campaignUid: string; productId: string; quantity: number }[]
  /** Changes of lines that no shopper was told about. */
  changes: PriceChange[]
  payment: CartPayment
  /** A line was written after the discounts of all were computed, as a process leaves it that dies in between. */
  hasOldDiscounts: boolean
}

export type CartNow = {
  id: string
  regionId: string
  currency: string
  salesChannelId: string
  customerId: string | null
  customerHasAccount: boolean
  locale: string | null
  /** When its order was placed; null: it is open. */
  completedAt: number | null
  /** The order number that the cart's metadata shows to people. */
  shownOrderNo: string | null
  /** What core's price rules may ask of a cart. */
  pricing: Record<string, string | number>
  /** Null: the store computes no tax there, or knows no country yet. */
  taxing: Taxing | null
}

export type Line = {
  id: string
  variantId: string | null
  productId: string | null
  sku: string | null
  title: string
  quantity: number
  unitPrice: number
  compareAt: number | null
  isTaxInclusive: boolean
  isCustomPrice: boolean
  isDiscountable: boolean
  /** What the store says of its product, and of the line without the show. */
  isProductDiscountable: boolean
  /** What promotions take off all its pieces together, on its tax basis. */
  reducedBy: number
  metadata: Record<string, unknown> | null
  dropped: boolean
  proof: Proof | null
}

/** Where the campaign price of a line came from: our own record. Shoppers can write a line's metadata, not this. */
export type Proof = {
  connectionId: string
  campaignUid: string
  orderNo: string
  regionId: string | null
  amount: number
  currency: string
  isTaxInclusive: boolean
  expiresAt: number
  /** A payment that has begun holds the price until then, for so many pieces; null: none has. */
  heldUntil: number | null
  heldQuantity: number | null
}

export type MetNumber = {
  connectionId: string
  campaignUid: string
  orderNo: string
  /** The page that the connection had when the cart met it (`pageOf`). */
  page: string
  /** Pieces by variant that its checkouts put into the cart (gap 44). */
  checkoutQuantities: CheckoutQuantities
}

/** A number as it was before a change wrote it at `writtenAt`; `usedAt` is null where that change has met it first. */
export type NumberBefore = {
  id: string
  writtenAt: string
  usedAt: string | null
  page: string | null
  checkoutQuantities: CheckoutQuantities | null
  shown: string | null
}

/** Pieces of each variant that an order number's checkout put into the cart. */
export type CheckoutQuantities = Record<string, number>

export type KnownConnection = {
  id: string
  pageUid: string
  salesChannelId: string
  /** Of its region; null where that is gone. */
  currency: string | null
  pricesIncludeVat: boolean
  /** Whether the store's promotions also apply to what is sold at the show's price. */
  promotions: "allow" | "exclude"
  /** Of its address and token: another one needs another client. */
  version: string
  /** Its page now, as a met number names it. */
  page: string
}

/** The event that stands for a campaign: interface §6.2 rule 2. */
export type CampaignEvent = {
  connectionId: string
  campaignUid: string
  /** By the one rule (`SELLS`). */
  sells: boolean
  /** It was told to be on sale at this moment (`IS_ON_SALE`). */
  onSale: boolean
  /** When it stops selling; null: not known. */
  deadline: number | null
}

export type CampaignProduct = {
  connectionId: string
  campaignUid: string
  productId: string
  /** That the service took the product with: of one with a single variant the variant's (gap 26). */
  sku: string | null
  /** Empty where it stands for all variants of the product. */
  variantIds: string[]
  price: number | null
  variantPrices: Record<string, number>
  available: boolean
  minQuantity: number | null
  maxQuantity: number | null
  deleted: boolean
  /**
   * When what we know of it was so, as the delivery or the lookup said that told it: an older delivery that comes late
   * makes it no fresher.
   */
  toldAt: number
  /** What was told contradicts itself, may be out of date, or no lookup could confirm it: it is not to be relied on. */
  doubtful: boolean
}

export type StoreVariant = {
  variantId: string
  sku: string | null
  productId: string
  /** The product's, which the service has for its sku while it has several variants (gap 26). Null where one of them has it too. */
  handle: string | null
  /** It is older than what the show told first of the product: what was told before it may be of one that was deleted since. */
  wasThere: boolean
  /** Its product, as taxes are asked for. */
  taxed: TaxedProduct
  priceSetId: string | null
  /** How many variants the product has. */
  siblings: number
  /** Published, and in the cart's sales channel. */
  forSale: boolean
  /** Pieces that can be sold; null where stock is not managed or backorder is allowed. */
  stock: number | null
}

/** A line that was priced again, limited or removed, until a shopper was told. */
export type PriceChange = {
  id: string
  lineId: string
  variantId: string | null
  title: string
  oldUnitPrice: number
  oldIsTaxInclusive: boolean
  oldQuantity: number | null
  /** Of the old price. */
  currency: string
  reason: string
  params: CartParams | null
  removed: boolean
  /** Nobody was told of an earlier change of the line either: which of its prices a page has shown last is not known. */
  again: boolean
  /** When an answer carried it; null: none has. */
  answeredAt: number | null
  /** Payment sessions that existed when the line changed. */
  sessionsBefore: string[]
}

export type CartPayment = {
  collection: { amount: number; currency: string } | null
  sessions: PaymentSession[]
}

export type PaymentSession = {
  id: string
  status: string
  amount: number
  currency: string
}
