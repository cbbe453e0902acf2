import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { PaymentEvents } from "@medusajs/framework/utils"
import { paymentChanged } from "../workflows/orders"

/** Takes up reports that wait for a payment, and books a refund. */
export default async function orderPayment({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  await paymentChanged(container, event.data.id)
}

export const config: SubscriberConfig = {
  event: [PaymentEvents.CAPTURED, PaymentEvents.REFUNDED],
  context: { subscriberId: "svc-order-payment" },
}
