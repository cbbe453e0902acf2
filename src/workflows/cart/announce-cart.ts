import type { MedusaContainer } from "@medusajs/framework/types"
import type { CartParams, CartPlan, FailedProduct, Intent } from "../../modules/svc/cart"
import { emitEvents } from "../shared"

/** Emitted on Medusa's event bus, for a merchant's own code; best effort. Amounts are in major units. */
export const CART_EVENTS = {
  /** So many pieces more. */
  lineAdded: "svc.cart.line_added",
  /** Why a product was not put in as asked. */
  lineRefused: "svc.cart.line_refused",
  /** A line was priced again, limited or removed, and not by the shopper. */
  priceChanged: "svc.cart.price_changed",
} as const

/** Where an action came from; absent where the shopper did nothing. */
type OfAction = { cart_id: string; campaign_uid?: string; order_no?: string | null }
/** The data of each event. */
export type CartEvents = {
  "svc.cart.line_added": OfAction & {
    variant_id: string
    product_id: string
    /** What came in addition. */
    quantity: number
    unit_price: number
  }
  "svc.cart.line_refused": OfAction & Pick<FailedProduct, "product" | "code" | "params">
  "svc.cart.price_changed": {
    cart_id: string
    line_item_id: string
    variant_id: string | null
    old_unit_price: number
    old_quantity: number
    currency_code: string
    reason: string
    params?: CartParams
    removed: boolean
  }
}

const event = <Name extends keyof CartEvents>(name: Name, data: CartEvents[Name]) => ({
  name,
  data,
})

/** A line that was added, as events tell of it. Amounts in major units. */
export const asAdded = ({
  variantId,
  productId,
  quantity,
  unitPrice,
}: CartPlan["add"][number]) => ({
  variant_id: variantId,
  product_id: productId,
  quantity,
  unit_price: unitPrice,
})

const asChanged = (change: CartPlan["changes"][number]) => ({
  line_item_id: change.lineId,
  variant_id: change.variantId,
  old_unit_price: change.oldUnitPrice,
  old_quantity: change.oldQuantity,
  currency_code: change.currency,
  reason: change.reason.code,
  ...(change.reason.params ? { params: change.reason.params } : {}),
  removed: change.removed,
})

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
  const ofAction = { cart_id: cartId, ...action }
  await emitEvents(container, `changes of cart ${cartId}`, [
    ...(cartUpdated ? [{ name: cartUpdated, data: { id: cartId } }] : []),
    ...plan.add.map((item) => event(CART_EVENTS.lineAdded, { ...ofAction, ...asAdded(item) })),
    ...plan.failed.map((failed) => event(CART_EVENTS.lineRefused, { ...ofAction, ...failed })),
    ...plan.changes.map((change) =>
      event(CART_EVENTS.priceChanged, { cart_id: cartId, ...asChanged(change) }),
    ),
  ])
}
