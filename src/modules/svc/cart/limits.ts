import type { CartReason } from "./codes"

/** What is known of how many pieces may be sold of what is sold at all. `null` = no limit. */
export type Limits = {
  stock: number | null
  minQuantity: number | null
  maxQuantity: number | null
}

/** None, as for a line that no campaign sells: core checks its stock. */
export const NO_LIMITS: Limits = {
  stock: null,
  minQuantity: null,
  maxQuantity: null,
}

/** Pieces beside the ones in question that the same limits must serve. */
export type Besides = {
  /** Of the same variant in other lines: they take from the same stock. */
  ofVariant: number
  /** Of the same product at the campaign's price, in other lines and in the customer's placed orders. */
  ofCampaign: number
}

export type LimitReason = CartReason<"not_available" | "out_of_stock" | "quantity_limited">

/** Clamps a quantity to what may be sold (gap 45): quantity 0 means refused. Whether it is sold now says `whyNotSold`. */
export function clampQuantity(
  wanted: number,
  besides: Besides,
  limits: Limits,
): { quantity: number; reason: LimitReason | null } {
  const { minQuantity, maxQuantity, stock } = limits
  const least = minQuantity ?? 1
  const inStock = stock === null ? Number.POSITIVE_INFINITY : Math.floor(stock - besides.ofVariant)
  if (inStock < least) {
    return { quantity: 0, reason: { code: "out_of_stock", ...whatIsLeft(inStock, least, stock) } }
  }
  const allowed = maxQuantity === null ? Number.POSITIVE_INFINITY : maxQuantity - besides.ofCampaign
  if (allowed < least) {
    // A maximum below the minimum sells nothing to anybody.
    if (maxQuantity === null || maxQuantity < least) {
      return { quantity: 0, reason: { code: "not_available" } }
    }
    return {
      quantity: 0,
      reason: { code: "quantity_limited", params: { limit: "max", quantity: 0, max: maxQuantity } },
    }
  }
  const quantity = Math.min(Math.max(wanted, least), inStock, allowed)
  if (quantity === wanted) return { quantity, reason: null }
  const params =
    quantity > wanted
      ? { limit: "min" as const, quantity }
      : inStock <= allowed
        ? { limit: "stock" as const, quantity }
        : { limit: "max" as const, quantity, max: maxQuantity ?? quantity }
  return { quantity, reason: { code: "quantity_limited", params } }
}

/** Not everything that cannot be had is sold out: too few may be left for the show, or the basket has the rest already. */
function whatIsLeft(
  inStock: number,
  least: number,
  stock: number | null,
): { params?: { limit: "min" | "stock"; quantity: number } } {
  if (inStock > 0) return { params: { limit: "min", quantity: least } }
  return Math.floor(stock ?? 0) > 0 ? { params: { limit: "stock", quantity: 0 } } : {}
}
