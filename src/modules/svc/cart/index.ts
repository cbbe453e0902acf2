import { PriceLookup } from "./lookup/price-lookup"
import { TokenBuckets } from "./lookup/token-buckets"
import type { PricePolicy } from "./price-policy"

/**
 * Carts: everything that decides about one, what is recorded of it, campaign prices, asked for while a shopper waits, and
 * how often a shopper may act.
 *
 * @param parts.store statements on Medusa's own tables
 * @param parts.policy what the options say of prices, asked for each time
 */
export function createCart<Store extends object>(parts: {
  store: Store
  policy: () => PricePolicy
  lookup: ConstructorParameters<typeof PriceLookup>
}) {
  const { store, policy, lookup } = parts
  return {
    ...store,
    priceLookup: new PriceLookup(...lookup),
    /**
     * Cart actions by basket, in this process: 60 at once, two a second. Nothing is counted by address: behind a storefront's
     * own server or two proxies all shoppers have one, and without a proxy anybody can name another. That is the gateway's work.
     */
    actionLimits: new TokenBuckets(60, 2),
    pricePolicy: policy,
  }
}

// What workflows use of this room beside its face: pure decisions and the types of its rows.
export { brokenLimit } from "./broken-limit"
export { eventOf, productOf, whyNotSold } from "./campaign-offer"
export { isToldGone } from "./campaign-state"
export type { CartAction } from "./carry-out"
export { CART_CODES, type CartCode, type CartParams, type CartReason } from "./codes"
export { cacheTag, PRICE_TTL_S, type SharedCache } from "./lookup/price-lookup"
export { type CartAccess, mayUseCart } from "./may-use-cart"
export * from "./payment-hold"
export * from "./plan"
export {
  type Answers,
  type CatalogQuestion,
  catalogKey,
  isAnswered,
  type PriceAnswer,
  type PriceQuestion,
  priceKey,
  toldPrice,
} from "./prices"
export { refused } from "./refused"
export { isCampaignLine } from "./reprice-line"
export type { FailedProduct } from "./requests"
export { chooseLanguage, isSpoken, type Language, sentence, sentenceOf } from "./sentences"
export type { CartSituation, NumberBefore } from "./situation"
export { agreedChanges, type ChangedLine, untoldChanges } from "./told"
