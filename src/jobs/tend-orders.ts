import type { MedusaContainer } from "@medusajs/framework/types"
import { tendOrders } from "../workflows/orders"
import { nightly } from "../workflows/shared"

/** Each night: finds a month's orders that nobody heard of, compares every ledger with its order, and forgets what is old. */
export default async function tendOrdersJob(container: MedusaContainer): Promise<void> {
  await tendOrders(container)
}

export const config = { name: "svc-tend-orders", schedule: nightly(40) }
