import { createHash } from "node:crypto"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { backoffMs } from "../shared/backoff"
import { bigNumberColumns } from "../shared/big-number"
import { HOLDS_NUMBER } from "../shared/holds-number"
import { pagesAfter } from "../shared/page-of-ids"
import type { ProcessLeases } from "../shared/process-leases"
import { sqlProblem } from "../shared/sql-error"
import { type WorkRow, WorkRows } from "../shared/work-rows"
import { entriesOf, type LedgerEntry } from "./entries"
import { forgetDeleted } from "./forget-deleted"
import { isPaid, ruleThatLeavesOut } from "./judge-report"
import type { PlacedOrder } from "./placed-order"
import { FAILED } from "./reasons"

type DirtyOrder = WorkRow & { order_id: string; left_out: string | null }

/** Orders of one transaction: few, because it holds them. */
const BATCH = 20
/** When an order that changed is due: before all others. */
export const AHEAD = new Date(0)
/** Orders that are marked in one statement: whoever changes one of them waits for it. */
const PAGE = 1_000
/** At least, before the ledger of an order is tried again that could not be made. */
const RETRY_MS = 1_000

/** Reads Medusa's orders, by id; those that are gone are left out. `core-tables` does it. */
export type ReadsOrders = {
  read: (orderIds: string[], on: Knex) => Promise<ReadonlyMap<string, PlacedOrder>>
}

/** Makes ledger entries equal to what Medusa's rows give. */
export class LedgerWriter {
  readonly #dirty: WorkRows<DirtyOrder>

  constructor(
    private readonly knex: Knex,
    leases: ProcessLeases,
    private readonly orders: ReadsOrders,
  ) {
    this.#dirty = new WorkRows(knex, leases, {
      name: "svc_show_order",
      open: "work.dirty",
      // As the partial index has them: whatever changed is ahead (`AHEAD`), and what is without a time is last. All may be made
      // again (`markAllDirty`), and tonight's figures do not wait for those.
      order: "work.next_attempt_at, work.order_id",
    })
  }

  /** Has the ledger of these orders made again. @returns how many of them are a show's */
  async markDirty(orderIds: string[]): Promise<number> {
    return this.#mark(orderIds, AHEAD)
  }

  /** The same of every order, behind those that change meanwhile. One that is dirty already keeps its turn. */
  async markAllDirty(): Promise<number> {
    const pages = pagesAfter(PAGE, (last: string | null) =>
      this.knex("svc_show_order")
        .where("order_id", ">", last ?? "")
        .whereNull("deleted_at")
        .orderBy("order_id")
        .limit(PAGE)
        .pluck("order_id"),
    )
    const keptTurn = this.knex.raw("CASE WHEN dirty THEN next_attempt_at END")
    let count = 0
    for await (const orderIds of pages) count += await this.#mark(orderIds, keptTurn)
    return count
  }

  async #mark(orderIds: string[], next_attempt_at: Date | Knex.Raw): Promise<number> {
    return this.knex("svc_show_order")
      .whereRaw("order_id = ANY(?)", [orderIds])
      .whereNull("deleted_at")
      .update({ dirty: true, next_attempt_at, updated_at: this.knex.fn.now() })
  }

  /**
   * A person says that the order is a sale, whatever rule left it out.
   *
   * @param isLeftOut as far as the caller knows: its ledger may not be made yet, or was made before the rule held
   */
  async admit(orderId: string, isLeftOut: boolean, on: Knex = this.knex): Promise<void> {
    await on("svc_show_order")
      .where({ order_id: orderId })
      .whereNull("deleted_at")
      .whereRaw("(left_out IS NOT NULL OR ?)", [isLeftOut])
      .update({ admitted: true, dirty: true, next_attempt_at: AHEAD })
  }

  /** Milliseconds until a dirty order is due; 0 or less for now, null where none is dirty. */
  async nextInMs(): Promise<number | null> {
    return this.#dirty.nextInMs()
  }

  /**
   * Makes the ledger of some dirty orders, in one transaction that holds their rows: a process that dies leaves them
   * dirty, another one skips them meanwhile, and an order that changes meanwhile is marked again when it ends. An order
   * that cannot be made waits with its reason and holds up no other.
   *
   * @returns how many were looked at
   */
  async writeDirty(excludeEmails: string[]): Promise<number> {
    return this.knex.transaction(async (trx) => {
      const dirty = await this.#dirty.lock(trx, { limit: BATCH })
      const orders = await this.orders.read(
        dirty.map((row) => row.order_id),
        trx,
      )
      for (const row of dirty) {
        try {
          await trx.transaction((savepoint) =>
            this.#write(savepoint, row, orders.get(row.order_id) ?? null, excludeEmails),
          )
        } catch (error) {
          const attempts = row.attempts + 1
          const inMs = RETRY_MS + backoffMs(attempts, Math.random())
          const reason = FAILED.ledger_store_error(sqlProblem(error))
          await this.#dirty.retry(row, { inMs, reason }, { attempts }, trx)
        }
      }
      return dirty.length
    })
  }

  async #write(
    trx: Knex.Transaction,
    row: DirtyOrder,
    order: PlacedOrder | null,
    excludeEmails: string[],
  ): Promise<void> {
    const leftOut = leftOutBy(row, order, excludeEmails)
    const unpaid = order !== null && !isPaid(order.payment)
    const counted = leftOut === null && !unpaid && !order?.canceledAt
    const entries = order ? entriesOf(order, new Map(Object.entries(order.shows))) : []
    await replaceEntries(
      trx,
      row.order_id,
      order ? entries.map((entry) => columnsOf(order, entry, counted)) : [],
    )
    if (!order) await forgetDeleted(trx, [row.order_id])
    if (leftOut !== null || order?.canceledAt) await judgeAgain(trx, row.order_id)
    await this.#dirty.settle(
      row,
      {
        dirty: false,
        version: order?.version ?? null,
        canceled_at: order?.canceledAt ?? null,
        left_out: leftOut,
        unpaid,
        // The beginning of the transaction: what Medusa wrote since is not in it.
        made_at: trx.fn.now(),
      },
      trx,
    )
  }
}

/**
 * Has the reports that failed of an order which is no sale any more judged again. They would wait for a person for ever, and keep
 * their number from other orders.
 */
async function judgeAgain(trx: Knex.Transaction, orderId: string): Promise<void> {
  await trx("svc_attribution")
    .where({ order_id: orderId, state: "failed" })
    .whereRaw(HOLDS_NUMBER)
    .update({ state: "waiting", next_attempt_at: null, updated_at: trx.fn.now() })
}

/** Orders of staff and tests are nobody's sale, until a person says otherwise. */
function leftOutBy(
  row: DirtyOrder,
  order: PlacedOrder | null,
  excludeEmails: string[],
): string | null {
  if (!order || order.isAdmitted) return null
  // The address of a customer who was erased tells no more whose order it was.
  if (order.email === null && row.left_out !== null) return row.left_out
  return ruleThatLeavesOut(order, excludeEmails)?.code ?? null
}

/** Writes what is new or different, deletes what is gone, and leaves the rest alone. */
async function replaceEntries(
  trx: Knex.Transaction,
  orderId: string,
  rows: ReturnType<typeof columnsOf>[],
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  await trx("svc_ledger_entry")
    .where({ order_id: orderId })
    .whereNull("deleted_at")
    .whereNotIn("id", ids)
    .delete()
  const [first] = rows
  if (!first) return
  const all = (of: string) => Object.keys(first).map((column) => `${of}.${column}`)
  await trx("svc_ledger_entry")
    .insert(rows)
    .onConflict("id")
    .merge()
    .whereRaw(`(${all("svc_ledger_entry")}) IS DISTINCT FROM (${all("excluded")})`)
}

const columnsOf = (order: PlacedOrder, entry: LedgerEntry, counted: boolean) => ({
  id: entryId(order.id, entry.source),
  order_id: order.id,
  source: entry.source,
  kind: entry.kind,
  line_item_id: entry.lineId,
  variant_id: entry.variantId,
  product_id: entry.productId,
  connection_id: entry.soldBy?.connectionId ?? null,
  campaign_uid: entry.soldBy?.campaignUid ?? null,
  currency_code: order.currencyCode,
  occurred_at: entry.occurredAt,
  counted,
  ...bigNumberColumns({
    quantity: entry.quantity,
    amount: entry.amount,
    tax: entry.tax,
    discount: entry.discount,
  }),
})

/** The same entry has the same id, also after everything was made again: exports can be compared by it. */
const entryId = (orderId: string, source: string): string =>
  `svcled_${createHash("sha256").update(`${orderId}\n${source}`).digest("hex").slice(0, 32)}`
