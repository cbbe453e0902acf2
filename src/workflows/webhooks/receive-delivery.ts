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
  if (admitted.late) void readListingsAfter(container, request.connectionId)
  return admitted
}

/** A crowd of late deliveries has the listings read once in this time: they are read again a minute later anyway. */
const LATE_EVERY_MS = 60_000
/** When each connection's listings were last asked for because a delivery came late, by `performance.now()`. */
const askedAt = new Map<string, number>()

/** Others may have been given up when this one came late (gap 20). */
async function readListingsAfter(container: MedusaContainer, connectionId: string): Promise<void> {
  const now = performance.now()
  if (now - (askedAt.get(connectionId) ?? Number.NEGATIVE_INFINITY) < LATE_EVERY_MS) return
  askedAt.set(connectionId, now)
  try {
    const { pulls } = container.resolve(SVC_MODULE).shows
    await pulls.request("late", [connectionId])
    wakePulls(container, [connectionId])
  } catch {
    // The database is away. The next late delivery asks again; until then the next start has the lists read, without prices.
    askedAt.delete(connectionId)
  }
}
