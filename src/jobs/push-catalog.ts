import type { MedusaContainer } from "@medusajs/framework/types"
import { sweepPriceLists, wakeCatalog, workImports } from "../workflows/catalog"

export const config = { name: "svc-push-catalog", schedule: "* * * * *" }

/** Each minute: continues imports, notices price lists that opened or closed, sends what is due. */
export default async function pushCatalog(container: MedusaContainer) {
  await workImports(container)
  await sweepPriceLists(container)
  // Not waited for: with Redis a worker runs one scheduled job at a time, and a long import would hold up all others.
  wakeCatalog(container)
}
