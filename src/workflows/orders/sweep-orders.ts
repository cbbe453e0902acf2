import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import { WAIT_DAYS } from "../../modules/svc/orders"
import { pagesAfter } from "../../modules/svc/shared/page-of-ids"
import { returnAbandonedCarts } from "../cart"
import { alone } from "../shared"
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
/**
 * Core makes an order and its link to the cart, asks for the payment, and deletes both when that or a store's own code
 * fails; only `order.placed` says that it stands. One of which no event told is taken when it is this old: taking it
 * sooner would freeze the cart of a shopper who is still there, and keep its order number from the order that comes.
 */
const PLACING_MS = 10 * MINUTE_MS
/** An order that could not be written down is tried again in each minute of this time, then each night. */
const TRIED_MS = 15 * MINUTE_MS
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
 * Finds what no event told: orders of shows that are not written down, orders that changed or are gone, and news of reports
 * that were not told. Goes on behind whatever fails.
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
      behindMs: PLACING_MS + TRIED_MS,
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
  ]
  for (const { name, behindMs, sweep } of parts) {
    await alone(container, `the sweep of ${name}`, async () => {
      await sweep((await work.cursors.position(name)) ?? ago(HORIZON_MS))
      await work.cursors.moveTo(name, ago(behindMs))
    })
  }
  await alone(container, "the sweep of ledgers", () => compareLedgers(container, ago(DAY_MS)))
  announceOrders(container, null)
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
  const { attributions, metCarts, orderChanges, reportAttempts } =
    container.resolve(SVC_MODULE).orders
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const [kept, ordered] = [ago(KEPT_DAYS.carts), ago(KEPT_DAYS.orders)]
  const parts: [string, () => Promise<unknown>][] = [
    ["the sweep of orders", () => takeUnattributed(container, ago(WAIT_DAYS), now)],
    ["the sweep of ledgers", () => compareLedgers(container, new Date(0))],
    ["the sweep of pages that are back", () => attributions.resumeReturned()],
    ["the erasure of answers", () => orderChanges.eraseAnswers()],
    ["the return of abandoned carts", () => returnAbandonedCarts(container, kept)],
    [
      "the forgetting of carts",
      () => inBatches(PRUNED_CARTS, (most) => metCarts.prune(kept, most)),
    ],
    [
      "the forgetting of ordered carts",
      () => inBatches(PRUNED_CARTS, (most) => metCarts.pruneOrdered(ordered, most)),
    ],
    [
      "the forgetting of calls",
      () => inBatches(PRUNED_CALLS, (most) => reportAttempts.prune(ordered, most)),
    ],
  ]
  for (const [what, work] of parts) await alone(container, what, work)
  wakeLedger(container)
  wakeReports(container)
}

async function inBatches(most: number, prune: (most: number) => Promise<number>): Promise<void> {
  while ((await prune(most)) === most);
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
  const until = new Date(now.getTime() - PLACING_MS)
  const pages = pagesOf((after) => orderChanges.unattributed(since, until, after, PAGE))
  let taken = 0
  for await (const ids of pages) {
    for (const orderId of ids) {
      // An order that cannot be read holds up no other; the sweep comes back to it.
      const isTaken = await alone(
        container,
        `the attribution of the order ${orderId} to its show`,
        () => takeOrder(container, orderId),
      )
      if (isTaken) taken += 1
    }
  }
  return taken
}
