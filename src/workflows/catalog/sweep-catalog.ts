import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import { wakeCatalog } from "./worker"

const PRUNED = 5_000

/** Marks the products whose price list opened, closed or was changed since the last look; Medusa emits none of it. */
export async function sweepPriceLists(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  wakeCatalog(container, await svc.catalog.marks.markMovedPriceLists())
}

/** Marks products that a module call brought back; Medusa emits nothing of that either. */
export async function markRestored(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  wakeCatalog(container, await svc.catalog.marks.markRestored())
}

/**
 * Has every product of every connection compared with what the service has: changes that no event told us of, made by
 * SQL or lost with a process, and products that were refused or given up. Returns at once; the worker of each connection
 * does the work, and one that fails concerns no other.
 */
export async function compareAll(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  wakeCatalog(container, await svc.catalog.walks.openCompare("all"))
}

/** Has connections compared whose settings or market changed without a comparison that saw it to its end. */
export async function compareOutdated(container: MedusaContainer): Promise<void> {
  const { walks } = container.resolve(SVC_MODULE).catalog
  const outdated = await walks.outdated()
  if (outdated.length > 0) wakeCatalog(container, await walks.openCompare(outdated))
}

/** Forgets what nobody asks for any more. */
export async function pruneCatalog(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  await svc.catalog.items.prune(PRUNED)
  await svc.catalog.walks.prune()
}
