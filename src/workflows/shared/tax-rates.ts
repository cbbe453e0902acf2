import type { MedusaContainer } from "@medusajs/framework/types"
import { MathBN, Modules } from "@medusajs/framework/utils"
import {
  type CountryTax,
  isOwnProvider,
  type TaxedProduct,
  type Taxing,
  taxOf,
} from "../../modules/svc/shared/country-tax"

/**
 * What Medusa taxes products with, as core computes the tax lines of a cart: gift cards have none. The one question to its tax
 * module, for the catalog and for baskets. Another provider than Medusa's own is not asked: it computes the tax of a whole
 * checkout, and throws, or answers a rate of 0, where something of that is missing.
 *
 * @returns rates in percent by product, one that no tax is taken for is missing; and the taxes that count where somebody else
 * computes them, so that no rate is known
 */
export async function readTaxRates(
  container: MedusaContainer,
  { countries, province_code, currency_code }: Taxing,
  products: TaxedProduct[],
): Promise<{ rates: Map<string, number>; foreignTax: CountryTax | null }> {
  const rates = new Map<string, number>()
  if (countries.length === 0) return { rates, foreignTax: null }
  const taxes = container.resolve(Modules.TAX)
  const regions = await taxes.listTaxRegions(
    { country_code: countries },
    { select: ["country_code", "province_code", "provider_id"], take: null },
  )
  const taxed = regions.flatMap(({ country_code, province_code, provider_id }) =>
    country_code && !province_code ? [{ country: country_code, provider: provider_id }] : [],
  )
  const tax = taxOf(countries, taxed)
  if (!tax) return { rates, foreignTax: null }
  if (!isOwnProvider(tax)) return { rates, foreignTax: tax }
  const lines = await taxes.getTaxLines(
    products
      .filter(({ is_giftcard }) => !is_giftcard)
      .map(({ id, type_id }) => ({
        id,
        product_id: id,
        currency_code,
        ...(type_id ? { product_type_id: type_id } : {}),
      })),
    { address: { country_code: tax.country, ...(province_code ? { province_code } : {}) } },
  )
  for (const line of lines) {
    if (!("line_item_id" in line)) continue
    const { line_item_id: id, rate } = line
    rates.set(id, MathBN.sum(rates.get(id) ?? 0, rate ?? 0).toNumber())
  }
  return { rates, foreignTax: null }
}
