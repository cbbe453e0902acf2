import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import { wakeLedger } from "./keep-ledger"
import { wakeReports } from "./report-worker"

/**
 * Says that something happened to orders: their ledger is made again, and reports that may have waited for it are due. Of
 * orders of no show nothing comes.
 */
export async function ordersChanged(container: MedusaContainer, orderIds: string[]): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  if ((await svc.orders.ledger.markDirty(orderIds)) === 0) return
  wakeLedger(container)
  wakeReports(container, await svc.orders.attributions.wakeOrders(orderIds))
}

/** The same for the order of a payment. */
export async function paymentChanged(container: MedusaContainer, paymentId: string): Promise<void> {
  const { orderChanges } = container.resolve(SVC_MODULE).orders
  await ordersChanged(container, await orderChanges.ofPayment(paymentId))
}
