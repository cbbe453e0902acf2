/** Run by the catalog's benchmark through `medusa exec`: one sweep over the whole catalog, and how long it took. */
import type { MedusaContainer } from "@medusajs/framework/types"
import { sweepCatalog } from "../src/workflows/catalog"

export default async function measureSweep({ container }: { container: MedusaContainer }) {
  const started = Date.now()
  const counts = await sweepCatalog(container)
  console.log(`sweep ${JSON.stringify({ ...counts, ms: Date.now() - started })}`)
}
