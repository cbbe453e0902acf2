import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { CartWorkflowEvents } from "@medusajs/framework/utils"
import { restoreDroppedLines } from "../workflows/cart"

/** Core deletes campaign lines when a cart's region changes, also where a store's own code changes it. */
export default async function cartRegionChanged({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  await restoreDroppedLines(container, event.data.id)
}

export const config: SubscriberConfig = {
  event: CartWorkflowEvents.REGION_UPDATED,
  context: { subscriberId: "svc-cart-region-changed" },
}
