import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../modules/svc"
import { WAIT_DAYS } from "../../modules/svc/orders"
import { messageOf } from "../../modules/svc/shared/error-message"
import { returnAbandonedCarts } from "../cart"
import { takeOrder } from "./attribute-order"
import { eraseForgotten } from "./erase-customer"
import { wakeLedger } from "./keep-ledger"
import { ordersChanged } from "./order-changed"
import { announceOrders } from "./order-events"
import { wakeReports } from "./report-worker"

const PAGE = 100
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** How far behind the cursors stay: a transaction may end a while after its rows got their ids. */
const BEHIND_MS = 2 * MINUTE_MS
/** Further, where an order that nobody has paid is taken when it is ten minutes old. */
const UNPAID_BEHIND_MS = 15 * MINUTE_MS
/** What Medusa is still placing is not half-placed. */
const PLACING_MS = 10 * MINUTE_MS
/** How far back the first sweep looks, and each night's. */
const HORIZON_MS = WAIT_DAYS * DAY_MS
/**
 * Days after which order numbers and price proofs of carts are forgotten: of those that nobody ordered, and of ordered
 * ones, with the calls that reported them. The ledger, the attributions and the proven price of each sold line stay.
 */
export const KEPT_DAYS = { carts: 90, orders: 730 } as const
const PRUNED_CARTS = 500
const PRUNED_CALLS = 5_000

/**
 * Finds what no event told: orders of shows that are not written down, orders that changed, orders that are gone or that
 * Medusa left half-placed, and news of reports that were not told. Looks at what came since it looked last, however long
 * that was, and goes on behind whatever fails.
 *
 * @returns how many orders were written down
 */
export async function sweepOrders(container: MedusaContainer, now = new Date()): Promise<number> {
  const svc = container.resolve(SVC_MODULE)
  const since = async (name: string) =>
    (await svc.work.cursors.position(name)) ?? new Date(now.getTime() - HORIZON_MS)
  const caughtUp = (name: string, behindMs: number) =>
    svc.work.cursors.moveTo(name, new Date(now.getTime() - behindMs))

  const { placedOrders } = svc.orders
  let taken = 0
  const parts: Record<string, () => Promise<unknown>> = {
    orders: async () => {
      taken = await takeUnattributed(container, await since("orders"), now)
      await caughtUp("orders", UNPAID_BEHIND_MS)
    },
    changes: async () => {
      const from = await since("changes")
      await changedPages(container, (after) => placedOrders.changedSince(from, after, PAGE))
      await caughtUp("changes", BEHIND_MS)
    },
    deletions: () =>
      changedPages(container, (after) =>
        placedOrders.deletedSince(new Date(now.getTime() - DAY_MS), after, PAGE),
      ),
    "half-placed orders": async () => {
      await takeHalfPlaced(container, await since("half-placed"), now)
      await caughtUp("half-placed", UNPAID_BEHIND_MS)
    },
    news: () => announceOrders(container, null),
  }
  for (const [name, sweep] of Object.entries(parts)) await alone(container, name, sweep)
  return taken
}

/** A part that fails keeps its cursor, and holds up no other. */
async function alone(
  container: MedusaContainer,
  name: string,
  sweep: () => Promise<unknown>,
): Promise<void> {
  try {
    await sweep()
  } catch (error) {
    const reason = messageOf(error)
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .error(`svc: the sweep of ${name} failed: ${reason}. It is made again within a minute.`)
  }
}

/** Has the ledgers of orders made again, a page at a time. */
async function changedPages(
  container: MedusaContainer,
  read: (after: string) => Promise<string[]>,
): Promise<void> {
  for (let after = ""; ; ) {
    const page = await read(after)
    await ordersChanged(container, page)
    if (page.length < PAGE) return
    after = page.at(-1) ?? ""
  }
}

/**
 * What the sweep of each minute could miss: a month of orders, and every order's version against its ledger. And what is
 * not needed any more is forgotten.
 */
export async function tendOrders(container: MedusaContainer, now = new Date()): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const horizon = new Date(now.getTime() - HORIZON_MS)
  await takeUnattributed(container, horizon, now)
  await changedPages(container, (after) => svc.orders.placedOrders.differing(after, PAGE))
  await eraseForgotten(container)
  const kept = new Date(now.getTime() - KEPT_DAYS.carts * DAY_MS)
  await returnAbandonedCarts(container, kept)
  while ((await svc.orders.metCarts.prune(kept, PRUNED_CARTS)) === PRUNED_CARTS);
  const ordered = new Date(now.getTime() - KEPT_DAYS.orders * DAY_MS)
  while ((await svc.orders.metCarts.pruneOrdered(ordered, PRUNED_CARTS)) === PRUNED_CARTS);
  while ((await svc.orders.reportAttempts.prune(ordered, PRUNED_CALLS)) === PRUNED_CALLS);
  wakeLedger(container)
  wakeReports(container)
}

async function takeUnattributed(
  container: MedusaContainer,
  since: Date,
  now: Date,
): Promise<number> {
  const { placedOrders } = container.resolve(SVC_MODULE).orders
  let taken = 0
  for (let after = ""; ; ) {
    const page = await placedOrders.unattributedSince(since, after, PAGE)
    for (const orderId of page) {
      if (await tried(container, orderId, { bySweep: true, now })) taken += 1
    }
    if (page.length < PAGE) return taken
    after = page.at(-1) ?? ""
  }
}

async function takeHalfPlaced(container: MedusaContainer, since: Date, now: Date): Promise<void> {
  const { placedOrders } = container.resolve(SVC_MODULE).orders
  const until = new Date(now.getTime() - PLACING_MS)
  for (const { orderId, cartId } of await placedOrders.halfPlaced(since, until)) {
    await tried(container, orderId, { cartId, halfPlaced: true, now })
  }
}

/** An order that cannot be read holds up no other; the sweep comes back to it. */
async function tried(
  container: MedusaContainer,
  orderId: string,
  how: Omit<Parameters<typeof takeOrder>[1], "orderId">,
): Promise<boolean> {
  try {
    return await takeOrder(container, { orderId, ...how })
  } catch (error) {
    const reason = messageOf(error)
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .error(`svc: the order ${orderId} could not be attributed to its show: ${reason}`)
    return false
  }
}
