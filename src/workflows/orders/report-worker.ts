import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import type { OrderQuery } from "../../modules/svc/orders"
import { createConnectionWorker } from "../shared"
import { dueReports, reportDueOrders } from "./report-orders"

const worker = createConnectionWorker({
  name: "reporting orders",
  debounceMs: 100,
  pass: reportDueOrders,
  dueInMs: dueReports,
})

/** Says that there may be orders to report. Returns at once. */
export const wakeReports = worker.wake
/** Reports until nothing is due; joins passes that are under way. */
export const workReports = worker.work

/** "Report all again": has everything that matches, and that failed or waits, reported now. @returns how many */
export async function reportAgain(
  container: MedusaContainer,
  filters: OrderQuery["filters"],
): Promise<number> {
  const count = await container.resolve(SVC_MODULE).orders.attributions.sendAllAgain(filters)
  if (count > 0) wakeReports(container)
  return count
}
