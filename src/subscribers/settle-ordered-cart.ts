import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { OrderWorkflowEvents } from "@medusajs/framework/utils"
import { settleOrder } from "../workflows/cart"

/** Closes the proofs of a cart that was ordered; the minute's job finds what is missed here. */
export default async function settlePlacedOrder({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  await settleOrder(container, event.data.id)
}

export const config: SubscriberConfig = {
  event: OrderWorkflowEvents.PLACED,
  context: { subscriberId: "svc-settle-ordered-cart" },
}
