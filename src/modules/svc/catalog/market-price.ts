/** The price that a product has in a market: on the basis on which the market's show prices stand (gap 30). Pure. */
import { MathBN } from "@medusajs/framework/utils"
import type { StoreMarket } from "../core-tables/store-markets"
import type { FoundPrice, TaxRate } from "../core-tables/store-prices"

/** How prices of one market are shown. */
export type PriceBasis = Pick<StoreMarket, "digits" | "region_inclusive" | "currency_inclusive"> & {
  /** Whether the connection's prices include tax: gap 34. */
  includeTax: boolean
  /** The country whose rates count; null where the store adds no taxes by itself, or knows none. */
  country: string | null
}

/**
 * @param chosen the connection's own choice; the first country with taxes where it has made none
 */
export const taxCountry = (market: StoreMarket, chosen: string | null): string | null => {
  if (!market.automatic_taxes) return null
  const [first = null] = market.countries
  return chosen !== null && market.countries.includes(chosen) ? chosen : first
}

/** The rate of a product in percent, as Medusa chooses it for a country: its own, its type's, the country's. */
export function rateOf(
  product: { id: string; type_id: string | null },
  country: string,
  rates: TaxRate[],
): string | null {
  const inCountry = rates.filter((rate) => rate.country_code === country)
  const found =
    inCountry.find((rate) => rate.reference === "product" && rate.reference_id === product.id) ??
    inCountry.find(
      (rate) => rate.reference === "product_type" && rate.reference_id === product.type_id,
    ) ??
    inCountry.find((rate) => rate.reference === null)
  return found?.rate ?? null
}

const HALF_UP = 4

/**
 * The amount that is told. It is changed only where the store keeps the price on the other basis, and then rounded to the
 * currency's places, as a shopper is charged.
 *
 * @param rate in percent; null where there is none
 */
export function shownPrice(price: FoundPrice, rate: string | null, basis: PriceBasis): number {
  const preference = price.regional ? basis.region_inclusive : null
  const inclusive = preference ?? basis.currency_inclusive ?? false
  if (rate === null || inclusive === basis.includeTax) return Number(price.amount)
  const factor = MathBN.add(1, MathBN.div(rate, 100))
  const amount = inclusive ? MathBN.div(price.amount, factor) : MathBN.mult(price.amount, factor)
  return amount.decimalPlaces(basis.digits, HALF_UP).toNumber()
}
