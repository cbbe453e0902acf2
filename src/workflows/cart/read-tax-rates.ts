import type { MedusaContainer } from "@medusajs/framework/types"
import { MathBN, Modules } from "@medusajs/framework/utils"
import type { Answers, CartSituation } from "../../modules/svc/cart"

/**
 * What Medusa taxes variants with in a cart, in percent: for this shopper's address, customer groups and region, as core
 * computes the tax lines of the cart. Asked only where a show's price and the catalog's stand on different tax bases.
 *
 * @returns by variant; null where the store computes no tax there, or the address is not known yet
 */
export async function readTaxRates(
  container: MedusaContainer,
  { cart, variants }: Pick<CartSituation, "cart" | "variants">,
  variantIds: string[],
): Promise<Answers["taxRates"]> {
  const rates: Answers["taxRates"] = Object.fromEntries(variantIds.map((id) => [id, null]))
  if (variantIds.length === 0 || cart.taxing === null) return rates
  const lines = await container.resolve(Modules.TAX).getTaxLines(
    variants
      .filter(({ variantId }) => variantId in rates)
      .map(({ variantId, productId, typeId }) => ({
        id: variantId,
        product_id: productId,
        product_type_id: typeId ?? undefined,
        currency_code: cart.currency,
      })),
    { ...cart.taxing, is_return: false },
  )
  for (const variantId of variantIds) {
    const own = lines.filter((line) => "line_item_id" in line && line.line_item_id === variantId)
    // Without a line the store takes no tax for it.
    rates[variantId] = MathBN.sum(0, ...own.map(({ rate }) => rate ?? 0)).toNumber()
  }
  return rates
}
