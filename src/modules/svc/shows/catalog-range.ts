import type { PushedProduct } from "../../../contract"
import type { KnownEventProduct } from "./show-queries"

/** From the lowest to the highest price, in major units. */
export type PriceRange = { min: number; max: number }

/**
 * What the variants of a product that a show sells cost in the catalog: of those that the show names, or of all where it
 * names none. Pure.
 *
 * @param accepted what the service last took of the product
 */
export function catalogRange(
  { variants }: Pick<KnownEventProduct, "variants">,
  accepted: PushedProduct,
): PriceRange {
  const named = variants.flatMap(({ external_id }) => external_id ?? [])
  const offered =
    accepted.type === "configurable"
      ? accepted.variants.filter(({ id }) => named.length === 0 || named.includes(id))
      : []
  const prices = offered.length > 0 ? offered.map(({ price }) => price) : [accepted.price]
  return { min: Math.min(...prices), max: Math.max(...prices) }
}
