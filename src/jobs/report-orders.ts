import type { MedusaContainer } from "@medusajs/framework/types"
import { sweepOrders, wakeLedger, wakeReports } from "../workflows/orders"

/** Each minute: finds what no event told about placed orders, reports all that is due and books what has changed. */
export default async function reportOrders(container: MedusaContainer): Promise<void> {
  try {
    await sweepOrders(container)
  } finally {
    // Whatever stopped the sweep, what is written down already goes on. Not waited for: with Redis a worker runs one
    // scheduled job at a time.
    wakeReports(container)
    wakeLedger(container)
  }
}

export const config = { name: "svc-report-orders", schedule: "* * * * *" }
