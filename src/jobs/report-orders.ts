import type { MedusaContainer } from "@medusajs/framework/types"
import { sweepOrders, wakeLedger, wakeReports } from "../workflows/orders"

/** Each minute: finds what no event told about placed orders, reports all that is due and books what has changed. */
export default async function reportOrders(container: MedusaContainer): Promise<void> {
  // Before the sweep as well: what is written down already goes on, also where the sweep fails, or waits for a row that
  // another process holds. Not waited for: with Redis a worker runs one scheduled job at a time.
  wake(container)
  try {
    await sweepOrders(container)
  } finally {
    wake(container)
  }
}

function wake(container: MedusaContainer): void {
  wakeReports(container)
  wakeLedger(container)
}

export const config = { name: "svc-report-orders", schedule: "* * * * *" }
