import type { CartReason } from "./codes"
import type { StoreVariant } from "./situation"

/** How the player names a product; given back with a refusal, so that it finds its own. */
export type ProductRef = {
  product_id: string
  variant_id?: string | null
  sku?: string | null
  quantity?: number
}

/** A variant of the store as far as finding it needs. */
export type Candidate = Pick<StoreVariant, "variantId" | "sku" | "productId" | "forSale">

/** Why nothing that may be sold was found. */
type NoMatch = CartReason<"product_not_found" | "variant_required" | "not_for_sale">

/**
 * Finds the variant that a cart action means: gap 38. `variant_id` decides where it is given (as an id, else as a
 * sku); otherwise `product_id` is a product id, a variant id or a sku, in this order; a `sku` beside it is the
 * last help. Pure: the candidates were read in one query.
 *
 * @returns one of the candidates, or the reason, which alone has a `code`
 */
export function matchVariant<C extends Candidate>(ref: ProductRef, candidates: C[]): C | NoMatch {
  const named = (value: string): C | undefined =>
    candidates.find((candidate) => candidate.variantId === value) ??
    candidates.find((candidate) => candidate.sku === value)

  const ofProduct = candidates.filter((candidate) => candidate.productId === ref.product_id)
  let found: C | undefined
  if (ref.variant_id) {
    found = named(ref.variant_id)
    const product = ofProduct[0] ?? named(ref.product_id)
    // A variant of another product is a mix-up at the sender; selling it would be a guess.
    if (found && product && found.productId !== product.productId) found = undefined
  } else if (ofProduct.length === 1) {
    found = ofProduct[0]
  } else if (ofProduct.length > 1) {
    found = ref.sku ? ofProduct.find((candidate) => candidate.sku === ref.sku) : undefined
    if (!found) return { code: "variant_required" }
  } else {
    found = named(ref.product_id) ?? (ref.sku ? named(ref.sku) : undefined)
  }
  if (!found) return { code: "product_not_found" }
  return found.forSale ? found : { code: "not_for_sale" }
}
