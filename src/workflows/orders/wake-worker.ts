import { createWorker } from "../shared"
import { nextReport, reportDueOrders } from "./report-orders"

const worker = createWorker({
  name: "reporting orders",
  debounceMs: 100,
  pass: reportDueOrders,
  nextInMs: nextReport,
})

/** Says that there may be orders to report. Returns at once. */
export const wakeReports = worker.wake
/** Reports until nothing is due; joins a pass that is under way. */
export const workReports = worker.work
