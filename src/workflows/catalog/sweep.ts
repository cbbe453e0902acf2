import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import type SvcModuleService from "../../modules/svc/service"
import { CatalogRows, type ItemRow } from "../../modules/svc/sql/catalog"
import { CatalogChanges } from "../../modules/svc/sql/catalog-changes"
import { CatalogSource } from "../../modules/svc/sql/catalog-source"
import { decide } from "./decide"
import { markProducts } from "./mark"
import { readStandings, type Standing } from "./read-products"
import { wakeCatalog } from "./wake"

const PAGE = 500

/** Marks the products whose price list opened, closed or was changed since we read them; Medusa emits none of it. */
export async function sweepPriceLists(container: MedusaContainer): Promise<void> {
  const svc = container.resolve<SvcModuleService>(SVC_MODULE)
  await markProducts(
    container,
    await new CatalogChanges(svc.database()).productsWithMovedPriceLists(),
  )
}

/**
 * Compares every product for sale with what the service has, and marks what differs: changes that no event told (SQL,
 * lost events, an ended store process). What is equal is read and left alone: no row is written, no call made.
 *
 * @returns how many products were compared, and how many were marked
 */
export async function sweepCatalog(
  container: MedusaContainer,
): Promise<{ compared: number; marked: number }> {
  const svc = container.resolve<SvcModuleService>(SVC_MODULE)
  const source = new CatalogSource(svc.database())
  const rows = new CatalogRows(svc.database())
  const count = { compared: 0, marked: 0 }
  for (const connection of await svc.listSvcConnections({}, { take: null })) {
    let after = ""
    for (;;) {
      const ids = await source.idsForSale(connection.sales_channel_id, after, PAGE)
      const [standings, known] = await Promise.all([
        readStandings(container, connection, ids),
        rows.known(connection.id, ids),
      ])
      const changed = ids.filter((id) =>
        hasDrifted(known.get(id), standings.get(id), svc.options.catalogDisabledStatus),
      )
      await rows.markInBulk(connection.id, changed)
      count.compared += ids.length
      count.marked += changed.length
      const last = ids.at(-1)
      if (!last || ids.length < PAGE) break
      after = last
    }
    const left = await rows.productsThatLeft(connection.id, connection.sales_channel_id)
    await rows.markInBulk(connection.id, left)
    count.marked += left.length
  }
  if (count.marked > 0) wakeCatalog(container)
  return count
}

function hasDrifted(
  row: ItemRow | undefined,
  standing: Standing | undefined,
  disabledStatus: string,
): boolean {
  if (!standing) return false
  if (!row) return true
  // Dirty already, or a dead letter that waits for a person.
  if (row.wanted > row.acknowledged || row.state === "failed") return false
  const decision = decide(row, standing, disabledStatus)
  return decision.send !== null || decision.state !== row.state
}
