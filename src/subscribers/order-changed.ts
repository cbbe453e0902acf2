import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { OrderEditWorkflowEvents, OrderWorkflowEvents } from "@medusajs/framework/utils"
import { ordersChanged } from "../workflows/orders"

/** Makes the ledger of an order again that was cancelled, edited, returned, exchanged or claimed. */
export default async function orderChanged({
  event,
  container,
}: SubscriberArgs<{ id?: string; order_id?: string }>): Promise<void> {
  const orderId = event.data.order_id ?? event.data.id
  if (orderId) await ordersChanged(container, [orderId])
}

export const config: SubscriberConfig = {
  event: [
    OrderWorkflowEvents.UPDATED,
    OrderWorkflowEvents.CANCELED,
    OrderWorkflowEvents.RETURN_RECEIVED,
    OrderWorkflowEvents.CLAIM_CREATED,
    OrderWorkflowEvents.EXCHANGE_CREATED,
    OrderEditWorkflowEvents.CONFIRMED,
  ],
  context: { subscriberId: "svc-order-changed" },
}
