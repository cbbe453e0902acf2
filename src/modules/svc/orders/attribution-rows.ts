import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { Attribution } from "../models"
import { bigNumberColumns } from "../shared/big-number"
import { Conditions } from "../shared/conditions"
import { HOLDS_NUMBER } from "../shared/holds-number"
import { pageSql } from "../shared/page-of"
import type { ProcessLeases } from "../shared/process-leases"
import { type Reason, reasonColumns } from "../shared/reason"
import { isUniqueViolation } from "../shared/sql-error"
import { type WorkRow, WorkRows } from "../shared/work-rows"
import type { AttributedLine, AttributedNumber } from "./attributed-order"
import { forgetDeleted } from "./forget-deleted"
import { AHEAD } from "./ledger-writer"
import { ORDER_FILTERS, type OrderQuery } from "./order-query"
import { FAILED, WAITING } from "./reasons"

/** Has a lease where a worker has claimed it. */
export type AttributionRow = Attribution & WorkRow

/** An order of a show, as it is written down. */
export type NewShowOrder = {
  orderId: string
  displayId: number | null
  currencyCode: string
  placedAt: Date
  cartId: string
  lines: AttributedLine[]
  numbers: AttributedNumber[]
}

/** Long enough for one call with its timeout, short enough that a crash costs little. */
const LEASE_MS = 60_000
/**
 * Attributions: written when the order is placed, claimed by a worker, completed under their lease.
 */
export class AttributionRows {
  readonly #waiting: WorkRows<AttributionRow>

  constructor(
    private readonly knex: Knex,
    leases: ProcessLeases,
  ) {
    this.#waiting = new WorkRows(knex, leases, {
      name: "svc_attribution",
      open: "work.state = 'waiting'",
      order: "work.next_attempt_at NULLS FIRST, work.placed_at",
    })
  }

  /**
   * Writes an order down as a show's: the order, its lines, a row for each order number, and the freeze of its cart's
   * numbers, in one transaction. Writing the same order again changes nothing. A number that another order has already
   * becomes `duplicate` and is not sent (gap 49).
   *
   * @returns false where it was written before
   */
  async record(order: NewShowOrder): Promise<boolean> {
    return this.knex.transaction(async (trx) => {
      const written = await trx("svc_show_order")
        .insert({
          id: generateEntityId(undefined, "svcord"),
          order_id: order.orderId,
          cart_id: order.cartId,
          display_id: order.displayId,
          currency_code: order.currencyCode,
          placed_at: order.placedAt,
          next_attempt_at: AHEAD,
        })
        .onConflict()
        .ignore()
        .returning("id")
      if (written.length === 0) return false
      if (order.lines.length > 0) {
        await trx("svc_show_order_line").insert(order.lines.map((line) => lineColumns(order, line)))
      }
      for (const number of order.numbers) await insertNumber(trx, order, number)
      await trx("svc_cart_order_number")
        .where({ cart_id: order.cartId })
        .whereNull("order_id")
        .whereNull("deleted_at")
        .update({ order_id: order.orderId, updated_at: trx.fn.now() })
      return true
    })
  }

  async find(id: string): Promise<AttributionRow | undefined> {
    return this.knex("svc_attribution").where({ id }).whereNull("deleted_at").first()
  }

  /** Claims rows of a connection that are due, or the one that a person waits for. */
  async claim(
    of: { connectionId: string } | { id: string },
    limit: number,
  ): Promise<AttributionRow[]> {
    const where = "id" in of ? "work.id = :id" : "work.connection_id = :connectionId"
    return this.#waiting.claim({ where, bindings: of, limit, leaseMs: LEASE_MS })
  }

  /** Milliseconds until the next waiting row is due, by connection; 0 or less for one that is due now. */
  async dueInMs(connectionId?: string): Promise<Map<string, number>> {
    return this.#waiting.dueInMs(connectionId)
  }

  async markReported(row: AttributionRow): Promise<void> {
    await this.#waiting.settle(row, {
      state: "reported",
      attempts: row.attempts,
      reported_at: this.knex.raw("coalesce(reported_at, now())"),
      announce: "reported",
      forced: false,
    })
  }

  async markRetry(row: AttributionRow, inMs: number, reason: Reason): Promise<void> {
    await this.#waiting.retry(row, { inMs, reason })
  }

  /** It waits for something that is nobody's failure: nothing was tried. One that was woken since its claim is due now. */
  async markWaiting(row: AttributionRow, inMs: number, reason: Reason): Promise<void> {
    const next_attempt_at = this.knex.raw(
      `CASE WHEN next_attempt_at > lease_until - :lease * interval '1 millisecond' THEN next_attempt_at
         ELSE now() + :inMs * interval '1 millisecond' END`,
      { lease: LEASE_MS, inMs },
    )
    await this.#waiting.wait(row, { inMs, reason }, { next_attempt_at })
  }

  async markFailed(row: AttributionRow, reason: Reason): Promise<void> {
    await this.#waiting.giveUp(row, reason, { state: "failed", forced: false, announce: "failed" })
  }

  /** Its number is free for another order, unless the service may have been told (`HOLDS_NUMBER`). */
  async markExcluded(row: AttributionRow, reason: Reason): Promise<void> {
    const attempts = Math.max(row.attempts - 1, 0)
    await this.#waiting.giveUp(row, reason, {
      state: "excluded",
      attempts,
      forced: false,
      announce: "excluded",
    })
  }

  /**
   * "Report again": makes a row due now that is not reported, whoever has it.
   *
   * @param first what goes with it, in the same transaction: the order's own row, as whoever makes its ledger locks the two
   * @returns false where another order has the number
   */
  async sendAgain(id: string, first: (trx: Knex.Transaction) => Promise<void>): Promise<boolean> {
    const due = { attempts: 0, next_attempt_at: null, lease_until: null, lease_token: null }
    try {
      await this.knex.transaction(async (trx) => {
        await first(trx)
        await trx("svc_attribution")
          .where({ id })
          .whereNot({ state: "reported" })
          .update({
            ...due,
            ...reasonColumns(null),
            state: "waiting",
            forced: true,
            updated_at: trx.fn.now(),
          })
      })
      return true
    } catch (error) {
      if (isUniqueViolation(error)) return false
      throw error
    }
  }

  /**
   * The same for all that match and that failed or wait: rules hold as before. One whose number is another's by now is a
   * person's to try.
   *
   * @returns how many
   */
  async sendAllAgain(filters: OrderQuery["filters"]): Promise<number> {
    const { where, bindings } = new Conditions("sale")
      .oneOf(ORDER_FILTERS, filters)
      .within("placed_at", filters)
      .and("sale.state IN ('failed', 'waiting')")
      .and(HOLDS_NUMBER)
    const { rowCount } = await this.knex.raw<{ rowCount: number }>(
      `UPDATE svc_attribution sale SET state = 'waiting', attempts = 0, next_attempt_at = NULL, updated_at = now()
       WHERE ${where}`,
      bindings,
    )
    return rowCount
  }

  /**
   * Has orders told whose page the connection has again, where a process died, or a change was taken back, before
   * `ConnectionRows.resume` has seen it.
   */
  async resumeReturned(): Promise<void> {
    await this.knex.raw(
      `UPDATE svc_attribution report SET state = 'waiting', next_attempt_at = NULL, updated_at = now()
       FROM svc_connection connection
       WHERE connection.id = report.connection_id AND connection.deleted_at IS NULL AND report.deleted_at IS NULL
         AND report.state = 'excluded' AND report.reason_code = 'page_left'
         AND report.page = ${pageSql("connection")}`,
    )
  }

  /**
   * Makes those rows of these orders due now that wait for a payment or a consent: it may have come. So are those that a worker
   * looks at just now, which may have read the order before. Others keep their time: a service that asked for patience has it.
   */
  async wakeOrders(orderIds: string[]): Promise<string[]> {
    if (orderIds.length === 0) return []
    const rows = await this.knex("svc_attribution")
      .whereRaw("order_id = ANY(?)", [orderIds])
      .where({ state: "waiting" })
      .whereRaw("(reason_code = ANY(?) OR lease_until > now())", [Object.keys(WAITING)])
      .whereNull("deleted_at")
      .update({ next_attempt_at: this.knex.fn.now(), updated_at: this.knex.fn.now() })
      .returning("connection_id")
    return [...new Set(rows.map((row) => String(row.connection_id)))]
  }

  async forgetDeleted(orderIds: string[]): Promise<void> {
    if (orderIds.length > 0) await this.knex.transaction((trx) => forgetDeleted(trx, orderIds))
  }

  /** Rows with something to tell; `settledMs` leaves those alone that another process is telling now. */
  async unannounced(ids: string[] | null, settledMs = 0): Promise<AttributionRow[]> {
    return this.knex("svc_attribution")
      .whereNotNull("announce")
      .whereNull("deleted_at")
      .modify((query) => {
        if (ids) query.whereIn("id", ids)
        else query.whereRaw("updated_at < now() - ? * interval '1 millisecond'", [settledMs])
      })
      .limit(500)
  }

  async markAnnounced(rows: AttributionRow[]): Promise<void> {
    for (const { id, announce } of rows) {
      await this.knex("svc_attribution").where({ id, announce }).update({ announce: null })
    }
  }
}

async function insertNumber(
  trx: Knex.Transaction,
  order: NewShowOrder,
  number: AttributedNumber,
): Promise<void> {
  const row = {
    order_id: order.orderId,
    display_id: order.displayId,
    cart_id: order.cartId,
    connection_id: number.connectionId,
    page: number.page,
    campaign_uid: number.campaignUid,
    svc_order_no: number.orderNo,
    currency_code: order.currencyCode,
    has_show_lines: number.hasShowLines,
    placed_at: order.placedAt,
  }
  const insert = (columns: Record<string, unknown>) =>
    trx("svc_attribution")
      .insert({ id: generateEntityId(undefined, "svcatt"), ...row, ...columns })
      .onConflict()
      .ignore()
      .returning("id")
  const inserted = await insert({ state: "waiting" })
  if (inserted.length > 0) return
  const [holder] = await trx("svc_attribution")
    .where({ page: number.page, svc_order_no: number.orderNo })
    .whereRaw(HOLDS_NUMBER)
    .select("order_id", "campaign_uid")
  const reason =
    holder?.order_id === order.orderId
      ? FAILED.order_number_shared(holder.campaign_uid)
      : FAILED.order_number_used(holder?.order_id ?? "")
  await insert({ state: "duplicate", ...reasonColumns(reason) })
}

const lineColumns = (order: NewShowOrder, { proof, ...line }: AttributedLine) => ({
  id: generateEntityId(undefined, "svcol"),
  order_id: order.orderId,
  line_item_id: line.lineId,
  connection_id: proof.connectionId,
  campaign_uid: proof.campaignUid,
  svc_order_no: proof.orderNo,
  product_id: line.productId,
  variant_id: line.variantId,
  ...bigNumberColumns({ unit_price: line.unitPrice, proven_price: proof.price }),
  is_tax_inclusive: proof.isTaxInclusive,
  fetched_at: proof.fetchedAt,
  expires_at: proof.expiresAt,
})
