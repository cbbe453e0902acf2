/**
 * Nobody pays a price they did not see. The store answers 409 where it corrects a price while the
 * order is placed; but a price may also change behind an open page (a show ends, another tab), and
 * then the next answer of the store simply holds another number. This notices.
 */
import type { PriceChange } from "medusa-plugin-svc/storefront"
import type { Cart } from "./api"

export type SeenPrices = ReadonlyMap<string, number>

export const pricesOf = (cart: Cart): SeenPrices =>
  new Map(cart.items.map(({ id, unit_price }) => [id, unit_price]))

/**
 * The lines that cost something else than the shopper saw. Lines that came or went are the
 * shopper's own doing.
 */
export function changesSince(seen: SeenPrices, cart: Cart): PriceChange[] {
  return cart.items.flatMap((line) => {
    const old = seen.get(line.id)
    if (old === undefined || old === line.unit_price) {
      return []
    }
    return {
      line_item_id: line.id,
      variant_id: line.variant_id,
      title: line.product_title,
      old_unit_price: old,
      new_unit_price: line.unit_price,
      currency_code: cart.currency_code,
      reason: "price_changed" as const,
    }
  })
}
