import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import { createWorker } from "../shared"

/** Makes the ledger of every order whose rows in Medusa changed. */
async function keepLedger(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  for (;;) {
    const { count, gone } = await svc.orders.ledger.writeDirty(svc.options.excludeEmails)
    await svc.orders.attributions.forgetDeleted(gone)
    if (count === 0) return
  }
}

const worker = createWorker({
  name: "keeping the ledger",
  debounceMs: 100,
  pass: keepLedger,
  nextInMs: (container) => container.resolve(SVC_MODULE).orders.ledger.nextInMs(),
})

/** Says that orders may have changed. Returns at once. */
export const wakeLedger = worker.wake
/** Makes the ledger until nothing is dirty; joins a pass that is under way. */
export const workLedger = worker.work

/**
 * Has the ledger made again from Medusa's rows, of one order or of all: the same entries come out, unless rows were
 * changed by hand or rules were. A worker does it.
 *
 * @returns how many orders of shows that concerns
 */
export async function rebuildLedger(
  container: MedusaContainer,
  orderId: string | null,
): Promise<number> {
  const { ledger } = container.resolve(SVC_MODULE).orders
  const count = await ledger.markDirty(orderId === null ? "all" : [orderId])
  wakeLedger(container)
  return count
}
