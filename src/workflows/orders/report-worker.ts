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
