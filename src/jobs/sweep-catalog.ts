import type { MedusaContainer } from "@medusajs/framework/types"
import { sweepEachNight } from "../workflows/catalog"
import { nightly } from "../workflows/shared"

export const config = { name: "svc-sweep-catalog", schedule: nightly(17) }

/** Each night: has the whole catalog compared with what the service has, and forgets what is old. */
export default async function sweepCatalogNightly(container: MedusaContainer) {
  await sweepEachNight(container)
}
