import type { MedusaContainer } from "@medusajs/framework/types"
import { sweepEachMinute, wakeCatalog } from "../workflows/catalog"

export const config = { name: "svc-push-catalog", schedule: "* * * * *" }

/**
 * Each minute: sends what is due, notices what no event told, ends what a cancelled import has left. Work is not waited
 * for: with Redis a worker runs one scheduled job at a time, and a long import would hold up all others.
 */
export default async function pushCatalog(container: MedusaContainer) {
  wakeCatalog(container)
  await sweepEachMinute(container)
}
