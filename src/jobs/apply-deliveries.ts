import type { MedusaContainer } from "@medusajs/framework/types"
import { workInbox } from "../workflows/webhooks"

/** Each minute: applies deliveries whose wake-up was lost, or whose worker died. */
export default async function applyDeliveries(container: MedusaContainer): Promise<void> {
  await workInbox(container)
}

export const config = { name: "svc-apply-deliveries", schedule: "* * * * *" }
