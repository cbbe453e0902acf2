import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import { rawText } from "../shared/big-number"
import { claim } from "../shared/lease"
import { type Reason, reasonColumns } from "../shared/reason"
import { isUniqueViolation } from "../shared/sql-error"
import type { AttributedLine, AttributedNumber, LineFlag } from "./attribute-order"
import { SETTLE_MS } from "./judge-report"
import { EXCLUDED, FAILED, WAITING } from "./reasons"

export type AttributionState = "waiting" | "reported" | "failed" | "duplicate" | "excluded"

export type AttributionRow = {
  id: string
  order_id: string
  connection_id: string
  campaign_uid: string
  svc_order_no: string
  state: AttributionState
  display_id: number | null
  currency_code: string
  /** Decimal texts. */
  units: string
  gross: string
  placed_at: Date
  attempts: number
  /** A person asked for the report. */
  forced: boolean
  failing_since: Date | null
  lease_token: string
}

/** An order of a show, as it is written down. */
export type NewShowOrder = {
  orderId: string
  displayId: number | null
  currencyCode: string
  placedAt: Date
  cartId: string
  lines: AttributedLine[]
  numbers: AttributedNumber[]
  flags: LineFlag[]
  /** True where Medusa left the order half-placed: it waits for a person, and its cart's numbers stay free. */
  halfPlaced: boolean
  /** True where only a sweep has seen it: the report waits a moment, because core may still take the order back. */
  bySweep: boolean
}

/** What is told on Medusa's bus about an attribution (`order-events.ts` of the workflows). */
type Announcement = "reported" | "failed" | "excluded"
export type Announced = {
  id: string
  order_id: string
  connection_id: string
  campaign_uid: string
  svc_order_no: string
  announce: Announcement
  reason_code: string | null
}

/** Long enough for one call with its timeout, short enough that a crash costs little. */
const LEASE_MS = 60_000
const ANNOUNCED = [
  "id",
  "order_id",
  "connection_id",
  "campaign_uid",
  "svc_order_no",
  "announce",
  "reason_code",
] as const

/** Attributions: written when the order is placed, claimed by a worker, completed under their lease. */
export class AttributionRows {
  constructor(private readonly knex: Knex) {}

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
          flags: order.flags.length > 0 ? JSON.stringify(order.flags) : null,
          left_out: order.halfPlaced ? EXCLUDED.order_half_placed().code : null,
        })
        .onConflict()
        .ignore()
        .returning("id")
      if (written.length === 0) return false
      if (order.lines.length > 0) {
        await trx("svc_show_order_line").insert(order.lines.map((line) => lineColumns(order, line)))
      }
      for (const number of order.numbers) await insertNumber(trx, order, number)
      if (!order.halfPlaced) {
        await trx("svc_cart_order_number")
          .where({ cart_id: order.cartId })
          .whereNull("order_id")
          .whereNull("deleted_at")
          .update({ order_id: order.orderId, updated_at: trx.fn.now() })
      }
      return true
    })
  }

  async claimDue(connectionId: string, limit: number, token: string): Promise<AttributionRow[]> {
    return claim<AttributionRow>(this.knex, {
      table: "svc_attribution",
      due: "state = 'waiting' AND connection_id = ?",
      bindings: [connectionId],
      order: "next_attempt_at NULLS FIRST, placed_at",
      limit,
      leaseMs: LEASE_MS,
      token,
    })
  }

  /** Claims one row for a person who waits, whatever its schedule says; null while another worker has it. */
  async claimOne(id: string, token: string): Promise<AttributionRow | null> {
    const [row] = await claim<AttributionRow>(this.knex, {
      table: "svc_attribution",
      due: "state IN ('waiting', 'reported') AND id = ?",
      bindings: [id],
      order: "id",
      limit: 1,
      leaseMs: LEASE_MS,
      token,
    })
    return row ?? null
  }

  /** Milliseconds until the next waiting row is due, by connection; 0 or less for one that is due now. */
  async dueInMs(connectionId?: string): Promise<Map<string, number>> {
    const { rows } = await this.knex.raw<{ rows: { connection_id: string; ms: number }[] }>(
      `SELECT connection_id,
         extract(epoch FROM min(greatest(next_attempt_at, lease_until, 'epoch')) - now())::float8 * 1000 AS ms
       FROM svc_attribution
       WHERE state = 'waiting' AND deleted_at IS NULL AND (?::text IS NULL OR connection_id = ?)
       GROUP BY connection_id`,
      [connectionId ?? null, connectionId ?? null],
    )
    return new Map(rows.map((row) => [row.connection_id, row.ms]))
  }

  async markReported(row: AttributionRow): Promise<void> {
    await this.#complete(row, {
      state: "reported",
      reported_at: this.knex.raw("coalesce(reported_at, now())"),
      announce: row.state === "reported" ? null : "reported",
      failing_since: null,
      next_attempt_at: null,
      forced: false,
      ...reasonColumns(null),
    })
  }

  async markRetry(row: AttributionRow, inMs: number, reason: Reason): Promise<void> {
    await this.#complete(row, {
      next_attempt_at: this.knex.raw("now() + ? * interval '1 millisecond'", [inMs]),
      failing_since: this.knex.raw("coalesce(failing_since, now())"),
      ...reasonColumns(reason),
    })
  }

  /** The store failed, and not the service: the day after which a report is given up begins anew with the service's next failure. */
  async markDelayed(row: AttributionRow, inMs: number, reason: Reason): Promise<void> {
    await this.#complete(row, {
      next_attempt_at: this.knex.raw("now() + ? * interval '1 millisecond'", [inMs]),
      failing_since: null,
      ...reasonColumns(reason),
    })
  }

  /** It waits for something that is nobody's failure: nothing was tried. */
  async markWaiting(row: AttributionRow, inMs: number, reason: Reason): Promise<void> {
    await this.#complete(row, {
      attempts: Math.max(row.attempts - 1, 0),
      next_attempt_at: this.knex.raw("now() + ? * interval '1 millisecond'", [inMs]),
      ...reasonColumns(reason),
    })
  }

  async markFailed(row: AttributionRow, reason: Reason): Promise<void> {
    await this.#complete(row, {
      state: "failed",
      next_attempt_at: null,
      forced: false,
      announce: "failed",
      ...reasonColumns(reason),
    })
  }

  /** The next order under the same number, if there is one, is reported in its place. */
  async markExcluded(row: AttributionRow, reason: Reason): Promise<void> {
    const columns = {
      state: "excluded",
      attempts: Math.max(row.attempts - 1, 0),
      next_attempt_at: null,
      forced: false,
      announce: "excluded",
      ...reasonColumns(reason),
    }
    await this.knex.transaction(async (trx) => {
      await this.#complete(row, columns, trx)
      await passNumberOn(trx, row)
    })
  }

  /** Gives a row back as it was: what was told stays told, whatever came of telling it again. */
  async release(row: AttributionRow): Promise<void> {
    await this.#complete(row, { forced: false })
  }

  /**
   * "Report again": makes a row due now. One that was reported stays so, and is only told once more. False where another
   * order has the number.
   */
  async sendAgain(id: string): Promise<boolean> {
    try {
      const changed = await this.knex("svc_attribution")
        .where({ id })
        .update({
          state: this.knex.raw("CASE state WHEN 'reported' THEN state ELSE 'waiting' END"),
          attempts: this.knex.raw("CASE state WHEN 'reported' THEN attempts ELSE 0 END"),
          forced: true,
          failing_since: null,
          next_attempt_at: null,
          lease_until: null,
          lease_token: null,
          updated_at: this.knex.fn.now(),
        })
      return changed === 1
    } catch (error) {
      if (isUniqueViolation(error)) return false
      throw error
    }
  }

  /**
   * Makes those rows of these orders due now that wait for a payment or a consent: it may have come. Others keep their
   * time: a service that asked for patience has it, and core may still take back an order that only the sweep has seen.
   */
  async wakeOrders(orderIds: string[]): Promise<string[]> {
    if (orderIds.length === 0) return []
    const rows = await this.knex("svc_attribution")
      .whereIn("order_id", orderIds)
      .where({ state: "waiting" })
      .whereIn("reason_code", Object.keys(WAITING))
      .whereNull("deleted_at")
      .update({ next_attempt_at: null, updated_at: this.knex.fn.now() })
      .returning("connection_id")
    return [...new Set(rows.map((row) => String(row.connection_id)))]
  }

  /**
   * Ends the freeze of carts whose order is gone: core deletes an order whose payment failed, and the shopper goes on with
   * the same cart. What was to be reported of it is not, and its numbers are free for the order that comes.
   */
  async forgetDeleted(orderIds: string[]): Promise<void> {
    if (orderIds.length === 0) return
    await this.knex.transaction(async (trx) => {
      await trx("svc_cart_order_number")
        .whereIn("order_id", orderIds)
        .whereNull("deleted_at")
        .update({ order_id: null })
      const excluded = await trx("svc_attribution")
        .whereIn("order_id", orderIds)
        .whereNull("deleted_at")
        .whereNot({ state: "excluded" })
        .update({
          state: "excluded",
          announce: "excluded",
          next_attempt_at: null,
          lease_until: null,
          lease_token: null,
          updated_at: trx.fn.now(),
          ...reasonColumns(EXCLUDED.order_deleted()),
        })
        .returning(["connection_id", "svc_order_no"])
      for (const row of excluded) await passNumberOn(trx, row)
    })
  }

  /** Rows with something to tell; `settledMs` leaves those alone that another process is telling now. */
  async unannounced(ids: string[] | null, settledMs = 0): Promise<Announced[]> {
    return this.knex<Announced & { deleted_at: Date | null }>("svc_attribution")
      .whereNotNull("announce")
      .whereNull("deleted_at")
      .modify((query) => {
        if (ids) query.whereIn("id", ids)
        else query.whereRaw("updated_at < now() - ? * interval '1 millisecond'", [settledMs])
      })
      .limit(500)
      .select([...ANNOUNCED])
  }

  async markAnnounced(rows: Announced[]): Promise<void> {
    for (const { id, announce } of rows) {
      await this.knex("svc_attribution").where({ id, announce }).update({ announce: null })
    }
  }

  /** Updates only while we still hold the lease. If another worker has taken the row over, it decides. */
  async #complete(
    row: AttributionRow,
    columns: Record<string, unknown>,
    on: Knex = this.knex,
  ): Promise<void> {
    await on("svc_attribution")
      .where({ id: row.id, lease_token: row.lease_token })
      .update({ ...columns, lease_token: null, lease_until: null, updated_at: on.fn.now() })
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
    campaign_uid: number.campaignUid,
    svc_order_no: number.orderNo,
    currency_code: order.currencyCode,
    units: number.units,
    raw_units: rawText(number.units),
    gross: number.gross,
    raw_gross: rawText(number.gross),
    placed_at: order.placedAt,
  }
  const insert = (columns: Record<string, unknown>) =>
    trx("svc_attribution")
      .insert({ id: generateEntityId(undefined, "svcatt"), ...row, ...columns })
      .onConflict()
      .ignore()
      .returning("id")
  if (order.halfPlaced) {
    await insert({
      state: "excluded",
      announce: "excluded",
      ...reasonColumns(EXCLUDED.order_half_placed()),
    })
    return
  }
  const settles = new Date(order.placedAt.getTime() + SETTLE_MS)
  const inserted = await insert({
    state: "waiting",
    next_attempt_at: order.bySweep ? settles : null,
  })
  if (inserted.length > 0) return
  const [holder] = await trx("svc_attribution")
    .where({ connection_id: number.connectionId, svc_order_no: number.orderNo })
    .whereRaw("state NOT IN ('duplicate', 'excluded')")
    .whereNull("deleted_at")
    .select("order_id", "campaign_uid")
  const reason =
    holder?.order_id === order.orderId
      ? FAILED.order_number_shared(holder.campaign_uid)
      : FAILED.order_number_used(holder?.order_id ?? "")
  await insert({ state: "duplicate", ...reasonColumns(reason) })
}

/** The first of a number's duplicates is due, where no other row has the number any more. */
async function passNumberOn(
  trx: Knex,
  { connection_id, svc_order_no }: Pick<AttributionRow, "connection_id" | "svc_order_no">,
): Promise<void> {
  const heir = {
    state: "waiting",
    next_attempt_at: null,
    updated_at: trx.fn.now(),
    ...reasonColumns(null),
  }
  try {
    // A savepoint: an order that is written down at this moment may have taken the number.
    await trx.transaction((savepoint) =>
      savepoint("svc_attribution")
        .whereRaw(FIRST_DUPLICATE, { connection_id, svc_order_no })
        .update(heir),
    )
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
  }
}

/** Orders under a number are found by the carts that met it: no index of duplicates is needed. */
const FIRST_DUPLICATE = `
  id = (
    SELECT other.id FROM svc_cart_order_number number
    JOIN svc_attribution other ON other.order_id = number.order_id AND other.deleted_at IS NULL
      AND other.connection_id = number.connection_id AND other.svc_order_no = number.order_no
    WHERE number.connection_id = :connection_id AND number.order_no = :svc_order_no
      AND number.deleted_at IS NULL AND other.state = 'duplicate'
    ORDER BY other.placed_at, other.id LIMIT 1)
  AND NOT EXISTS (
    SELECT 1 FROM svc_attribution holder
    WHERE holder.connection_id = :connection_id AND holder.svc_order_no = :svc_order_no
      AND holder.state NOT IN ('duplicate', 'excluded') AND holder.deleted_at IS NULL)`

const lineColumns = (order: NewShowOrder, { proof, ...line }: AttributedLine) => ({
  id: generateEntityId(undefined, "svcol"),
  order_id: order.orderId,
  line_item_id: line.lineId,
  connection_id: proof.connectionId,
  campaign_uid: proof.campaignUid,
  svc_order_no: proof.orderNo,
  product_id: line.productId,
  variant_id: line.variantId,
  unit_price: line.unitPrice,
  raw_unit_price: rawText(line.unitPrice),
  proven_price: proof.price,
  raw_proven_price: rawText(proof.price),
  is_tax_inclusive: proof.isTaxInclusive,
  fetched_at: proof.fetchedAt,
  expires_at: proof.expiresAt,
})
