import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"

/**
 * Forgets what the service answered about the orders of a customer who was deleted; without an id, of every one whom somebody
 * has not heard of. Nothing else of ours is personal: our rows name carts, orders and products. But an answer may repeat
 * what a store's own `reportFields` has sent.
 */
export async function eraseCustomer(
  container: MedusaContainer,
  customerId?: string,
): Promise<void> {
  await container.resolve(SVC_MODULE).orders.orderChanges.eraseAnswers(customerId)
}
