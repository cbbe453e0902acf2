import type { MedusaContainer } from "@medusajs/framework/types"
import type { Answers, CartSituation } from "../../modules/svc/cart"
import type { TaxedProduct } from "../../modules/svc/shared/country-tax"
import { readTaxRates } from "../shared"

/**
 * What Medusa taxes products with in a cart, in percent. Asked only where a show's price and the catalog's stand on
 * different tax bases.
 *
 * @returns by product; null where it is not known: the store computes no tax there, the address has no country yet, or another
 * provider than Medusa's own computes it
 */
export async function readCartTaxRates(
  container: MedusaContainer,
  { taxing }: CartSituation["cart"],
  products: TaxedProduct[],
): Promise<Answers["taxRates"]> {
  if (products.length === 0) return {}
  const read = taxing && (await readTaxRates(container, taxing, products))
  const rateOf = (id: string) => (read && !read.foreignTax ? (read.rates.get(id) ?? 0) : null)
  return Object.fromEntries(products.map(({ id }) => [id, rateOf(id)]))
}
