import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import type { Connection } from "../../modules/svc"
import {
  type FoundPrice,
  type GuestPrices,
  guestContext,
  requireCatalogSettings,
  type SourceProduct,
  type StoreMarket,
  taxedCountries,
} from "../../modules/svc/catalog"
import { readTaxRates } from "../shared"

/**
 * What products cost in the cart of a guest of the connection, by Medusa's own answer: its pricing module with what such
 * a cart says, and its tax module for the country. Two statements of each module for a page, on the shop's own pool.
 */
export async function readGuestPrices(
  container: MedusaContainer,
  connection: Connection,
  { market, products }: { market: StoreMarket; products: SourceProduct[] },
): Promise<GuestPrices> {
  const { locale, country_code } = requireCatalogSettings(connection.catalog)
  const sets = products.flatMap(({ variants }) =>
    variants.flatMap(({ price_set_id }) => price_set_id ?? []),
  )
  if (sets.length === 0) return { prices: new Map(), rates: new Map(), foreignTax: null }
  const found = await container
    .resolve(Modules.PRICING)
    .calculatePrices({ id: sets }, { context: guestContext(market, connection, locale) })
  const prices = new Map(
    found.flatMap((set): [string, FoundPrice][] => {
      const { calculated_amount: amount, is_calculated_price_tax_inclusive: inclusive } = set
      return amount === null ? [] : [[set.id, { amount: String(amount), inclusive: !!inclusive }]]
    }),
  )
  // Most stores keep their prices as they are told: nobody has to know the taxes in them.
  const isToConvert = [...prices.values()].some(
    ({ inclusive }) => inclusive !== connection.prices_include_vat,
  )
  const countries = isToConvert ? taxedCountries(market, country_code) : []
  const taxing = { countries, currency_code: market.currency_code }
  // Medusa leaves the id of a deleted type on its products, and charges no tax by it.
  const taxed = products.map(({ id, is_giftcard, type_id, type_value }) => ({
    id,
    is_giftcard,
    type_id: type_value === null ? null : type_id,
  }))
  return { prices, ...(await readTaxRates(container, taxing, taxed)) }
}
