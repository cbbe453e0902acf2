import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../modules/svc"
import { sweepEachMinute, wakeCatalog } from "../workflows/catalog"
import { alone } from "../workflows/shared"

export const config = { name: "svc-push-catalog", schedule: "* * * * *" }

/**
 * Each minute: sends what is due, notices what no event told, ends what a cancelled import has left. Work is not waited
 * for: with Redis a worker runs one scheduled job at a time, and a long import would hold up all others.
 */
export default async function pushCatalog(container: MedusaContainer) {
  wakeCatalog(container)
  const { jobs } = container.resolve(SVC_MODULE).work
  await alone(container, "the note that jobs run", () => jobs.ran())
  await sweepEachMinute(container)
}
