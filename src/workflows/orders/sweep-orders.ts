import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../modules/svc"
import { WAIT_DAYS } from "../../modules/svc/orders"
import { messageOf } from "../../modules/svc/shared/error-message"
import { pagesAfter } from "../../modules/svc/shared/page-of-ids"
import { returnAbandonedCarts } from "../cart"
import { takeOrder } from "./attribute-order"
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

/** A part of the sweep that looks at what came since it looked last, however long that was. */
type Part = { name: string; behindMs: number; sweep: (since: Date) => Promise<unknown> }

/**
 * Finds what no event told: orders of shows that are not written down, orders that changed, orders that are gone or that
 * Medusa left half-placed, and news of reports that were not told. Goes on behind whatever fails.
 *
 * @returns how many orders were written down
 */
export async function sweepOrders(container: MedusaContainer, now = new Date()): Promise<number> {
  const { orders, work } = container.resolve(SVC_MODULE)
  const { orderChanges } = orders
  const ago = (ms: number) => new Date(now.getTime() - ms)
  let taken = 0
  const parts: Part[] = [
    {
      name: "orders",
      behindMs: UNPAID_BEHIND_MS,
      sweep: async (since) => {
        taken = await takeUnattributed(container, since, now)
      },
    },
    {
      name: "changes",
      behindMs: BEHIND_MS,
      sweep: (since) =>
        remake(
          container,
          pagesOf((after) => orderChanges.changedSince(since, after, PAGE)),
        ),
    },
    {
      name: "half-placed",
      behindMs: UNPAID_BEHIND_MS,
      sweep: (since) => takeHalfPlaced(container, since, now),
    },
  ]
  for (const { name, behindMs, sweep } of parts) {
    await alone(container, `the sweep of ${name}`, async () => {
      await sweep((await work.cursors.position(name)) ?? ago(HORIZON_MS))
      await work.cursors.moveTo(name, ago(behindMs))
    })
  }
  await alone(container, "the sweep of ledgers", () => compareLedgers(container, ago(DAY_MS)))
  await announceOrders(container, null)
  return taken
}

/**
 * What the sweep of each minute could miss: a month of orders, and every order's version against its ledger. And what is
 * not needed any more is forgotten.
 */
export async function sweepOrdersNightly(
  container: MedusaContainer,
  now = new Date(),
): Promise<void> {
  const { metCarts, orderChanges, reportAttempts } = container.resolve(SVC_MODULE).orders
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  await takeUnattributed(container, ago(WAIT_DAYS), now)
  await takeHalfPlaced(container, ago(WAIT_DAYS), now)
  await compareLedgers(container, new Date(0))
  await orderChanges.eraseAnswers()
  const [kept, ordered] = [ago(KEPT_DAYS.carts), ago(KEPT_DAYS.orders)]
  await returnAbandonedCarts(container, kept)
  while ((await metCarts.prune(kept, PRUNED_CARTS)) === PRUNED_CARTS);
  while ((await metCarts.pruneOrdered(ordered, PRUNED_CARTS)) === PRUNED_CARTS);
  while ((await reportAttempts.prune(ordered, PRUNED_CALLS)) === PRUNED_CALLS);
  wakeLedger(container)
  wakeReports(container)
}

/** Ids that a question finds, a page at a time. */
const pagesOf = (read: (after: string) => Promise<string[]>) =>
  pagesAfter(PAGE, (last: string | null) => read(last ?? ""))

/** Has the ledgers of orders made again. */
async function remake(container: MedusaContainer, pages: AsyncIterable<string[]>): Promise<void> {
  for await (const ids of pages) await ordersChanged(container, ids)
}

const compareLedgers = (container: MedusaContainer, since: Date): Promise<void> => {
  const { orderChanges } = container.resolve(SVC_MODULE).orders
  return remake(
    container,
    pagesOf((after) => orderChanges.differing(since, after, PAGE)),
  )
}

async function takeUnattributed(
  container: MedusaContainer,
  since: Date,
  now: Date,
): Promise<number> {
  const { orderChanges } = container.resolve(SVC_MODULE).orders
  let taken = 0
  for await (const ids of pagesOf((after) => orderChanges.unattributedSince(since, after, PAGE))) {
    for (const orderId of ids) {
      if (await tried(container, { orderId, bySweep: true, now })) taken += 1
    }
  }
  return taken
}

async function takeHalfPlaced(container: MedusaContainer, since: Date, now: Date): Promise<void> {
  const { orderChanges } = container.resolve(SVC_MODULE).orders
  const until = new Date(now.getTime() - PLACING_MS)
  for (const found of await orderChanges.halfPlaced(since, until)) {
    await tried(container, { ...found, halfPlaced: true, now })
  }
}

/** An order that cannot be read holds up no other; the sweep comes back to it. */
const tried = (container: MedusaContainer, taking: Parameters<typeof takeOrder>[1]) =>
  alone(container, `the attribution of the order ${taking.orderId} to its show`, () =>
    takeOrder(container, taking),
  )

/** Goes on behind what fails: a part of the sweep keeps its cursor then. */
async function alone<Result>(
  container: MedusaContainer,
  what: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .error(`svc: ${what} failed: ${messageOf(error)}. It is tried again within minutes.`)
    return undefined
  }
}
