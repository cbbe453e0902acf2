import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../modules/svc"
import type SvcModuleService from "../../modules/svc/service"
import { CatalogRows } from "../../modules/svc/sql/catalog"
import { CatalogChanges, type ChangeKind } from "../../modules/svc/sql/catalog-changes"
import { CatalogSource } from "../../modules/svc/sql/catalog-source"
import { wakeCatalog } from "./wake"

/**
 * One change in the admin emits a dozen events. They are gathered this long and marked by one statement; each handler
 * waits for it, so that an event bus that confirms handled events confirms only what is in the rows.
 */
const GATHER_MS = 50
const PAGE = 5_000

type Gathering = { changes: Map<ChangeKind, Set<string>>; done: Promise<void> }
const gatherings = new WeakMap<Knex, Gathering>()

/** Marks the products that show what changed, for every connection concerned, and wakes the worker. */
export function markChanged(
  container: MedusaContainer,
  kind: ChangeKind,
  ids: string[],
): Promise<void> {
  const store = container.resolve<Knex>(ContainerRegistrationKeys.PG_CONNECTION)
  let gathering = gatherings.get(store)
  if (!gathering) {
    const changes: Gathering["changes"] = new Map()
    const done = new Promise((resolve) => setTimeout(resolve, GATHER_MS)).then(async () => {
      // What comes from here on belongs to the next statement.
      gatherings.delete(store)
      const svc = container.resolve<SvcModuleService>(SVC_MODULE)
      await markProducts(container, await new CatalogChanges(svc.database()).productsOf(changes))
    })
    gathering = { changes, done }
    gatherings.set(store, gathering)
  }
  const known = gathering.changes.get(kind) ?? new Set<string>()
  for (const id of ids) known.add(id)
  gathering.changes.set(kind, known)
  return gathering.done
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
