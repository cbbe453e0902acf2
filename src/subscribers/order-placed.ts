import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { OrderWorkflowEvents } from "@medusajs/framework/utils"
import { attributeOrderWorkflow, wakeLedger, wakeReports } from "../workflows/orders"

/** Attributes a placed order to its show and reports it, off the checkout path. The sweep finds what is missed here. */
export default async function orderPlaced({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  const { result } = await attributeOrderWorkflow(container).run({ input: event.data.id })
  if (result === 0) return
  wakeReports(container)
  wakeLedger(container)
}

export const config: SubscriberConfig = {
  event: OrderWorkflowEvents.PLACED,
  context: { subscriberId: "svc-order-placed" },
}
