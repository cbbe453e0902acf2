import { wakeable } from "../wake"
import { reportDueOrders } from "./report-orders"

/** Reports due orders in a moment. */
export const wakeReports = wakeable("reporting orders", 100, reportDueOrders)
