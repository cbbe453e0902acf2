import type { MedusaContainer } from "@medusajs/framework/types"
import type { PushedProduct } from "../../contract"
import { SVC_MODULE } from "../../modules/svc"
import type SvcModuleService from "../../modules/svc/service"
import { decide } from "./decide"
import { readStandings } from "./read-products"

type Row = {
  connection_id: string
  product_id: string
  /** As the row holds it: what the service last accepted. */
  last_payload: Record<string, unknown> | null
}

/** The payload that "send now" would send; null where there is nothing to send. */
export async function payloadNow(
  container: MedusaContainer,
  row: Row,
): Promise<PushedProduct | null> {
  const svc = container.resolve<SvcModuleService>(SVC_MODULE)
  const connection = await svc.connection(row.connection_id)
  const standing = (await readStandings(container, connection, [row.product_id])).get(
    row.product_id,
  )
  if (!standing) return null
  const last_payload = row.last_payload as PushedProduct | null
  const known = { acknowledged_hash: null, force: true, last_payload }
  return decide(known, standing, svc.options.catalogDisabledStatus).send?.payload ?? null
}
