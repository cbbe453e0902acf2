import { createHash } from "node:crypto"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { MathBN } from "@medusajs/framework/utils"
import { backoffMs } from "../shared/backoff"
import { rawText } from "../shared/big-number"
import { sqlProblem } from "../shared/sql-error"
import { entriesOf, type LedgerEntry, type LedgerKind, soldBy } from "./entries"
import type { SoldBy } from "./inherit-show"
import { isPaid, type OrderFacts, ruleThatLeavesOut } from "./judge-report"
import type { OrderSnapshot } from "./order-snapshot"
import { EXCLUDED } from "./reasons"

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
  counted: boolean
  entry: LedgerEntry
}

/** Orders of one transaction: few, because it holds them. */
const BATCH = 20
const HALF_PLACED = EXCLUDED.order_half_placed().code

/** Reads Medusa's orders, by id; those that are gone are left out. `core-tables` does it. */
type ReadsOrders<Order> = {
  read: (orderIds: string[], on: Knex) => Promise<ReadonlyMap<string, Order>>
}

/** Makes ledger entries equal to what Medusa's rows give. */
export class LedgerWriter {
  constructor(
    private readonly knex: Knex,
    private readonly snapshots: ReadsOrders<OrderSnapshot>,
    private readonly placedOrders: ReadsOrders<{ facts: OrderFacts; wasPaid: boolean }>,
  ) {}

  /** Has the ledger of these orders made again. @returns whether one of them is a show's */
  async markDirty(orderIds: string[]): Promise<boolean> {
    if (orderIds.length === 0) return false
    const marked = await this.knex("svc_show_order")
      .whereRaw("order_id = ANY(?)", [orderIds])
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

  /** A person says that the order is a sale, whatever rule left it out. */
  async admit(orderId: string): Promise<void> {
    await this.knex("svc_show_order")
      .where({ order_id: orderId })
      .whereNull("deleted_at")
      .whereNotNull("left_out")
      .update({ admitted: true, dirty: true, next_attempt_at: null })
  }

  /** What a show has sold in an order by now, from Medusa's rows: the ledger may not be made yet. */
  async soldIn(orderId: string, show: SoldBy): Promise<ReturnType<typeof soldBy>> {
    const order = (await this.snapshots.read([orderId], this.knex)).get(orderId)
    const lines = (await readShows(this.knex, [orderId])).get(orderId)
    return soldBy(order ? entriesOf(order, lines ?? new Map()) : [], show)
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
  async writeDirty(excludeEmails: string[]): Promise<{ count: number; gone: string[] }> {
    return this.knex.transaction(async (trx) => {
      const dirty = await claimDirty(trx)
      if (dirty.length === 0) return { count: 0, gone: [] }
      const ids = dirty.map((order) => order.order_id)
      const snapshots = await this.snapshots.read(ids, trx)
      const placed = await this.placedOrders.read(ids, trx)
      const shows = await readShows(trx, ids)
      const stored = await readEntries(trx, ids)
      for (const order of dirty) {
        const id = order.order_id
        const lines = shows.get(id) ?? new Map<string, SoldBy>()
        try {
          const snapshot = snapshots.get(id) ?? null
          const known = placed.get(id)
          const facts = known?.facts ?? null
          const standing = {
            leftOut: leftOutBy(order, facts, excludeEmails),
            unpaid: known !== undefined && !known.wasPaid && !isPaid(known.facts.payment),
          }
          const counts = standing.leftOut === null && !standing.unpaid && !snapshot?.canceledAt
          const entries = snapshot ? entriesOf(snapshot, lines) : []
          const before = stored.filter((row) => row.orderId === id)
          await trx.transaction(async (savepoint) => {
            await replaceEntries(savepoint, before, snapshot, entries, counts)
            await settle(savepoint, id, snapshot, standing)
          })
        } catch (error) {
          await postpone(trx, order, error)
        }
      }
      return { count: dirty.length, gone: ids.filter((id) => !snapshots.has(id)) }
    })
  }
}

async function claimDirty(trx: Knex.Transaction): Promise<DirtyOrder[]> {
  const { rows } = await trx.raw<{ rows: DirtyOrder[] }>(
    `SELECT order_id, left_out, admitted, attempts FROM svc_show_order
     WHERE dirty AND deleted_at IS NULL AND (next_attempt_at IS NULL OR next_attempt_at <= now())
     ORDER BY next_attempt_at NULLS FIRST, order_id LIMIT ? FOR UPDATE SKIP LOCKED`,
    [BATCH],
  )
  return rows
}

async function readShows(trx: Knex, orderIds: string[]): Promise<Map<string, Map<string, SoldBy>>> {
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
  excludeEmails: string[],
): string | null {
  if (order.admitted || !facts) return null
  if (order.left_out === HALF_PLACED) return HALF_PLACED
  // The address of a customer who was erased tells no more whose order it was.
  if (facts.email === null && order.left_out !== null) return order.left_out
  return ruleThatLeavesOut(facts, excludeEmails)?.code ?? null
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
  { leftOut, unpaid }: { leftOut: string | null; unpaid: boolean },
): Promise<void> {
  await trx("svc_show_order")
    .where({ order_id: orderId })
    .whereNull("deleted_at")
    .update({
      dirty: false,
      version: order?.version ?? null,
      canceled_at: order?.canceledAt ?? null,
      left_out: leftOut,
      unpaid,
      // The beginning of the transaction: what Medusa wrote since is not in it.
      made_at: trx.fn.now(),
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
