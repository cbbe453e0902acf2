import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../modules/svc"
import { WAIT_DAYS } from "../../modules/svc/orders/judge-report"
import { messageOf } from "../../modules/svc/shared/error-message"
import { returnAbandonedCarts } from "../cart"
import { takeOrder } from "./attribute-order"
import { eraseForgotten } from "./erase-customer"
import { wakeLedger } from "./keep-ledger"
import { ordersChanged } from "./order-changed"
import { announceOrders } from "./order-events"
import { wakeReports } from "./report-worker"

const PAGE = 100
const CARTS = 1_000
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** How far behind the cursors stay: an order that nobody has paid is taken when it is ten minutes old. */
const BEHIND_MS = 15 * MINUTE_MS
/** What Medusa is still placing is not half-placed. */
const PLACING_MS = 10 * MINUTE_MS
/** How far back the first sweep looks, and each night's. */
const HORIZON_MS = WAIT_DAYS * DAY_MS
const PRUNED_CARTS = 500
const PRUNED_CALLS = 5_000

/**
 * Finds what no event told: orders of shows that are not written down, orders that changed, orders that are gone or that
 * Medusa left half-placed, carts that are not counted, and news of reports that were not told. Looks at what came since it
 * looked last, however long that was, and goes on behind whatever fails.
 *
 * @returns how many orders were written down
 */
export async function sweepOrders(container: MedusaContainer, now = new Date()): Promise<number> {
  const svc = container.resolve(SVC_MODULE)
  const since = async (name: string) =>
    (await svc.cursors.position(name)) ?? new Date(now.getTime() - HORIZON_MS)
  const caughtUp = (name: string) => svc.cursors.moveTo(name, new Date(now.getTime() - BEHIND_MS))

  const taken = await takeUnattributed(container, await since("orders"), now)
  await caughtUp("orders")
  await ordersChanged(container, await svc.placedOrders.changedSince(await since("changes")))
  await caughtUp("changes")
  await ordersChanged(
    container,
    await svc.placedOrders.deletedSince(new Date(now.getTime() - DAY_MS)),
  )
  await takeHalfPlaced(container, await since("half-placed"), now)
  await caughtUp("half-placed")
  while ((await svc.metCarts.count(CARTS)) === CARTS);
  await announceOrders(container, null)
  return taken
}

/**
 * What the sweep of each minute could miss: a month of orders, and every order's version against its ledger. And what is
 * not needed any more is forgotten.
 */
export async function tendOrders(container: MedusaContainer, now = new Date()): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const horizon = new Date(now.getTime() - HORIZON_MS)
  await takeUnattributed(container, horizon, now)
  for (let after = ""; ; ) {
    const page = await svc.placedOrders.differing(after, PAGE)
    await ordersChanged(container, page)
    if (page.length < PAGE) break
    after = page.at(-1) ?? ""
  }
  await eraseForgotten(container)
  const kept = new Date(now.getTime() - svc.options.keepCartRecordsDays * DAY_MS)
  await returnAbandonedCarts(container, kept)
  while ((await svc.metCarts.prune(kept, PRUNED_CARTS)) === PRUNED_CARTS);
  const ordered = new Date(now.getTime() - svc.options.keepOrderRecordsDays * DAY_MS)
  while ((await svc.metCarts.pruneOrdered(ordered, PRUNED_CARTS)) === PRUNED_CARTS);
  while ((await svc.reportAttempts.prune(ordered, PRUNED_CALLS)) === PRUNED_CALLS);
  wakeLedger(container)
  wakeReports(container)
}

async function takeUnattributed(
  container: MedusaContainer,
  since: Date,
  now: Date,
): Promise<number> {
  const { placedOrders } = container.resolve(SVC_MODULE)
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
  const { placedOrders } = container.resolve(SVC_MODULE)
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
