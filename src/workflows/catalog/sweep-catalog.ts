import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import { diffProduct } from "../../modules/svc/catalog/diff-product"
import type { ItemRow } from "../../modules/svc/catalog/item-rows"
import type { ProductSnapshot } from "../../modules/svc/catalog/product-snapshot"
import { markProducts } from "./mark-products"
import { readSnapshots } from "./read-products"
import { wakeCatalog } from "./wake-worker"

const PAGE = 500

/** Marks the products whose price list opened, closed or was changed since we read them; Medusa emits none of it. */
export async function sweepPriceLists(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  await markProducts(container, await svc.productChanges.productsWithMovedPriceLists())
}

/**
 * Compares every product for sale with what the service has, and marks what differs: changes that no event told us of
 * (made by SQL, or lost with a process). What is equal costs a read only: no row is written, no call made.
 *
 * @returns how many products were compared, and how many were marked
 */
export async function sweepCatalog(
  container: MedusaContainer,
): Promise<{ compared: number; marked: number }> {
  const svc = container.resolve(SVC_MODULE)
  const count = { compared: 0, marked: 0 }
  for (const connection of await svc.listSvcConnections({}, { take: null })) {
    let after = ""
    for (;;) {
      const ids = await svc.storeProducts.idsForSale(connection.sales_channel_id, after, PAGE)
      const [snapshots, known] = await Promise.all([
        readSnapshots(container, connection, ids),
        svc.items.known(connection.id, ids),
      ])
      const changed = ids.filter((id) =>
        hasDrifted(known.get(id), snapshots.get(id), svc.options.catalogDisabledStatus),
      )
      await svc.marks.markInBulk(connection.id, changed)
      count.compared += ids.length
      count.marked += changed.length
      const last = ids.at(-1)
      if (!last || ids.length < PAGE) break
      after = last
    }
    const left = await svc.marks.productsThatLeft(connection.id, connection.sales_channel_id)
    await svc.marks.markInBulk(connection.id, left)
    count.marked += left.length
  }
  if (count.marked > 0) wakeCatalog(container)
  return count
}

function hasDrifted(
  row: ItemRow | undefined,
  snapshot: ProductSnapshot | undefined,
  disabledStatus: string,
): boolean {
  if (!snapshot) return false
  if (!row) return true
  // The row is dirty already, or it is a dead letter and waits for a person.
  if (row.wanted > row.acknowledged || row.state === "failed") return false
  const diff = diffProduct(row, snapshot, disabledStatus)
  return diff.send !== null || diff.state !== row.state
}
