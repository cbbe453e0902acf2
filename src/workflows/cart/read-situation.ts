import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import {
  type CartAccess,
  type CartSituation,
  type Intent,
  mayUseCart,
  refused,
} from "../../modules/svc/cart"

/**
 * @param orderNo that was sent with an action
 * @throws SvcRefusal `cart_completed`
 */
export function refuseOrdered(situation: CartSituation, orderNo: string | null = null): void {
  const { cart, numbers } = situation
  if (cart.completedAt === null) return
  const spent = numbers.find((met) => met.orderNo === orderNo)
  const params = spent && { order_no: spent.orderNo }
  throw Object.assign(refused("cart_completed", params), { locale: cart.locale })
}

/**
 * Reads an open cart with everything that an intent is decided by, in one statement.
 * @throws SvcRefusal `not_found` (also for a cart that is somebody else's), `cart_completed`
 */
export async function readSituation(
  container: MedusaContainer,
  cartId: string,
  intent: Intent,
  access: CartAccess | undefined,
): Promise<CartSituation> {
  const situation = await container.resolve(SVC_MODULE).cart.situations.read({
    cartId,
    ...(intent.occasion === "action"
      ? {
          pageUid: intent.action.pageUid,
          campaignUid: intent.action.campaignUid,
          refs: intent.action.products.flatMap(({ product_id, variant_id, sku }) =>
            [product_id, variant_id, sku].flatMap((id) => id || []),
          ),
        }
      : {}),
  })
  if (!situation || (access && !mayUseCart(situation.cart, access))) throw refused("not_found")
  refuseOrdered(situation, intent.occasion === "action" ? intent.action.orderNo : null)
  return situation
}
