import type { CalculatedPriceSet, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import type { Answers, CartSituation } from "../../modules/svc/cart"
import { type CatalogQuestion, catalogKey } from "../../modules/svc/cart"

/**
 * What variants cost in a cart without the show: for this customer with its groups, in this region, for so many pieces, as
 * core's own workflow asks Medusa's pricing. Only rules about the cart's totals are not met: they are known when the line
 * is in the cart.
 *
 * @returns by `catalogKey`; null where the store has no price
 */
export async function readCatalogPrices(
  container: MedusaContainer,
  { cart, variants }: Pick<CartSituation, "cart" | "variants">,
  questions: CatalogQuestion[],
): Promise<Answers["catalog"]> {
  const pricing = container.resolve(Modules.PRICING)
  const prices: Answers["catalog"] = {}
  const priceSetOf = new Map(variants.map(({ variantId, priceSetId }) => [variantId, priceSetId]))
  await Promise.all(
    [...new Set(questions.map(({ quantity }) => quantity))].map(async (quantity) => {
      const asked = questions.filter((question) => question.quantity === quantity)
      const ids = asked.flatMap(({ variantId }) => priceSetOf.get(variantId) ?? [])
      const sets =
        ids.length === 0
          ? []
          : await pricing.calculatePrices(
              { id: [...new Set(ids)] },
              { context: { ...cart.pricing, quantity } },
            )
      const bySet = new Map(sets.map((set) => [set.id, set]))
      for (const question of asked) {
        const set = bySet.get(priceSetOf.get(question.variantId) ?? "")
        const amount = set?.calculated_amount
        prices[catalogKey(question)] =
          amount === null || amount === undefined
            ? null
            : {
                amount: Number(amount),
                isTaxInclusive: set?.is_calculated_price_tax_inclusive ?? false,
                compareAt: beforeSale(set),
              }
      }
    }),
  )
  return prices
}

/** What core strikes through on an ordinary line: the price before a sale of the store's. */
function beforeSale(set: CalculatedPriceSet | undefined): number | null {
  const before = Number(set?.original_amount ?? 0)
  const isSale = set?.calculated_price?.price_list_type === "sale"
  return isSale && before !== Number(set?.calculated_amount) ? before : null
}
