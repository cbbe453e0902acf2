import { setTimeout as sleep } from "node:timers/promises"
import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE, SvcRefusal } from "../../modules/svc"
import { createConnectionWorker, dueHere } from "../shared"
import { ConnectionPush } from "./push-connection"
import { endWalks } from "./walk"

/** Milliseconds that a person waits for "send now". */
const PUSH_NOW_MS = 25_000

/** Sends until nothing of one connection is due. */
export async function pushConnection(
  container: MedusaContainer,
  connectionId: string,
): Promise<void> {
  await new ConnectionPush(container, connectionId).run()
  await endWalks(container, connectionId)
}

/** In how many ms there is something to do for a connection; those without are left out. */
async function dueInMs(
  container: MedusaContainer,
  connectionId?: string,
): Promise<Map<string, number>> {
  const svc = container.resolve(SVC_MODULE)
  const [rows, walks, holds] = await Promise.all([
    svc.catalog.items.dueInMs(connectionId),
    svc.catalog.walks.dueInMs(connectionId),
    svc.connections.holds.heldForMs("products", connectionId),
  ])
  const due = new Map(rows)
  for (const [id, ms] of walks) due.set(id, Math.min(ms, due.get(id) ?? ms))
  for (const [id, ms] of due) due.set(id, Math.max(ms, holds.get(id) ?? ms))
  return dueHere(svc, due)
}

/** Makes the service equal to every due row. 200 ms: the events of one change arrive together, and nobody notices. */
const worker = createConnectionWorker({
  name: "sending the catalog",
  debounceMs: 200,
  pass: pushConnection,
  dueInMs,
})

/** Says that there may be products to send. Returns at once. */
export const wakeCatalog = worker.wake
/** Sends until nothing is due; joins what is under way. */
export const workCatalog = worker.work

/**
 * "Send now": sends one product even if the service has an equal payload, and waits for the attempt.
 *
 * @throws SvcRefusal `not_found`
 */
export async function pushNow(container: MedusaContainer, itemId: string): Promise<void> {
  const { items } = container.resolve(SVC_MODULE).catalog
  const [marked] = await items.markToSend({ id: [itemId] })
  if (!marked) {
    throw new SvcRefusal("not_found", "This product is not known to the plugin. Start an import.")
  }
  const push = new ConnectionPush(container, marked.connection_id)
  const giveUpAt = Date.now() + PUSH_NOW_MS
  while (Date.now() < giveUpAt) {
    if (await push.one(itemId)) return
    // A worker has the row. Once it has settled or postponed it, the attempt that the person waits for was made.
    if (await items.isAttempted(itemId, marked.wanted)) return
    await sleep(200)
  }
}
