import type { MedusaContainer } from "@medusajs/framework/types"
import { sweepOrders, workReports } from "../workflows/orders"

/** Each minute: finds placed orders that no event told us about, and reports all that is due. */
export default async function reportOrders(container: MedusaContainer): Promise<void> {
  await sweepOrders(container)
  await workReports(container)
}

export const config = { name: "svc-report-orders", schedule: "* * * * *" }
