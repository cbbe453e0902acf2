import type { MedusaContainer } from "@medusajs/framework/types"
import { continueImports, sweepPriceLists, workCatalog } from "../workflows/catalog"

export const config = { name: "svc-catalog-work", schedule: "* * * * *" }

/** Each minute: go on with imports, notice price lists that opened or closed, send what is due. */
export default async function catalogWork(container: MedusaContainer) {
  await continueImports(container)
  await sweepPriceLists(container)
  await workCatalog(container)
}
