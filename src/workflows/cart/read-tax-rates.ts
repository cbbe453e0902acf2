import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN, Modules } from "@medusajs/framework/utils"
import type { Answers, CartSituation } from "../../modules/svc/cart"

/**
 * What Medusa taxes variants with in a cart, in percent: for this shopper's address, customer groups and region, as core
 * computes the tax lines of the cart. Asked only where a show's price and the catalog's stand on different tax bases.
 *
 * @returns by variant; null where the store computes no tax there, or the address is not known yet
 */
export async function readTaxRates(
  container: MedusaContainer,
  { cart: { id }, variants }: Pick<CartSituation, "cart" | "variants">,
  variantIds: string[],
): Promise<Answers["taxRates"]> {
  const rates: Answers["taxRates"] = Object.fromEntries(variantIds.map((id) => [id, null]))
  if (variantIds.length === 0) return rates
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const asked = variants.filter(({ variantId }) => variantId in rates)
  const [{ data: carts }, { data: products }] = await Promise.all([
    query.graph({
      entity: "cart",
      fields: [
        "currency_code",
        "locale",
        "region.automatic_taxes",
        "shipping_address.*",
        "customer.id",
        "customer.email",
        "customer.groups.id",
      ],
      filters: { id },
    }),
    query.graph({
      entity: "product",
      fields: ["id", "type_id"],
      filters: { id: [...new Set(asked.map(({ productId }) => productId))] },
    }),
  ])
  const cart = carts[0]
  const address = cart?.shipping_address
  if (!cart?.region?.automatic_taxes || !address?.country_code) return rates
  const { customer } = cart
  const typeOf = new Map(products.map((product) => [product.id, product.type_id]))
  const lines = await container.resolve(Modules.TAX).getTaxLines(
    asked.map(({ variantId, productId }) => ({
      id: variantId,
      product_id: productId,
      product_type_id: typeOf.get(productId) ?? undefined,
      currency_code: cart.currency_code,
    })),
    {
      address: {
        country_code: address.country_code,
        province_code: address.province ?? undefined,
        city: address.city ?? undefined,
        postal_code: address.postal_code ?? undefined,
      },
      ...(customer
        ? {
            customer: {
              id: customer.id,
              email: customer.email ?? "",
              customer_groups: (customer.groups ?? []).flatMap(
                (group: { id: string } | null) => group?.id ?? [],
              ),
            },
          }
        : {}),
      is_return: false,
    },
  )
  for (const variantId of variantIds) {
    const own = lines.filter((line) => "line_item_id" in line && line.line_item_id === variantId)
    // Without a line the store takes no tax for it.
    rates[variantId] = MathBN.sum(0, ...own.map(({ rate }) => rate ?? 0)).toNumber()
  }
  return rates
}
