import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import type { Admitted, IncomingRequest } from "../../modules/svc/webhooks"
import { wakePulls } from "../shows"
import { wakeInbox } from "./apply-inbox"

export type { Admitted, IncomingRequest } from "../../modules/svc/webhooks"

/** Has a request at the receiver judged, and wakes whoever works on what came of it. */
export async function receiveDelivery(
  container: MedusaContainer,
  request: IncomingRequest,
): Promise<Admitted> {
  const svc = container.resolve(SVC_MODULE)
  const admitted = await svc.webhooks.admission.receive(request)
  if (admitted.kind !== "kept") return admitted
  // A repeat wakes as well: it may come because nobody got to applying the first.
  wakeInbox(container, [request.connectionId])
  // After the answer: that deliveries were missed is found here, and is repaired whether this one counts or not.
  if (admitted.late || admitted.promoted) void readListingsAfter(container, request, admitted)
  return admitted
}

/** Connections whose listings are being asked for: many late deliveries at once ask as one. */
const asking = new Set<string>()

/** Others may have been given up when this one came late, or while its key was not known here (gap 20). */
async function readListingsAfter(
  container: MedusaContainer,
  { connectionId }: IncomingRequest,
  { late }: { late: boolean },
): Promise<void> {
  const { pulls } = container.resolve(SVC_MODULE).shows
  const key = `${late} ${connectionId}`
  if (asking.has(key)) return
  asking.add(key)
  try {
    if (late) await pulls.requestLate(connectionId)
    else await pulls.request("recovered", [connectionId])
    wakePulls(container, [connectionId])
  } catch {
    // The database is away: the next start, or the next late delivery, asks again.
  } finally {
    asking.delete(key)
  }
}
