/** What a product of the store is to one connection right now. Pure: the rows and prices were read before. */

import { withoutLastSlashes } from "../../../client"
import type { SourceProduct, SourceVariant } from "../core-tables/store-products"
import type { CountryTax } from "../shared/country-tax"
import { currencyDigits } from "../shared/currency-digits"
import { messageOf } from "../shared/error-message"
import type { Reason } from "../shared/reason"
import { type FoundPrice, type StoreMarket, shownPrice } from "./market-price"
import { type Mapped, type Market, PRODUCT_URL, toPayload } from "./product-payload"
import { catalogReason } from "./reasons"
import type { CatalogSettings, ProductRule } from "./settings"

/** For sale (mapped to its payload, or refused with a reason), or gone from the store or its channel. */
export type ProductSnapshot = { title: string | null } & (
  | { kind: "for_sale"; mapped: Mapped }
  | { kind: "gone"; reason: Reason }
)

/** Everything about a connection that a payload depends on. */
export type MarketContext = {
  store: StoreMarket
  settings: CatalogSettings
  storefrontUrl: string
  /** Gap 34. */
  pricesIncludeVat: boolean
}

/** What a guest is charged, by Medusa's own answer. */
export type GuestPrices = {
  /** By price set; a set without a price is absent. */
  prices: Map<string, FoundPrice>
  /** Percent by product; one that nobody taxes is absent. */
  rates: Map<string, number>
  /** Taxes are added, and not by Medusa's own rates: nobody knows them here, and no price is converted. */
  foreignTax: CountryTax | null
}

/** What was read beside the product, for one market. */
export type ReadForMarket = GuestPrices & {
  /** The product in the market's language. */
  told: SourceProduct | undefined
}

/** Why a product is not for sale in the channel that it was read for; null where it is. */
export function goneBecause(product: SourceProduct): Reason | null {
  if (product.deleted) return catalogReason("deleted")
  if (!product.in_channel) return catalogReason("not_in_channel")
  if (product.status !== "published") return catalogReason("not_published")
  return null
}

/**
 * @param product undefined where the store has no row of that id
 */
export function snapshotOf(
  product: SourceProduct | undefined,
  context: MarketContext,
  read: ReadForMarket,
): ProductSnapshot {
  if (!product) return { kind: "gone", title: null, reason: catalogReason("deleted") }
  const { title } = product
  const reason =
    (context.store.channel_open ? null : catalogReason("channel_disabled")) ??
    goneBecause(product) ??
    excludedBecause(product, context.settings)
  if (reason) return { kind: "gone", title, reason }
  const { store, settings } = context
  if (store.region_name === null) {
    return {
      kind: "for_sale",
      title,
      mapped: { ok: false, reason: catalogReason("region_missing") },
    }
  }
  const market = {
    regionName: store.region_name,
    currencyCode: store.currency_code,
    ...addressesOf(context.storefrontUrl, settings),
  }
  try {
    const mapped = toPayload(read.told ?? product, {
      ...market,
      ...pricesOf(product, context, read),
    })
    return { kind: "for_sale", title, mapped }
  } catch (error) {
    // One product that nobody thought of must not hold up the others of its page.
    return unreadable(title, messageOf(error))
  }
}

export const unreadable = (title: string | null, problem: string): ProductSnapshot => ({
  kind: "for_sale",
  title,
  mapped: { ok: false, reason: catalogReason("unreadable", { problem }) },
})

/** How a connection's shop makes the address of a product. */
export const addressesOf = (
  storefrontUrl: string,
  settings: Pick<CatalogSettings, "product_url_template" | "locale">,
): Pick<Market, "storefrontUrl" | "productUrl" | "locale"> => ({
  storefrontUrl: withoutLastSlashes(storefrontUrl),
  productUrl: settings.product_url_template ?? PRODUCT_URL,
  locale: settings.locale,
})

function excludedBecause(product: SourceProduct, settings: CatalogSettings): Reason | null {
  const { include, exclude } = settings
  if (exclude && matches(product, exclude)) return catalogReason("excluded", { rule: "exclude" })
  if (include && hasEntries(include) && !matches(product, include)) {
    return catalogReason("excluded", { rule: "include" })
  }
  return null
}

const hasEntries = (rule: ProductRule): boolean =>
  Object.values(rule).some((entries) => entries && Object.keys(entries).length > 0)

function matches(product: SourceProduct, rule: ProductRule): boolean {
  const { collection_id, type_id, category_ids, tag_ids, metadata } = product
  return (
    (collection_id !== null && (rule.collection_ids ?? []).includes(collection_id)) ||
    (type_id !== null && (rule.type_ids ?? []).includes(type_id)) ||
    category_ids.some((id) => (rule.category_ids ?? []).includes(id)) ||
    tag_ids.some((id) => (rule.tag_ids ?? []).includes(id)) ||
    Object.entries(rule.metadata ?? {}).some(
      ([key, value]) => metadata?.[key] !== undefined && String(metadata[key]) === value,
    )
  )
}

/** What a guest pays for each variant of a product, on the connection's basis. */
function pricesOf(
  product: SourceProduct,
  { store, pricesIncludeVat }: MarketContext,
  { prices, rates, foreignTax }: ReadForMarket,
): Pick<Market, "priceOf" | "foreignTax"> {
  const basis = { digits: currencyDigits(store.currency_code), includeTax: pricesIncludeVat }
  const rate = rates.get(product.id)
  const foundFor = ({ price_set_id }: SourceVariant): FoundPrice | undefined =>
    price_set_id === null ? undefined : prices.get(price_set_id)
  const isUnconverted = product.variants.some((variant) => {
    const price = foundFor(variant)
    return price !== undefined && price.inclusive !== pricesIncludeVat
  })
  return {
    priceOf: (variant) => {
      const price = foundFor(variant)
      return price ? shownPrice(price, rate === undefined ? null : String(rate), basis) : null
    },
    foreignTax: isUnconverted && !product.is_giftcard ? foreignTax : null,
  }
}
