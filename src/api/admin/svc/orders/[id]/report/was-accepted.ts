import type { orderDetail } from "../../view"

type Order = Pick<ReturnType<typeof orderDetail>, "state" | "report_attempts">

/** The service says that it has the number already (gap 47). */
const CONFLICT = 409

/**
 * Whether the service has the report by the call that was made between two looks at an order. The state alone does not say
 * it: an order that was reported stays so when telling it again fails, or when the service could not be asked at all.
 */
export function wasAccepted(before: Order, after: Order): boolean {
  if (after.state !== "reported") return false
  if (before.state !== "reported") return true
  const [latest] = after.report_attempts
  const isNew = latest?.started_at.getTime() !== before.report_attempts[0]?.started_at.getTime()
  return isNew && (latest?.outcome === "accepted" || latest?.status === CONFLICT)
}
