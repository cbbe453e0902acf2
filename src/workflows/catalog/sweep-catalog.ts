import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import { alone } from "../shared"
import { wakeCatalog } from "./worker"

/** Products for which the merchant's own code failed, and that a minute tries again. */
const MAPPED_AGAIN = 500
/** Deleted products that a night forgets. */
const PRUNED = 20_000

/**
 * Notices what no event told: price lists that opened, closed or were changed, stock that moved, products for which the
 * merchant's own code failed, connections whose settings or market changed without a comparison that saw it to its end. Takes
 * back the marks of ended imports that were on their way when the import ended. Goes on behind whatever fails.
 */
export async function sweepEachMinute(container: MedusaContainer): Promise<void> {
  const { items, marks, walks } = container.resolve(SVC_MODULE).catalog
  await alone(container, "the sweep of price lists", async () =>
    wakeCatalog(container, await marks.markMoved("price_list")),
  )
  await alone(container, "the sweep of stock", async () =>
    wakeCatalog(container, await marks.markMoved("inventory_level")),
  )
  await alone(container, "the sweep of products whose mapper failed", async () =>
    wakeCatalog(container, await items.tryMapperAgain(MAPPED_AGAIN)),
  )
  await alone(container, "the sweep of ended imports", () => walks.tidy())
  await alone(container, "the sweep of settings", async () =>
    wakeCatalog(container, await walks.compareAnew(await walks.outdated())),
  )
}

/**
 * Has every product of every connection compared with what the service has: changes that no event told us of, made by
 * SQL or lost with a process, and products that were refused. Does not wait for it: the worker of each
 * connection does the work, and one that fails concerns no other. Forgets what nobody asks for any more. Goes on behind
 * whatever fails.
 */
export async function sweepEachNight(container: MedusaContainer): Promise<void> {
  const { items, walks } = container.resolve(SVC_MODULE).catalog
  await alone(container, "the comparison of the night", async () =>
    wakeCatalog(container, await walks.openCompare("all")),
  )
  await alone(container, "the forgetting of products", () => items.prune(PRUNED))
  await alone(container, "the forgetting of walks", () => walks.prune())
}
