import type { MedusaContainer } from "@medusajs/framework/types"
import { type CatalogItem, reasonOfRow, SVC_MODULE } from "../../../../modules/svc"
import { payloadNow } from "../../../../workflows/catalog"
import { requireSingle } from "../../../answer"

/** One product at one connection, as the lists show it. */
export const productView = (row: CatalogItem) => ({
  id: row.id,
  product_id: row.product_id,
  connection_id: row.connection_id,
  title: row.title,
  state: row.state,
  reason: reasonOfRow(row),
  attempts: row.attempts,
  next_attempt_at: row.next_attempt_at,
  last_pushed_at: row.last_pushed_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/**
 * @param id of the row, or of a product that only one connection has
 * @throws SvcRefusal `not_found`, `invalid_request`
 */
export async function catalogItem(container: MedusaContainer, id: string): Promise<CatalogItem> {
  const svc = container.resolve(SVC_MODULE)
  const rows = await svc.listSvcCatalogItems({ $or: [{ id }, { product_id: id }] })
  return requireSingle(rows, "product", id)
}

/**
 * The single product: `payload` as it would be sent now (null where nothing would be), `last_payload` as the service
 * last accepted it.
 */
export const singleProductView = async (container: MedusaContainer, row: CatalogItem) => ({
  ...productView(row),
  payload: await payloadNow(container, row),
  last_payload: row.last_payload,
})
