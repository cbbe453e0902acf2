import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import type { ItemFilters } from "../../modules/svc/catalog"
import { wakeCatalog } from "./worker"

const PAGE = 2_000

/**
 * "Send all again": marks every product that matches, to be sent even if the service has an equal payload. Whoever waits
 * for a single product goes first.
 *
 * @returns how many were marked
 */
export async function sendAgain(container: MedusaContainer, filters: ItemFilters): Promise<number> {
  const { items } = container.resolve(SVC_MODULE).catalog
  const connectionIds = new Set<string>()
  let marked = 0
  let after = { connection_id: "", product_id: "" }
  for (let more = true; more; ) {
    const page = await items.markToSend(filters, { after, limit: PAGE })
    marked += page.length
    for (const row of page) connectionIds.add(row.connection_id)
    after = page.at(-1) ?? after
    more = page.length === PAGE
  }
  wakeCatalog(container, [...connectionIds])
  return marked
}
