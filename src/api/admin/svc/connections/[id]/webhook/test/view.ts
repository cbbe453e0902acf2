import type { TestResult } from "../../../../../../../workflows/webhooks"
import { deliveryView } from "../../../../deliveries/view"

/** What was seen of a test delivery: `received`, `refused`, or still `waiting`. */
export const testView = (result: TestResult) => ({
  status: result.status,
  waited_ms: result.waitedMs,
  /** The HTTP status that the service was answered; null where nothing came. */
  answered:
    result.status === "received" ? 200 : result.status === "refused" ? result.answered : null,
  delivery: result.status === "received" ? deliveryView(result.delivery) : null,
  refusal: result.status === "refused" ? { reason: result.reason, at: result.at } : null,
})
