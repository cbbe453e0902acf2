import type { CartNow } from "./situation"

/** Who asks for a cart. */
export type CartAccess = {
  /** The customer that is logged in; null: nobody is, or nobody said. */
  customerId: string | null
  /** Sales channels of the publishable key; null: not asked by a storefront. */
  salesChannelIds: string[] | null
}

/**
 * Whoever holds a cart's id may act on it, as in Medusa's own store routes (gap 46); but not in another shop's name, and
 * not as another customer. Such a cart is answered as one that does not exist.
 */
export function mayUseCart(
  cart: Pick<CartNow, "customerId" | "customerHasAccount" | "salesChannelId">,
  { customerId, salesChannelIds }: CartAccess,
): boolean {
  const isOthers = customerId !== null && cart.customerHasAccount && cart.customerId !== customerId
  const isElsewhere =
    salesChannelIds !== null &&
    cart.salesChannelId !== "" &&
    !salesChannelIds.includes(cart.salesChannelId)
  return !isOthers && !isElsewhere
}
