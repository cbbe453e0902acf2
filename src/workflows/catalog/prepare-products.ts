import type { Connection, SvcModuleService } from "../../modules/svc"
import {
  type DiffContext,
  diffProduct,
  needsLastPayload,
  type ProductDiff,
} from "../../modules/svc/catalog/diff-product"
import type { ItemRow } from "../../modules/svc/catalog/item-rows"
import { applyMapper } from "../../modules/svc/catalog/product-mapper"
import type { ProductSnapshot } from "../../modules/svc/catalog/product-snapshot"
import { targetOf } from "../../modules/svc/catalog/target"

/** What decides whether a product is sent, beside the product itself. */
const diffContext = (svc: SvcModuleService, connection: Connection): DiffContext => ({
  target: targetOf(connection),
  disabledStatus: svc.options.catalogDisabledStatus,
  storefrontUrl: connection.storefront_url,
})

/** Reads products as they are now, and as the merchant's own mapper would have them. Every id gets a snapshot. */
export async function readSnapshots(
  svc: SvcModuleService,
  connection: Connection,
  productIds: string[],
): Promise<Map<string, ProductSnapshot>> {
  const read = await svc.products.read(connection, productIds)
  const snapshots = new Map<string, ProductSnapshot>()
  const { mapProduct } = svc.options
  await Promise.all(
    [...read].map(async ([id, { source, snapshot }]) => {
      snapshots.set(
        id,
        mapProduct
          ? await applyMapper(mapProduct, snapshot, { product: source, connection })
          : snapshot,
      )
    }),
  )
  return snapshots
}

/** The rows whose products are to be compared, with what they may be compared by. */
export type Comparable = Pick<
  ItemRow,
  "id" | "product_id" | "acknowledged_hash" | "acknowledged_target" | "force"
>

/** What each row's product shall be told of, by the row's id. */
export async function diffRows(
  svc: SvcModuleService,
  connection: Connection,
  rows: Comparable[],
  snapshots: Map<string, ProductSnapshot>,
): Promise<Map<string, ProductDiff>> {
  const context = diffContext(svc, connection)
  const needed = rows.filter((row) => {
    const snapshot = snapshots.get(row.product_id)
    return snapshot && needsLastPayload(row, snapshot, context)
  })
  const last = await svc.items.payloads(needed.map(({ id }) => id))
  const diffs = new Map<string, ProductDiff>()
  for (const row of rows) {
    const snapshot = snapshots.get(row.product_id)
    if (!snapshot) continue
    diffs.set(row.id, diffProduct({ ...row, last: last.get(row.id) ?? null }, snapshot, context))
  }
  return diffs
}
