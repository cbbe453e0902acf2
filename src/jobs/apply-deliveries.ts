import type { MedusaContainer } from "@medusajs/framework/types"
import { wakeInbox } from "../workflows/webhooks"

/** Each minute: applies deliveries whose wake-up was lost, or whose worker died. */
export default async function applyDeliveries(container: MedusaContainer): Promise<void> {
  // Not waited for: with Redis a worker runs one scheduled job at a time.
  wakeInbox(container)
}

export const config = { name: "svc-apply-deliveries", schedule: "* * * * *" }
