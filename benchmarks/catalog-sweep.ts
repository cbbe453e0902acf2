/** Run by the catalog's benchmark through `medusa exec`: one comparison of the whole catalog, and how long it took. */
import type { MedusaContainer } from "@medusajs/framework/types"
import { compareAll, workCatalog } from "../src/workflows/catalog"

export default async function measureComparison({ container }: { container: MedusaContainer }) {
  const started = Date.now()
  await compareAll(container)
  await workCatalog(container)
  console.log(`sweep ${JSON.stringify({ ms: Date.now() - started })}`)
}
