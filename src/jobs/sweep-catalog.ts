import type { MedusaContainer } from "@medusajs/framework/types"
import { sweepCatalog } from "../workflows/catalog"

/** At an hour when few shops are busy, and not on the hour, when other jobs run. */
export const config = { name: "svc-sweep-catalog", schedule: "17 3 * * *" }

/** Each night: compares the whole catalog with what the service has. */
export default async function sweepCatalogNightly(container: MedusaContainer) {
  const { compared, marked } = await sweepCatalog(container)
  container
    .resolve("logger")
    .info(`svc: compared ${compared} products with the service, ${marked} are sent again`)
}
