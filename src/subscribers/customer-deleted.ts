import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { CustomerWorkflowEvents } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../modules/svc"

/**
 * Forgets what the service said about the orders of a customer who was deleted. Nothing else of ours is personal: our rows name
 * carts, orders and products. But an answer may repeat what a store's own `reportFields` has sent.
 */
export default async function customerDeleted({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  await container.resolve(SVC_MODULE).orders.orderChanges.eraseAnswers(event.data.id)
}

export const config: SubscriberConfig = {
  event: CustomerWorkflowEvents.DELETED,
  context: { subscriberId: "svc-customer-deleted" },
}
