/** The price that a product has in a market: on the basis on which the market's show prices stand (gap 30). Pure. */
import { normalizeLocale } from "@medusajs/framework/utils"
import { onOtherBasis } from "../shared/price-basis"

/** A sales channel and region of the store, as far as payloads depend on them. */
export type StoreMarket = {
  /** The channel is turned off or was deleted: nothing in it is for sale. */
  channel_open: boolean
  /** Null where the region does not exist any more; then the rest is empty. */
  region_name: string | null
  currency_code: string
  automatic_taxes: boolean
  /** Codes of the region's countries, in alphabetical order. */
  countries: string[]
}

/** What a guest's cart is charged for one piece, by Medusa's pricing. */
export type FoundPrice = {
  /** A decimal string. */
  amount: string
  /** Whether tax is in it. */
  inclusive: boolean
}

/**
 * The countries of which the first with taxes counts, as in the cart of a guest from there: the connection's choice, else the
 * region's. None where the store adds no taxes by itself.
 */
export function taxedCountries(
  market: Pick<StoreMarket, "automatic_taxes" | "countries">,
  chosen: string | null,
): string[] {
  if (!market.automatic_taxes) return []
  return chosen !== null && market.countries.includes(chosen) ? [chosen] : market.countries
}

/**
 * What a guest's cart says where prices are asked for. A cart has an address from the first moment where its region has
 * one country; else nobody knows the country before the checkout.
 */
export function guestContext(
  market: Pick<StoreMarket, "currency_code" | "countries">,
  connection: { region_id: string; sales_channel_id: string },
  locale: string | null,
): Record<string, string | number> {
  const [country, ...others] = market.countries
  return {
    currency_code: market.currency_code,
    region_id: connection.region_id,
    sales_channel_id: connection.sales_channel_id,
    quantity: 1,
    ...(country && others.length === 0 ? { "shipping_address.country_code": country } : {}),
    ...(locale ? { locale: normalizeLocale(locale) } : {}),
  }
}

/**
 * The amount that is told. It is changed only where the store keeps the price on the other basis, and then rounded to the
 * currency's places, as a shopper is charged.
 *
 * @param rate in percent; null where no tax is added
 * @param includeTax whether the connection's prices include tax: gap 34
 */
export function shownPrice(
  price: FoundPrice,
  rate: string | null,
  { digits, includeTax }: { digits: number; includeTax: boolean },
): number {
  if (rate === null || price.inclusive === includeTax) return Number(price.amount)
  return onOtherBasis({ amount: price.amount, isTaxInclusive: price.inclusive }, rate, digits)
}
