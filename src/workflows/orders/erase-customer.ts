import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"

/**
 * Forgets what the service answered about a customer's orders. Nothing else of ours is personal: our rows name carts, orders
 * and products. But an answer may repeat what a store's own `reportFields` has sent.
 */
export async function eraseCustomer(container: MedusaContainer, customerId: string): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  await svc.orders.reportAttempts.eraseAnswers(await svc.orders.placedOrders.ofCustomer(customerId))
}

const PAGE = 500

/** The same for customers whose deletion nobody heard of, and for reports that were made after it. */
export async function eraseForgotten(container: MedusaContainer): Promise<void> {
  const { placedOrders, reportAttempts } = container.resolve(SVC_MODULE).orders
  for (;;) {
    const orderIds = await placedOrders.ofErasedCustomers(PAGE)
    await reportAttempts.eraseAnswers(orderIds)
    if (orderIds.length < PAGE) return
  }
}
