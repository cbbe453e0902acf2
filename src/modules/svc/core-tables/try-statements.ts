/**
 * Medusa may rename a column of its tables in any version, and no type tells us. So each statement of this folder is run
 * once when the store starts, about things that do not exist: Postgres looks at the names before it looks for rows.
 */
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { type Reason, reasonFor } from "../shared/reason"
import { sqlProblem, sqlState } from "../shared/sql-error"
import { AttributionList } from "./attribution-list"
import { CartRecords } from "./cart-records"
import { CartSituations } from "./cart-situations"
import { CatalogMarks } from "./catalog-marks"
import { ExpiringCarts } from "./expiring-carts"
import { MarketFits } from "./market-fits"
import { MetCarts } from "./met-carts"
import { MovingLines } from "./moving-lines"
import { OrderChanges } from "./order-changes"
import { PlacedOrders } from "./placed-orders"
import { CHANGE_KINDS } from "./product-changes"
import { Results } from "./results"
import { MARKET_FACTS } from "./store-markets"
import { COUNT_FOR_SALE, StoreProducts } from "./store-products"

type Statement = (knex: Knex) => PromiseLike<unknown>

/** No id of Medusa's, and behind all of them. */
const NONE = "~"
const NEVER = new Date("9999-01-01")

/** By what stands still without them: the sentence that a merchant reads ends with these words. */
const STATEMENTS: Readonly<Record<string, readonly Statement[]>> = {
  "sending products to the service": [
    (knex) => new StoreProducts(knex).read([NONE], NONE),
    (knex) => new StoreProducts(knex).idsToCompare({ id: NONE, sales_channel_id: NONE }, NONE, 1),
    (knex) => knex.raw(`SELECT (${COUNT_FOR_SALE}) FROM svc_connection connection WHERE false`),
  ],
  "telling the service what products cost": [
    (knex) => knex.raw(`SELECT ${MARKET_FACTS} FROM svc_connection connection WHERE false`),
  ],
  "noticing changes of products, prices and stock": [
    ...CHANGE_KINDS.map(
      (kind): Statement =>
        (knex) =>
          new CatalogMarks(knex).markChanged(new Map([[kind, new Set([NONE])]])),
    ),
    (knex) => new CatalogMarks(knex).mark([NONE]),
    (knex) => new CatalogMarks(knex).moved("price_list"),
    (knex) => new CatalogMarks(knex).moved("inventory_level"),
    (knex) => new CatalogMarks(knex).staleSince("inventory_level", [NONE], NEVER),
  ],
  "selling at the prices of shows": [
    (knex) => new CartSituations(knex).read({ cartId: NONE, refs: [NONE] }),
    (knex) => new CartSituations(knex).glance(NONE),
    (knex) => new ExpiringCarts(knex).of([NONE], [NONE]),
    (knex) => new ExpiringCarts(knex).closeBegun(NONE),
    (knex) => new CartRecords(knex).before(NONE, { number: null, showOrderNo: NONE, changes: [] }),
    (knex) =>
      new CartRecords(knex).takeBack({
        id: NONE,
        writtenAt: NEVER.toISOString(),
        usedAt: null,
        page: null,
        checkoutQuantities: null,
        shown: null,
      }),
    (knex) =>
      new CartRecords(knex).after(
        NONE,
        { proofs: [], restore: [], assign: [], hold: [], forget: [NONE], orderNo: null },
        0,
      ),
    (knex) => new ExpiringCarts(knex).cartsOf([], NONE, 1),
    (knex) => new ExpiringCarts(knex).cartsWithStalePayments(NONE, 1),
    (knex) => new ExpiringCarts(knex).closeGone(NONE),
    (knex) => new ExpiringCarts(knex).holdWhilePaid(NONE, 0),
    (knex) => new ExpiringCarts(knex).countOpen(),
    (knex) => new ExpiringCarts(knex).openWithPayments(1),
    (knex) => new ExpiringCarts(knex).paidWithoutOrder(),
    (knex) => new MarketFits(knex).read({ channelId: NONE, regionId: NONE }),
    (knex) => new MovingLines(knex).mark(NONE, NONE),
    (knex) => new MovingLines(knex).markDropped(NONE),
    (knex) => new MovingLines(knex).unmark(NONE),
    (knex) => new MetCarts(knex).abandoned(NEVER, NONE, 1),
    (knex) => new MetCarts(knex).prune(new Date(0), 1),
    (knex) => new MetCarts(knex).pruneOrdered(new Date(0), 1),
  ],
  "reporting orders to the service": [
    (knex) => new PlacedOrders(knex).read([NONE]),
    (knex) => new PlacedOrders(knex).origin(NONE),
    (knex) => new OrderChanges(knex).unattributed(NEVER, NEVER, NONE, 1),
    (knex) => new OrderChanges(knex).changedSince(NEVER, NONE, 1),
    (knex) => new OrderChanges(knex).differing(NEVER, NONE, 1),
    (knex) => new OrderChanges(knex).ofPayment(NONE),
    (knex) => new OrderChanges(knex).eraseAnswers(NONE),
    (knex) => new AttributionList(knex).named(NONE),
    (knex) => new AttributionList(knex).lines(NONE),
  ],
  "counting what shows earned": [
    (knex) =>
      new Results(knex).list({
        groupBy: "product",
        filters: { campaign_uid: [NONE] },
        from: NEVER,
        to: NEVER,
        timezone: "UTC",
        order: { column: "units", direction: "DESC" },
      }),
  ],
}

/** A column that is gone, and a table that is. */
const GONE: ReadonlySet<string | undefined> = new Set(["42703", "42P01"])
/** Tables of modules that a store need not have: nothing is wrong where they are missing. */
const OPTIONAL: ReadonlySet<string> = new Set(["translation"])

/** What is gone, as the database names it, with everything that stands still without it. */
export async function tryStatements(knex: Knex): Promise<Reason[]> {
  const gone = new Map<string, Set<string>>()
  for (const [use, statements] of Object.entries(STATEMENTS)) {
    for (const statement of statements) {
      const missing = await whatIsMissing(knex, statement)
      if (missing && !OPTIONAL.has(missing)) {
        gone.set(missing, (gone.get(missing) ?? new Set()).add(use))
      }
    }
  }
  return [...gone].map(([missing, uses]) =>
    reasonFor("core_table_changed", { missing, uses: [...uses].join("; ") }),
  )
}

/** Nothing of it stays: some of them write. Whatever else goes wrong says nothing about names. */
async function whatIsMissing(knex: Knex, statement: Statement): Promise<string | null> {
  const trx = await knex.transaction()
  try {
    await trx.raw("SET LOCAL lock_timeout = '1s'")
    await trx.raw("SET LOCAL statement_timeout = '5s'")
    await statement(trx)
    return null
  } catch (error) {
    if (!GONE.has(sqlState(error))) return null
    const problem = sqlProblem(error)
    return /^(?:column|relation) "?(.+?)"? does not exist/.exec(problem)?.[1] ?? problem
  } finally {
    await trx.rollback()
  }
}
