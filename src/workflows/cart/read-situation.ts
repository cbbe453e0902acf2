import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE, SvcRefusal } from "../../modules/svc"
import type { CartSituation, Intent } from "../../modules/svc/cart"
import { ANYBODY, type CartAccess, mayUseCart } from "../../modules/svc/cart"

/** Refuses because another request (a double click, another tab) changed the cart in the meantime. */
export const cartBusy = (): SvcRefusal =>
  new SvcRefusal("cart_busy", "This basket is being changed right now. Please try again.")

/** One and the same answer for a cart that is not there and for one that is somebody else's. */
export const noSuchCart = (): SvcRefusal =>
  new SvcRefusal("not_found", "This basket does not exist.")

/**
 * Reads an open cart with everything that an intent is decided by, in one statement.
 * @throws SvcRefusal `not_found`, `cart_completed`
 */
export async function readSituation(
  container: MedusaContainer,
  cartId: string,
  intent: Intent,
  access: CartAccess = ANYBODY,
): Promise<CartSituation> {
  const situation = await container.resolve(SVC_MODULE).cart.situations.read({
    cartId,
    ...(intent.occasion === "action"
      ? {
          pageUid: intent.action.pageUid,
          campaignUid: intent.action.campaignUid,
          refs: refsOf(intent.action.products),
        }
      : {}),
  })
  if (!situation || !mayUseCart(situation.cart, access)) throw noSuchCart()
  if (situation.cart.completedAt !== null) {
    throw new SvcRefusal(
      "cart_completed",
      "This basket's order was placed already. Start a new one.",
    )
  }
  return situation
}

const refsOf = (
  products: { product_id: string; variant_id?: string | null; sku?: string | null }[],
): string[] =>
  [
    ...new Set(
      products.flatMap((ref) => [ref.product_id, ref.variant_id, ref.sku]).filter((id) => !!id),
    ),
  ] as string[]
