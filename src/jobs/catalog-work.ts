import type { MedusaContainer } from "@medusajs/framework/types"
import { sweepPriceLists, wakeCatalog, workImports } from "../workflows/catalog"

export const config = { name: "svc-catalog-work", schedule: "* * * * *" }

/** Each minute: go on with imports, notice price lists that opened or closed, send what is due. */
export default async function catalogWork(container: MedusaContainer) {
  await workImports(container)
  await sweepPriceLists(container)
  // Not waited for: with Redis a worker runs one scheduled job at a time, and a long import would hold up all others.
  wakeCatalog(container)
}
