import { setImmediate } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../modules/svc"
import type SvcModuleService from "../../modules/svc/service"
import { CatalogRows } from "../../modules/svc/sql/catalog"
import { CatalogChanges, type ChangeKind } from "../../modules/svc/sql/catalog-changes"
import { CatalogSource } from "../../modules/svc/sql/catalog-source"
import { wakeCatalog } from "./wake"

const PAGE = 5_000

/**
 * One change in the admin emits a dozen events. What comes while a statement is under way is marked by the next one.
 * Each handler waits for its statement, so that an event bus that confirms handled events confirms only what is in the
 * rows; and it waits for nothing else, because the Redis bus handles one event of the store after the other.
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
  const store = container.resolve<Knex>(ContainerRegistrationKeys.PG_CONNECTION)
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
    // The events of one step are emitted in one go.
    await setImmediate()
    // What comes from here on belongs to the next statement.
    marking.next = null
    const svc = container.resolve<SvcModuleService>(SVC_MODULE)
    await markProducts(container, await new CatalogChanges(svc.database()).productsOf(changes))
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
  const svc = container.resolve<SvcModuleService>(SVC_MODULE)
  const rows = new CatalogRows(svc.database())
  let marked = 0
  for (let start = 0; start < productIds.length; start += PAGE) {
    marked += await rows.mark(productIds.slice(start, start + PAGE))
  }
  if (marked > 0) wakeCatalog(container)
}

/**
 * Marks a whole connection behind the live marks: its region or its stock locations changed, and every payload may
 * read differently.
 */
export async function markConnections(
  container: MedusaContainer,
  connectionIds: string[],
): Promise<void> {
  const svc = container.resolve<SvcModuleService>(SVC_MODULE)
  const rows = new CatalogRows(svc.database())
  const source = new CatalogSource(svc.database())
  for (const connection of await svc.listSvcConnections({ id: connectionIds })) {
    let after = ""
    for (;;) {
      const ids = await source.idsForSale(connection.sales_channel_id, after, PAGE)
      await rows.markInBulk(connection.id, ids)
      const last = ids.at(-1)
      if (!last || ids.length < PAGE) break
      after = last
    }
    await rows.markInBulk(
      connection.id,
      await rows.productsThatLeft(connection.id, connection.sales_channel_id),
    )
  }
  wakeCatalog(container)
}
