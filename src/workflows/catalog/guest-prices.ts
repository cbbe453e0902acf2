import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import type { Connection } from "../../modules/svc"
import {
  type FoundPrice,
  type GuestPrices,
  guestContext,
  isOwnProvider,
  requireCatalogSettings,
  type SourceProduct,
  type StoreMarket,
  taxOf,
} from "../../modules/svc/catalog"

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
  if (!isToConvert || !market.automatic_taxes) return { prices, rates: new Map(), foreignTax: null }
  return { prices, ...(await readTaxes(container, market, country_code, products)) }
}

async function readTaxes(
  container: MedusaContainer,
  market: StoreMarket,
  chosen: string | null,
  products: SourceProduct[],
): Promise<Omit<GuestPrices, "prices">> {
  const taxes = container.resolve(Modules.TAX)
  const regions = await taxes.listTaxRegions(
    { country_code: market.countries },
    { select: ["country_code", "province_code", "provider_id"], take: null },
  )
  const taxed = regions.flatMap(({ country_code, province_code, provider_id }) =>
    country_code && !province_code ? [{ country: country_code, provider: provider_id }] : [],
  )
  const tax = taxOf(market, chosen, taxed)
  if (!tax) return { rates: new Map(), foreignTax: null }
  if (!isOwnProvider(tax)) return { rates: new Map(), foreignTax: tax }
  // As a cart asks: it leaves gift cards out.
  const lines = await taxes.getTaxLines(
    products
      .filter(({ is_giftcard }) => !is_giftcard)
      .map(({ id, type_id }) => ({
        id,
        product_id: id,
        ...(type_id ? { product_type_id: type_id } : {}),
        quantity: 1,
        currency_code: market.currency_code,
      })),
    { address: { country_code: tax.country } },
  )
  const rates = new Map<string, number>()
  for (const line of lines) {
    if (!("line_item_id" in line)) continue
    rates.set(line.line_item_id, (rates.get(line.line_item_id) ?? 0) + Number(line.rate ?? 0))
  }
  return { rates, foreignTax: null }
}
