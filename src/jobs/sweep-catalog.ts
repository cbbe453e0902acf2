import type { MedusaContainer } from "@medusajs/framework/types"
import { compareAll, pruneCatalog } from "../workflows/catalog"

/** At an hour when few shops are busy, and not on the hour, when other jobs run. */
export const config = { name: "svc-sweep-catalog", schedule: "17 3 * * *" }

/** Each night: has the whole catalog compared with what the service has, and forgets what is old. */
export default async function sweepCatalogNightly(container: MedusaContainer) {
  await compareAll(container)
  await pruneCatalog(container)
}
