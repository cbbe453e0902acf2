import { setImmediate } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { type ChangeKind, SVC_MODULE } from "../../modules/svc"
import { wakeCatalog } from "./wake-worker"

const PAGE = 5_000

/**
 * One change in the admin emits a dozen events, so events that arrive while a statement runs are gathered and marked by
 * the next one. Each event handler waits for the statement that marks its event: an event bus that confirms handled
 * events must confirm only what stands in the rows. It waits for nothing else, because the Redis bus handles the store's
 * events one after the other.
 */
type Gathering = { changes: Map<ChangeKind, Set<string>>; done: Promise<void> }
type Marking = { next: Gathering | null; last: Promise<unknown> }
const markings = new WeakMap<Knex, Marking>()

/** Marks the products that show what changed, for every connection concerned, and wakes the worker. */
export function markChanged(
  container: MedusaContainer,
  kind: ChangeKind,
  ids: string[],
): Promise<void> {
  const store = container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
  const marking = markings.get(store) ?? { next: null, last: Promise.resolve() }
  markings.set(store, marking)
  marking.next ??= gather(container, marking)
  const { changes, done } = marking.next
  const known = changes.get(kind) ?? new Set<string>()
  for (const id of ids) known.add(id)
  changes.set(kind, known)
  return done
}

function gather(container: MedusaContainer, marking: Marking): Gathering {
  const changes: Gathering["changes"] = new Map()
  const done = (async () => {
    await marking.last
    // Medusa emits the events of one step together: wait for all of them.
    await setImmediate()
    // Events from here on are gathered for the next statement.
    marking.next = null
    const svc = container.resolve(SVC_MODULE)
    await markProducts(container, await svc.productChanges.productsOf(changes))
  })()
  marking.last = done.catch(() => undefined)
  return { changes, done }
}

/**
 * Marks products dirty for every connection whose sales channel has them or that knows them already, and wakes the
 * worker.
 */
export async function markProducts(
  container: MedusaContainer,
  productIds: string[],
): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  let marked = 0
  for (let start = 0; start < productIds.length; start += PAGE) {
    marked += await svc.marks.mark(productIds.slice(start, start + PAGE))
  }
  if (marked > 0) wakeCatalog(container)
}

/** What the store says of a region or of the link between a sales channel and a stock location. */
type MarketChange = { regions: string[]; locationLinks: string[] }

/**
 * Marks whole connections in bulk: their region or their stock locations changed, and every payload may read
 * differently.
 */
export async function markMarkets(
  container: MedusaContainer,
  changed: MarketChange,
): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const connectionIds = await svc.productChanges.connectionsOf(changed)
  for (const connection of await svc.listSvcConnections({ id: connectionIds })) {
    let after = ""
    for (;;) {
      const ids = await svc.storeProducts.idsForSale(connection.sales_channel_id, after, PAGE)
      await svc.marks.markInBulk(connection.id, ids)
      const last = ids.at(-1)
      if (!last || ids.length < PAGE) break
      after = last
    }
    await svc.marks.markInBulk(
      connection.id,
      await svc.marks.productsThatLeft(connection.id, connection.sales_channel_id),
    )
  }
  wakeCatalog(container)
}
