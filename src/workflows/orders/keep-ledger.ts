import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import { createConnectionWorker } from "../shared"

/** Makes the ledger of every order whose rows in Medusa changed. */
async function keepLedger(container: MedusaContainer): Promise<void> {
  const { orders, options } = container.resolve(SVC_MODULE)
  while ((await orders.ledger.writeDirty(options.excludeEmails)) > 0);
}

/** Orders of all connections are made together: their ledgers call nobody. */
const ALL = "all connections"

const worker = createConnectionWorker({
  name: "keeping the ledger",
  debounceMs: 100,
  pass: keepLedger,
  dueInMs: async (container) => {
    const ms = await container.resolve(SVC_MODULE).orders.ledger.nextInMs()
    return new Map(ms === null ? [] : [[ALL, ms]])
  },
})

/** Says that orders may have changed. Returns at once. */
export const wakeLedger = (container: MedusaContainer): void => worker.wake(container)
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
  const count = orderId === null ? await ledger.markAllDirty() : await ledger.markDirty([orderId])
  wakeLedger(container)
  return count
}
