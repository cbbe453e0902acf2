import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"

/**
 * Forgets what the service answered about a customer's orders. Nothing else of ours is personal: our rows name carts, orders
 * and products. But an answer may repeat what a store's own `reportFields` has sent.
 */
export async function eraseCustomer(container: MedusaContainer, customerId: string): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  await svc.reportAttempts.eraseAnswers(await svc.placedOrders.ofCustomer(customerId))
}
