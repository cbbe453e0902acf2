import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { CartPlan, Intent } from "../../modules/svc/cart"
import { messageOf } from "../../modules/svc/shared/error-message"

/**
 * Emitted on Medusa's event bus, for a merchant's own code; best effort. All have `cart_id`, `variant_id` and
 * `product_id` or what the player sent, amounts in major units.
 */
export const CART_EVENTS = {
  /** `{campaign_uid, order_no, quantity, unit_price}`: so many pieces more. */
  lineAdded: "svc.cart.line_added",
  /** `{campaign_uid, order_no, product, code, params}`: why it was not put in as asked. */
  lineRefused: "svc.cart.line_refused",
  /** `{line_item_id, old_unit_price, currency_code, reason, params, removed}`: not by the shopper. */
  priceChanged: "svc.cart.price_changed",
} as const

/** Never throws: a merchant's analytics must not cost a sale. */
export async function announceCart(
  container: MedusaContainer,
  cartId: string,
  intent: Intent,
  plan: CartPlan,
  { cartUpdated }: { cartUpdated: string | null },
): Promise<void> {
  const action =
    intent.occasion === "action"
      ? { campaign_uid: intent.action.campaignUid, order_no: plan.orderNo }
      : {}
  const events: { name: string; data: Record<string, unknown> }[] = [
    ...(cartUpdated ? [{ name: cartUpdated, data: { id: cartId } }] : []),
    ...plan.added.map(({ variantId, productId, added, price }) => ({
      name: CART_EVENTS.lineAdded,
      data: {
        cart_id: cartId,
        ...action,
        variant_id: variantId,
        product_id: productId,
        quantity: added,
        unit_price: price,
      },
    })),
    ...plan.failed.map(({ product, code, params }) => ({
      name: CART_EVENTS.lineRefused,
      data: { cart_id: cartId, ...action, product, code, ...(params ? { params } : {}) },
    })),
    ...plan.changes.map((change) => ({
      name: CART_EVENTS.priceChanged,
      data: {
        cart_id: cartId,
        line_item_id: change.lineId,
        variant_id: change.variantId,
        old_unit_price: change.oldUnitPrice,
        old_quantity: change.oldQuantity,
        currency_code: change.currency,
        reason: change.reason.code,
        ...(change.reason.params ? { params: change.reason.params } : {}),
        removed: change.removed,
      },
    })),
  ]
  if (events.length === 0) return
  try {
    await container.resolve(Modules.EVENT_BUS).emit(events, {})
  } catch (error) {
    const reason = messageOf(error)
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .warn(`svc: changes of cart ${cartId} could not be announced: ${reason}`)
  }
}
