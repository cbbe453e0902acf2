import type { MedusaContainer } from "@medusajs/framework/types"
import type { PushedProduct } from "../../contract"
import { SVC_MODULE } from "../../modules/svc"
import { diffProduct } from "../../modules/svc/catalog/diff-product"
import { readSnapshots } from "./read-products"

type Row = {
  connection_id: string
  product_id: string
  /** What the service last accepted, as the row holds it. */
  last_payload: Record<string, unknown> | null
}

/** The payload that "send now" would send; null where there is nothing to send. */
export async function payloadNow(
  container: MedusaContainer,
  row: Row,
): Promise<PushedProduct | null> {
  const svc = container.resolve(SVC_MODULE)
  const connection = await svc.connection(row.connection_id)
  const snapshot = (await readSnapshots(container, connection, [row.product_id])).get(
    row.product_id,
  )
  if (!snapshot) return null
  const last_payload = row.last_payload as PushedProduct | null
  const known = { acknowledged_hash: null, force: true, last_payload }
  return diffProduct(known, snapshot, svc.options.catalogDisabledStatus).send?.payload ?? null
}
