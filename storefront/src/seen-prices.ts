/**
 * Nobody pays a price they did not see. The store says so where it corrects a price while the order
 * is placed; but a price may also change behind an open page (a show ends and the store puts
 * its lines back, another tab acts), and then the next answer of the store simply holds another
 * number. This notices, for a checkout that compares before it orders.
 */
import type { PriceChange } from "./price-change.ts"

/** The part of Medusa's cart that is compared. */
interface PricedCart {
  currency_code: string
  items?: { id: string; title: string; variant_id?: string | null; unit_price: number }[] | null
}

/** Unit price by line, as the shopper saw it. Kept in memory only. */
export type SeenPrices = ReadonlyMap<string, number>

export const seenPrices = (cart: PricedCart): SeenPrices =>
  new Map(cart.items?.map(({ id, unit_price }) => [id, unit_price]))

/**
 * The lines of `cart` that cost something else than the shopper saw. Lines that came or went are
 * the shopper's own doing.
 */
export function changesSince(seen: SeenPrices, cart: PricedCart): PriceChange[] {
  return (cart.items ?? []).flatMap(({ id, title, variant_id, unit_price }) => {
    const old = seen.get(id)
    return old === undefined || old === unit_price
      ? []
      : {
          line_item_id: id,
          variant_id: variant_id ?? null,
          title,
          old_unit_price: old,
          new_unit_price: unit_price,
          currency_code: cart.currency_code,
          reason: "price_changed" as const,
        }
  })
}
