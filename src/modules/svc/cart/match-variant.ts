import type { ProductRef } from "./plan"
import type { LineCode } from "./price-policy"

/** What has to be known of a variant of the store to find it by what a player sends. */
export type Candidate = {
  variantId: string
  sku: string | null
  productId: string
  /** How many variants the product has. */
  siblings: number
  /** Published, and in the cart's sales channel. */
  forSale: boolean
}

type Match<C extends Candidate> =
  | { ok: true; variant: C }
  | { ok: false; code: LineCode; message: string }

/**
 * Finds the variant that a cart action means (gap 38). Where `variant_id` is given it decides: as an id, else as a
 * sku. Otherwise `product_id` is tried as a product id, a variant id and a sku, in this order, and a `sku` beside it
 * is tried last. Pure: the candidates were read in one query.
 */
export function matchVariant<C extends Candidate>(ref: ProductRef, candidates: C[]): Match<C> {
  const named = (value: string): C | undefined =>
    candidates.find((candidate) => candidate.variantId === value) ??
    candidates.find((candidate) => candidate.sku === value)

  const ofProduct = candidates.filter((candidate) => candidate.productId === ref.product_id)
  let found: C | undefined
  if (ref.variant_id) {
    found = named(ref.variant_id)
    const product = ofProduct[0] ?? named(ref.product_id)
    // The sender mixed up two products. Selling the variant would be a guess.
    if (found && product && found.productId !== product.productId) found = undefined
  } else if (ofProduct.length === 1) {
    found = ofProduct[0]
  } else if (ofProduct.length > 1) {
    found = ref.sku ? ofProduct.find((candidate) => candidate.sku === ref.sku) : undefined
    if (!found) {
      return { ok: false, code: "variant_required", message: "Please choose a variant first." }
    }
  } else {
    found = named(ref.product_id) ?? (ref.sku ? named(ref.sku) : undefined)
  }
  if (!found) {
    return {
      ok: false,
      code: "product_not_found",
      message: "This product is not in the store any more.",
    }
  }
  if (!found.forSale) {
    return { ok: false, code: "not_for_sale", message: "This product is not for sale here." }
  }
  return { ok: true, variant: found }
}
