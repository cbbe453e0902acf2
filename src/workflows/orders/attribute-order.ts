import type { MedusaContainer } from "@medusajs/framework/types"
import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { SVC_MODULE } from "../../modules/svc"
import { attributeOrder, linesAsPlaced } from "../../modules/svc/orders"

/**
 * Writes down that an order came from a show: which of its lines, at which prices, under which order numbers. Idempotent.
 *
 * @returns whether it was written now; false for an order of no show and one that is written already
 */
export async function takeOrder(container: MedusaContainer, orderId: string): Promise<boolean> {
  const svc = container.resolve(SVC_MODULE)
  const order = (await svc.orders.placedOrders.read([orderId])).get(orderId)
  // `order.placed` may be handled before the order can be read; the sweep comes back to it.
  if (!order?.cartId) return false
  const { cartId } = order
  const { numbers, cart } = await svc.orders.placedOrders.origin(cartId)
  // Most orders come from no show.
  if (numbers.length === 0) return false
  return svc.orders.attributions.record({
    ...attributeOrder({ numbers, cart, placed: linesAsPlaced(order) }),
    orderId,
    cartId,
    displayId: order.displayId,
    currencyCode: order.currencyCode,
    placedAt: order.placedAt,
  })
}

const attributeOrderStep = createStep(
  "svc-attribute-order",
  async (orderId: string, { container }) =>
    new StepResponse((await takeOrder(container, orderId)) ? 1 : 0),
)

/**
 * Records that an order came from a show: one attribution per order number, due to be reported. Idempotent, and off the
 * checkout path: it runs after the order is placed, from the event or from the sweep. There is nothing to compensate: its
 * one step writes in one transaction.
 *
 * @returns 1 where the order was written down now, else 0
 */
export const attributeOrderWorkflow = createWorkflow(
  "svc-attribute-order",
  (orderId: string) => new WorkflowResponse(attributeOrderStep(orderId)),
)
