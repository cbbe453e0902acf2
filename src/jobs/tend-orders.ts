import type { MedusaContainer } from "@medusajs/framework/types"
import { tendOrders } from "../workflows/orders"

/** Each night: compares every ledger with its order, and forgets carts that were never ordered. */
export default async function tendOrdersJob(container: MedusaContainer): Promise<void> {
  await tendOrders(container)
}

export const config = { name: "svc-tend-orders", schedule: "40 3 * * *" }
