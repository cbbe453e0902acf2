/** What a product of the store is to one connection right now. Pure: the rows and prices were read before. */
import type { SourceProduct } from "../core-tables/store-products"
import type { Reason } from "../shared/reason"
import {
  type Amount,
  type CatalogProduct,
  type Mapped,
  type Market,
  toPayload,
} from "./product-payload"
import { REASON } from "./reasons"

/** For sale (mapped to its payload, or refused with a reason), or gone from the store or its channel. */
export type ProductSnapshot = { title: string | null } & (
  | { kind: "for_sale"; mapped: Mapped }
  | { kind: "gone"; reason: Reason }
)

/** Why a product is not for sale in the channel that it was read for; null where it is. */
export function goneBecause(product: SourceProduct): Reason | null {
  if (product.deleted) return REASON.deleted()
  if (!product.in_channel) return REASON.not_in_channel()
  if (product.status !== "published") return REASON.not_published()
  return null
}

/**
 * @param product undefined where the store has no row of that id
 * @param market null where the connection's region does not exist any more
 * @param prices what a guest pays now, by price set
 */
export function snapshotOf(
  product: SourceProduct | undefined,
  market: Market | null,
  prices: Map<string, Amount>,
): ProductSnapshot {
  if (!product) return { kind: "gone", title: null, reason: REASON.deleted() }
  const { title } = product
  const reason = goneBecause(product)
  if (reason) return { kind: "gone", title, reason }
  const mapped: Mapped = market
    ? toPayload(toCatalogProduct(product, prices), market)
    : { ok: false, reason: REASON.region_missing() }
  return { kind: "for_sale", title, mapped }
}

function toCatalogProduct(product: SourceProduct, prices: Map<string, Amount>): CatalogProduct {
  return {
    id: product.id,
    title: product.title,
    handle: product.handle,
    thumbnail: product.thumbnail,
    images: product.images,
    options: product.option_titles.map((title) => ({ title, values: valuesOf(product, title) })),
    variants: product.variants.map((variant) => ({
      id: variant.id,
      title: variant.title,
      sku: variant.sku,
      thumbnail: variant.thumbnail,
      rank: variant.rank,
      manageInventory: variant.manage_inventory,
      allowBackorder: variant.allow_backorder,
      price: (variant.price_set_id && prices.get(variant.price_set_id)) ?? null,
      options: variant.options,
      parts: variant.parts,
    })),
  }
}

/** The values that the product's variants have, in the option's order. */
function valuesOf(product: SourceProduct, title: string): string[] {
  const ranked = product.variants
    .flatMap((variant) => variant.options)
    .filter((option) => option.title === title)
    .sort((a, b) => (a.rank ?? Number.MAX_SAFE_INTEGER) - (b.rank ?? Number.MAX_SAFE_INTEGER))
  return [...new Set(ranked.map((option) => option.value))]
}
