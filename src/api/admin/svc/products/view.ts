import type { MedusaContainer } from "@medusajs/framework/types"
import { type CatalogItem, type Reason, reasonOfRow, SVC_MODULE } from "../../../../modules/svc"
import { type AbsentProduct, previewProduct } from "../../../../workflows/catalog"
import { requireSingle } from "../../../answer"

/** Why a connection sends nothing at the moment, and until when. */
type Hold = { reason: Reason; until: Date | null }

/**
 * One product at one connection, as the lists show it. A product that waits because its connection does says so, with the
 * connection's reason.
 */
const productView = (row: CatalogItem, hold: Hold | undefined) => {
  const held = row.state === "pending" && row.reason_code === null ? hold : undefined
  return {
    id: row.id,
    product_id: row.product_id,
    connection_id: row.connection_id,
    title: row.title,
    state: row.state,
    reason: held ? held.reason : reasonOfRow(row),
    attempts: row.attempts,
    next_attempt_at: held?.until ?? row.next_attempt_at,
    last_pushed_at: row.last_pushed_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** The same in a list, with the picture that the service has. */
export const productListView = (
  row: CatalogItem,
  hold: Hold | undefined,
  images: Map<string, string>,
) => ({ ...productView(row, hold), image: images.get(row.id) ?? null })

/** A product that a connection has never had: there is no row to open, or to send. */
export const absentProductView = ({ product_id, connection_id, title, reason }: AbsentProduct) => ({
  id: null,
  product_id,
  connection_id,
  title,
  state: "removed" as const,
  reason,
  attempts: 0,
  next_attempt_at: null,
  last_pushed_at: null,
  created_at: null,
  updated_at: null,
  image: null,
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
 * last accepted it, `difference` between the two, by the path of each value, and the currency of the amounts.
 */
export async function singleProductView(container: MedusaContainer, row: CatalogItem) {
  const { holds } = container.resolve(SVC_MODULE).connections
  const held = await holds.of("products", [row.connection_id])
  return {
    ...productView(row, held.get(row.connection_id)),
    ...(await previewProduct(container, row)),
  }
}
