import type { EventProduct } from "./types"

/** The price of a product in a show. Variants can have prices of their own: then from the lowest to the highest. */
export function priceRange(
  product: Pick<EventProduct, "price" | "variants">,
  money: (amount: number | null) => string,
): string {
  const prices = product.variants.flatMap((variant) => variant.price ?? [])
  if (prices.length === 0) return money(product.price)
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  return low === high ? money(low) : `${money(low)} – ${money(high)}`
}
