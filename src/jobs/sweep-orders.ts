import type { MedusaContainer } from "@medusajs/framework/types"
import { sweepOrdersNightly } from "../workflows/orders"
import { nightly } from "../workflows/shared"

/** Each night: finds a month's orders that nobody heard of, compares every ledger with its order, and forgets what is old. */
export default async function sweepOrdersJob(container: MedusaContainer): Promise<void> {
  await sweepOrdersNightly(container)
}

export const config = { name: "svc-sweep-orders", schedule: nightly(40) }
