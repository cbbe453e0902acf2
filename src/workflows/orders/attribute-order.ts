import type { BigNumberInput } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { SVC_MODULE } from "../../modules/svc"
import { attributeOrder, campaignOfLine } from "../../modules/svc/orders/attribute-order"
import { ORDER_LINE_FIELDS } from "./order-lines"

type PlacedOrder = {
  id: string
  display_id: number | null
  currency_code: string
  created_at: Date | string
  cart: { id: string } | null
  items: {
    variant_id: string | null
    quantity: BigNumberInput
    total: BigNumberInput
    unit_price: BigNumberInput
  }[]
}

const attributeOrderStep = createStep(
  "svc-attribute-order",
  async (orderId: string, { container }) => {
    const svc = container.resolve(SVC_MODULE)
    const query = container.resolve(ContainerRegistrationKeys.QUERY)
    const { data } = await query.graph({
      entity: "order",
      fields: ["id", "display_id", "currency_code", "created_at", "cart.id", ...ORDER_LINE_FIELDS],
      filters: { id: orderId },
    })
    const order: PlacedOrder | undefined = data[0]
    // `order.placed` may be handled before the order can be read; the sweep comes back to it.
    if (!order?.cart) return new StepResponse(0)

    const numbers = await svc.orderNumbers.ofCart(order.cart.id)
    if (numbers.length === 0) return new StepResponse(0)
    const prices = await svc.linePrices.ofCart(order.cart.id)

    const attributed = attributeOrder(
      numbers.map((number) => ({
        orderNo: number.order_no,
        campaignUid: number.campaign_uid,
        connectionId: number.connection_id,
        usedAt: number.used_at.getTime(),
        variantIds: prices
          .filter(
            (price) =>
              price.order_no === number.order_no && price.campaign_uid === number.campaign_uid,
          )
          .map((price) => price.variant_id),
      })),
      order.items.map((item) => ({
        variantId: item.variant_id,
        quantity: item.quantity,
        total: item.total,
        campaignUid: campaignOfLine(
          { variantId: item.variant_id, unitPrice: item.unit_price },
          prices,
        ),
      })),
    )
    await svc.attributions.record(
      order.cart.id,
      order.id,
      attributed.map((number) => ({
        order_id: order.id,
        display_id: order.display_id,
        cart_id: order.cart?.id ?? "",
        connection_id: number.connectionId,
        campaign_uid: number.campaignUid,
        svc_order_no: number.orderNo,
        currency_code: order.currency_code,
        units: number.units,
        gross: number.gross,
        placed_at: new Date(order.created_at),
      })),
    )
    return new StepResponse(attributed.length)
  },
)

/**
 * Records that an order came from a show: one attribution per order number, due to be reported. Idempotent, and
 * off the checkout path: it runs after the order is placed, from the event or from the sweep. No compensation: the rows
 * say what the placed order says, and the sweep of the next minute would write them again.
 *
 * @returns how many order numbers the order counts for
 */
export const attributeOrderWorkflow = createWorkflow("svc-attribute-order", (orderId: string) => {
  return new WorkflowResponse(attributeOrderStep(orderId))
})
