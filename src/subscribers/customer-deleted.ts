import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { CustomerWorkflowEvents } from "@medusajs/framework/utils"
import { eraseCustomer } from "../workflows/orders"

/** Forgets what the service said about the orders of a customer who was deleted. */
export default async function customerDeleted({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  await eraseCustomer(container, event.data.id)
}

export const config: SubscriberConfig = {
  event: CustomerWorkflowEvents.DELETED,
  context: { subscriberId: "svc-customer-deleted" },
}
