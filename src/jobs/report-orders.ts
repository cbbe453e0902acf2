import type { MedusaContainer } from "@medusajs/framework/types"
import { sweepOrders, wakeReports } from "../workflows/orders"

/** Each minute: finds placed orders that no event told us about, and reports all that is due. */
export default async function reportOrders(container: MedusaContainer): Promise<void> {
  await sweepOrders(container)
  // Not waited for: with Redis a worker runs one scheduled job at a time.
  wakeReports(container)
}

export const config = { name: "svc-report-orders", schedule: "* * * * *" }
