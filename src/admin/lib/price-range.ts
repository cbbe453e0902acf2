import type { EventProduct } from "./types"

/** The price of a product in a show. Variants can have prices of their own, else the product's: from the lowest to the highest. */
export function priceRange(
  product: Pick<EventProduct, "price" | "variants">,
  money: (amount: number | null) => string,
): string {
  const prices = product.variants.flatMap(({ price }) => price ?? product.price ?? [])
  if (prices.length === 0) return money(product.price)
  return rangeOf(Math.min(...prices), Math.max(...prices), money)
}

/**
 * What the same costs in the catalog; what the service says of it, where the store has not sent the product.
 *
 * @param money an amount of the show's currency, where no other is named
 */
export function catalogPriceRange(
  { catalog_item: item, suggested_retail_price }: EventProduct,
  money: (amount: number | null, currency?: string | null) => string,
): string {
  if (!item?.price) return money(suggested_retail_price)
  const { min, max, currency_code } = item.price
  return rangeOf(min, max, (amount) => money(amount, currency_code))
}

const rangeOf = (low: number, high: number, money: (amount: number) => string): string =>
  low === high ? money(low) : `${money(low)} – ${money(high)}`
