import { createHash } from "node:crypto"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { MathBN } from "@medusajs/framework/utils"
import { backoffMs } from "../shared/backoff"
import { rawText } from "../shared/big-number"
import { sqlProblem } from "../shared/sql-error"
import { entriesOf, GROSS_KINDS, type LedgerEntry, type LedgerKind } from "./entries"
import type { SoldBy } from "./inherit-show"
import { type OrderFacts, ruleThatLeavesOut } from "./judge-report"
import type { OrderSnapshot } from "./order-snapshot"
import { EXCLUDED } from "./reasons"
import type { ReportSettings } from "./report-settings"
import { addSales, isNoSale, type SalesMap } from "./sales"

type DirtyOrder = {
  order_id: string
  left_out: string | null
  admitted: boolean
  attempts: number
}

/** An entry as it stands in the table. */
type Stored = {
  id: string
  orderId: string
  currencyCode: string
  counted: boolean
  entry: LedgerEntry
}

/** Orders of one transaction: few, because it holds them and the sums that they change. */
const BATCH = 20
const HALF_PLACED = EXCLUDED.order_half_placed().code

/** Reads Medusa's orders, by id; those that are gone are left out. `core-tables` does it. */
type ReadsOrders<Order> = {
  read: (orderIds: string[], on: Knex) => Promise<ReadonlyMap<string, Order>>
}

/** Makes ledger entries equal to what Medusa's rows give, and the sums of sales equal to the entries. */
export class LedgerWriter {
  constructor(
    private readonly knex: Knex,
    private readonly snapshots: ReadsOrders<OrderSnapshot>,
    private readonly placedOrders: ReadsOrders<{ facts: OrderFacts }>,
  ) {}

  /** Has the ledger of these orders made again. @returns whether one of them is a show's */
  async markDirty(orderIds: string[]): Promise<boolean> {
    if (orderIds.length === 0) return false
    const marked = await this.knex("svc_show_order")
      .whereIn("order_id", orderIds)
      .whereNull("deleted_at")
      .update({ dirty: true, next_attempt_at: null, updated_at: this.knex.fn.now() })
    return marked > 0
  }

  /** Has the ledger of every order made again. @returns how many there are */
  async markAllDirty(): Promise<number> {
    return this.knex("svc_show_order")
      .whereNull("deleted_at")
      .update({ dirty: true, next_attempt_at: null, updated_at: this.knex.fn.now() })
  }

  /**
   * Adds the sums of sales up from the ledger once more, for where rows were changed by hand; counts of carts stay. A
   * transaction that is changing entries meanwhile adds its difference to the new sums when this one ends.
   */
  async sumAgain(): Promise<void> {
    await this.knex.transaction(async (trx) => {
      await trx.raw("LOCK TABLE svc_sales_quarter IN SHARE ROW EXCLUSIVE MODE")
      await trx.raw(NO_SALES_AT_ALL)
      await trx.raw(SALES_OF_LEDGER)
    })
  }

  /** A person says that the order is a sale, whatever rule left it out. */
  async admit(orderId: string): Promise<void> {
    await this.knex("svc_show_order")
      .where({ order_id: orderId })
      .whereNull("deleted_at")
      .whereNotNull("left_out")
      .update({ admitted: true, dirty: true, next_attempt_at: null })
  }

  /** Milliseconds until a dirty order is due; 0 or less for now, null where none is dirty. */
  async nextInMs(): Promise<number | null> {
    const { rows } = await this.knex.raw<{ rows: { ms: number | null }[] }>(
      `SELECT extract(epoch FROM min(coalesce(next_attempt_at, 'epoch')) - now())::float8 * 1000 AS ms
       FROM svc_show_order WHERE dirty AND deleted_at IS NULL`,
    )
    return rows[0]?.ms ?? null
  }

  /**
   * Makes the ledger of some dirty orders, in one transaction that holds their rows: a process that dies leaves them
   * dirty, another one skips them meanwhile, and an order that changes meanwhile is marked again when it ends. An order
   * that cannot be made waits with its reason and holds up no other.
   *
   * @returns how many were looked at, and those that are gone from Medusa
   */
  async writeDirty(
    settingsOf: (connectionId: string) => ReportSettings,
  ): Promise<{ count: number; gone: string[] }> {
    return this.knex.transaction(async (trx) => {
      const dirty = await claimDirty(trx)
      if (dirty.length === 0) return { count: 0, gone: [] }
      const ids = dirty.map((order) => order.order_id)
      const snapshots = await this.snapshots.read(ids, trx)
      const placed = await this.placedOrders.read(ids, trx)
      const shows = await readShows(trx, ids)
      const stored = await readEntries(trx, ids)
      const sales: SalesMap = new Map()
      for (const order of dirty) {
        const id = order.order_id
        const soldBy = shows.get(id) ?? new Map<string, SoldBy>()
        try {
          const snapshot = snapshots.get(id) ?? null
          const leftOut = leftOutBy(order, placed.get(id)?.facts ?? null, soldBy, settingsOf)
          const entries = snapshot ? entriesOf(snapshot, soldBy) : []
          const before = stored.filter((row) => row.orderId === id)
          await trx.transaction(async (savepoint) => {
            await replaceEntries(savepoint, before, snapshot, entries, leftOut === null)
            await settle(savepoint, id, snapshot, leftOut)
          })
          const counted = before.filter((row) => row.counted)
          addSales(
            sales,
            counted.map((row) => row.entry),
            counted[0]?.currencyCode ?? "",
            -1,
          )
          if (leftOut === null) addSales(sales, entries, snapshot?.currencyCode ?? "", 1)
        } catch (error) {
          await postpone(trx, order, error)
        }
      }
      await writeSales(trx, sales)
      return { count: dirty.length, gone: ids.filter((id) => !snapshots.has(id)) }
    })
  }
}

const GROSS = GROSS_KINDS.map((kind) => `'${kind}'`).join(", ")
const SUMS = "units, gross, discounts, refunded, tax, net"
const NO_SALES_AT_ALL = `
  UPDATE svc_sales_quarter SET orders = 0, cancelled_orders = 0,
    units = 0, gross = 0, discounts = 0, refunded = 0, tax = 0, net = 0`

/** `addSales` of `sales.ts` as one statement. */
const SALES_OF_LEDGER = `
  WITH entry AS (
    SELECT ledger.*, part.product,
      date_bin('15 minutes', occurred_at, TIMESTAMPTZ 'epoch') AS quarter
    FROM svc_ledger_entry ledger
    CROSS JOIN LATERAL (VALUES (''), (coalesce(product_id, '-'))) part (product)
    WHERE counted AND campaign_uid IS NOT NULL AND deleted_at IS NULL),
  money AS (
    SELECT connection_id, campaign_uid, currency_code, product, quarter, 0 AS orders, 0 AS cancelled_orders,
      CASE WHEN kind IN (${GROSS}) THEN quantity ELSE 0 END AS units,
      CASE WHEN kind IN (${GROSS}) THEN amount + discount ELSE 0 END AS gross, kind, amount, discount, tax
    FROM entry),
  cancelled AS (SELECT DISTINCT order_id FROM entry WHERE kind = 'cancel'),
  placed AS (
    SELECT DISTINCT entry.order_id, connection_id, campaign_uid, currency_code, product, quarter,
      cancelled.order_id IS NOT NULL AS is_cancelled
    FROM entry
    LEFT JOIN cancelled ON cancelled.order_id = entry.order_id
    WHERE kind = 'sale'),
  sums AS (
    SELECT connection_id, campaign_uid, currency_code, product, quarter, 0 AS orders, 0 AS cancelled_orders,
      sum(units) AS units, sum(gross) AS gross,
      coalesce(sum(discount) FILTER (WHERE kind IN (${GROSS})), 0) AS discounts,
      coalesce(-sum(amount) FILTER (WHERE kind NOT IN (${GROSS})), 0) AS refunded,
      sum(tax) AS tax, sum(amount) AS net
    FROM money GROUP BY connection_id, campaign_uid, currency_code, product, quarter
    UNION ALL
    SELECT connection_id, campaign_uid, currency_code, product, quarter, count(*),
      count(*) FILTER (WHERE is_cancelled),
      0, 0, 0, 0, 0, 0
    FROM placed GROUP BY connection_id, campaign_uid, currency_code, product, quarter)
  INSERT INTO svc_sales_quarter
    (connection_id, campaign_uid, currency_code, product_id, quarter, orders, cancelled_orders, ${SUMS})
  SELECT connection_id, campaign_uid, currency_code, product, quarter, sum(orders)::int,
    sum(cancelled_orders)::int, sum(units), sum(gross), sum(discounts), sum(refunded), sum(tax), sum(net)
  FROM sums GROUP BY connection_id, campaign_uid, currency_code, product, quarter
  ON CONFLICT (connection_id, campaign_uid, currency_code, product_id, quarter) DO UPDATE SET
    orders = EXCLUDED.orders, cancelled_orders = EXCLUDED.cancelled_orders, units = EXCLUDED.units,
    gross = EXCLUDED.gross, discounts = EXCLUDED.discounts, refunded = EXCLUDED.refunded,
    tax = EXCLUDED.tax, net = EXCLUDED.net`

async function claimDirty(trx: Knex.Transaction): Promise<DirtyOrder[]> {
  const { rows } = await trx.raw<{ rows: DirtyOrder[] }>(
    `SELECT order_id, left_out, admitted, attempts FROM svc_show_order
     WHERE dirty AND deleted_at IS NULL AND (next_attempt_at IS NULL OR next_attempt_at <= now())
     ORDER BY next_attempt_at NULLS FIRST, order_id LIMIT ? FOR UPDATE SKIP LOCKED`,
    [BATCH],
  )
  return rows
}

async function readShows(
  trx: Knex.Transaction,
  orderIds: string[],
): Promise<Map<string, Map<string, SoldBy>>> {
  const rows = await trx("svc_show_order_line")
    .whereIn("order_id", orderIds)
    .whereNull("deleted_at")
    .select("order_id", "line_item_id", "connection_id", "campaign_uid")
  const byOrder = new Map<string, Map<string, SoldBy>>()
  for (const row of rows) {
    const lines = byOrder.get(row.order_id) ?? new Map<string, SoldBy>()
    lines.set(row.line_item_id, {
      connectionId: row.connection_id,
      campaignUid: row.campaign_uid,
    })
    byOrder.set(row.order_id, lines)
  }
  return byOrder
}

async function readEntries(trx: Knex.Transaction, orderIds: string[]): Promise<Stored[]> {
  const rows = await trx("svc_ledger_entry").whereIn("order_id", orderIds).whereNull("deleted_at")
  return rows.map((row) => ({
    id: row.id,
    orderId: row.order_id,
    currencyCode: row.currency_code,
    counted: row.counted,
    entry: {
      source: row.source,
      kind: row.kind as LedgerKind,
      lineId: row.line_item_id,
      variantId: row.variant_id,
      productId: row.product_id,
      soldBy:
        row.campaign_uid === null
          ? null
          : { connectionId: row.connection_id, campaignUid: row.campaign_uid },
      quantity: row.quantity,
      amount: row.amount,
      tax: row.tax,
      discount: row.discount,
      occurredAt: row.occurred_at,
    },
  }))
}

/** Half-placed orders and those of staff are nobody's sale, until a person says otherwise. */
function leftOutBy(
  order: DirtyOrder,
  facts: OrderFacts | null,
  soldBy: Map<string, SoldBy>,
  settingsOf: (connectionId: string) => ReportSettings,
): string | null {
  if (order.admitted || !facts) return null
  if (order.left_out === HALF_PLACED) return HALF_PLACED
  // The address of a customer who was erased tells no more whose order it was.
  if (facts.email === null && order.left_out !== null) return order.left_out
  for (const connectionId of new Set([...soldBy.values()].map((show) => show.connectionId))) {
    const rule = ruleThatLeavesOut(facts, settingsOf(connectionId))
    if (rule) return rule.code
  }
  return null
}

/** Writes what is new or different, deletes what is gone, and leaves the rest alone. */
async function replaceEntries(
  trx: Knex.Transaction,
  before: Stored[],
  order: OrderSnapshot | null,
  entries: LedgerEntry[],
  counted: boolean,
): Promise<void> {
  const same = new Map(before.map((row) => [fingerprint(row.entry, row.counted), row]))
  const kept = entries.filter((entry) => same.has(fingerprint(entry, counted)))
  const keptIds = new Set(kept.map((entry) => same.get(fingerprint(entry, counted))?.id))
  const gone = before.filter((row) => !keptIds.has(row.id)).map((row) => row.id)
  if (gone.length > 0) await trx("svc_ledger_entry").whereIn("id", gone).delete()
  const fresh = entries.filter((entry) => !same.has(fingerprint(entry, counted)))
  if (order && fresh.length > 0) {
    await trx("svc_ledger_entry").insert(fresh.map((entry) => columnsOf(order, entry, counted)))
  }
}

const fingerprint = (entry: LedgerEntry, counted: boolean): string =>
  JSON.stringify([
    ...[entry.source, entry.kind, entry.lineId, entry.variantId, entry.productId],
    ...[entry.soldBy?.connectionId, entry.soldBy?.campaignUid, entry.occurredAt.getTime(), counted],
    ...[entry.quantity, entry.amount, entry.tax, entry.discount].map((text) =>
      MathBN.convert(text).toFixed(),
    ),
  ])

const columnsOf = (order: OrderSnapshot, entry: LedgerEntry, counted: boolean) => ({
  id: entryId(order.id, entry.source),
  order_id: order.id,
  source: entry.source,
  kind: entry.kind,
  line_item_id: entry.lineId,
  variant_id: entry.variantId,
  product_id: entry.productId,
  connection_id: entry.soldBy?.connectionId ?? null,
  campaign_uid: entry.soldBy?.campaignUid ?? null,
  quantity: entry.quantity,
  raw_quantity: rawText(entry.quantity),
  amount: entry.amount,
  raw_amount: rawText(entry.amount),
  tax: entry.tax,
  raw_tax: rawText(entry.tax),
  discount: entry.discount,
  raw_discount: rawText(entry.discount),
  currency_code: order.currencyCode,
  occurred_at: entry.occurredAt,
  counted,
})

/** The same entry has the same id, also after everything was made again: exports can be compared by it. */
const entryId = (orderId: string, source: string): string =>
  `svcled_${createHash("sha256").update(`${orderId}\n${source}`).digest("hex").slice(0, 32)}`

async function settle(
  trx: Knex.Transaction,
  orderId: string,
  order: OrderSnapshot | null,
  leftOut: string | null,
): Promise<void> {
  await trx("svc_show_order")
    .where({ order_id: orderId })
    .whereNull("deleted_at")
    .update({
      dirty: false,
      version: order?.version ?? null,
      canceled_at: order?.canceledAt ?? null,
      left_out: leftOut,
      attempts: 0,
      next_attempt_at: null,
      problem: null,
      updated_at: trx.fn.now(),
    })
}

async function postpone(trx: Knex.Transaction, order: DirtyOrder, error: unknown): Promise<void> {
  const attempts = order.attempts + 1
  await trx("svc_show_order")
    .where({ order_id: order.order_id })
    .whereNull("deleted_at")
    .update({
      attempts,
      next_attempt_at: trx.raw("now() + ? * interval '1 millisecond'", [
        RETRY_MS + backoffMs(attempts, Math.random()),
      ]),
      problem: sqlProblem(error),
      updated_at: trx.fn.now(),
    })
}
const RETRY_MS = 1_000

/** In the order of their keys, so that two transactions that change the same sums do not wait for each other. */
async function writeSales(trx: Knex.Transaction, sales: SalesMap): Promise<void> {
  const changed = [...sales]
    .filter(([, { sales: sums }]) => !isNoSale(sums))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  if (changed.length === 0) return
  const columns = ["units", "gross", "discounts", "refunded", "tax", "net"] as const
  await trx("svc_sales_quarter")
    .insert(
      changed.map(([, { key, sales: sums }]) => ({
        connection_id: key.connectionId,
        campaign_uid: key.campaignUid,
        currency_code: key.currencyCode,
        product_id: key.productId,
        quarter: new Date(key.quarter),
        orders: sums.orders,
        cancelled_orders: sums.cancelledOrders,
        ...Object.fromEntries(columns.map((column) => [column, sums[column].toFixed()])),
      })),
    )
    .onConflict(["connection_id", "campaign_uid", "currency_code", "product_id", "quarter"])
    .merge(
      Object.fromEntries(
        ["orders", "cancelled_orders", ...columns].map((column) => [
          column,
          trx.raw("svc_sales_quarter.?? + EXCLUDED.??", [column, column]),
        ]),
      ),
    )
}
