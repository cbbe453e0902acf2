import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import { rawNumber } from "../shared/big-number"
import { claim } from "../shared/lease"
import { type Reason, reasonColumns } from "../shared/reason"

export type AttributionRow = {
  id: string
  order_id: string
  connection_id: string
  campaign_uid: string
  svc_order_no: string
  attempts: number
  failing_since: Date | null
  lease_token: string
}

type NewAttribution = {
  order_id: string
  display_id: number | null
  cart_id: string
  connection_id: string
  campaign_uid: string
  svc_order_no: string
  currency_code: string
  units: number
  gross: number
  placed_at: Date
}

/** Longer than one call with its timeout. Short, because after a crash the row waits for it. */
const LEASE_MS = 60_000

/** Attributions: written when the order is placed, claimed by a worker, completed under their lease. */
export class AttributionRows {
  constructor(private readonly knex: Knex) {}

  /**
   * Writes an order's attributions and freezes its cart's numbers, in one transaction. Writing the same order
   * again changes nothing. A number that another order has already becomes `duplicate` and is not sent (gap 49).
   */
  async record(cartId: string, orderId: string, attributions: NewAttribution[]): Promise<void> {
    await this.knex.transaction(async (trx) => {
      for (const attribution of attributions) {
        const row = {
          ...attribution,
          raw_gross: rawNumber(attribution.gross),
        }
        const inserted = await trx("svc_attribution")
          .insert({ id: generateEntityId(undefined, "svcatt"), ...row, state: "waiting" })
          .onConflict()
          .ignore()
          .returning("id")
        if (inserted.length > 0) continue
        await trx("svc_attribution")
          .insert({
            id: generateEntityId(undefined, "svcatt"),
            ...row,
            state: "duplicate",
            reason_code: "order_number_used",
            reason_message: "Another order was reported with this order number already.",
            reason_fix: "Nothing to do, unless the other order was placed by mistake.",
          })
          // A conflict here is the row of this very order, from an earlier run.
          .onConflict()
          .ignore()
      }
      await trx("svc_cart_order_number")
        .where({ cart_id: cartId })
        .whereNull("order_id")
        .update({ order_id: orderId, updated_at: trx.fn.now() })
    })
  }

  async claimDue(limit: number, token: string): Promise<AttributionRow[]> {
    return claim<AttributionRow>(this.knex, {
      table: "svc_attribution",
      due: "state = 'waiting'",
      order: "next_attempt_at NULLS FIRST, placed_at",
      limit,
      leaseMs: LEASE_MS,
      token,
    })
  }

  /** Claims one row, whatever its schedule says; null while another worker has it. */
  async claimOne(id: string, token: string): Promise<AttributionRow | null> {
    const [row] = await claim<AttributionRow>(this.knex, {
      table: "svc_attribution",
      due: "state = 'waiting' AND id = ?",
      bindings: [id],
      order: "id",
      limit: 1,
      leaseMs: LEASE_MS,
      token,
    })
    return row ?? null
  }

  /** Milliseconds until the next waiting row is due, 0 or less for one that is due now; null when none waits. */
  async nextInMs(): Promise<number | null> {
    const { rows } = await this.knex.raw<{ rows: { ms: number | null }[] }>(
      `SELECT extract(epoch FROM min(greatest(next_attempt_at, lease_until)) - now())::float8 * 1000 AS ms
       FROM svc_attribution
       WHERE state = 'waiting' AND deleted_at IS NULL
         AND (next_attempt_at IS NOT NULL OR lease_until IS NOT NULL)`,
    )
    return rows[0]?.ms ?? null
  }

  async markReported(row: AttributionRow): Promise<void> {
    await this.#complete(row, {
      state: "reported",
      reported_at: this.knex.fn.now(),
      failing_since: null,
      next_attempt_at: null,
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

  async markFailed(row: AttributionRow, reason: Reason): Promise<void> {
    await this.#complete(row, {
      state: "failed",
      next_attempt_at: null,
      ...reasonColumns(reason),
    })
  }

  /** "Report again": makes a row due now, whatever its state. False for a duplicate: another order has its number. */
  async sendAgain(id: string): Promise<boolean> {
    const changed = await this.knex("svc_attribution")
      .where({ id })
      .whereIn("state", ["waiting", "reported", "failed"])
      .update({
        state: "waiting",
        attempts: 0,
        failing_since: null,
        next_attempt_at: null,
        lease_until: null,
        lease_token: null,
        updated_at: this.knex.fn.now(),
      })
    return changed === 1
  }

  /** Updates only while we still hold the lease. If another worker has taken the row over, it decides. */
  async #complete(row: AttributionRow, columns: Record<string, unknown>): Promise<void> {
    await this.knex("svc_attribution")
      .where({ id: row.id, lease_token: row.lease_token })
      .update({ ...columns, lease_token: null, lease_until: null, updated_at: this.knex.fn.now() })
  }

  /** Distinct carts per campaign that met the service: what the conversion rate divides by. */
  async cartsByCampaign(
    campaigns: { connection_id: string; campaign_uid: string }[],
  ): Promise<Map<string, number>> {
    if (campaigns.length === 0) return new Map()
    const rows = await this.knex("svc_cart_order_number")
      .whereIn(
        "campaign_uid",
        campaigns.map((campaign) => campaign.campaign_uid),
      )
      .groupBy("connection_id", "campaign_uid")
      .select("connection_id", "campaign_uid")
      .select(this.knex.raw("count(DISTINCT cart_id)::int AS carts"))
    return new Map(
      rows.map((row) => [campaignKey(row.connection_id, row.campaign_uid), Number(row.carts)]),
    )
  }

  /** One row per campaign and currency. */
  async campaigns(asked: CampaignQuery): Promise<{ rows: CampaignRow[]; count: number }> {
    const { filters, order, limit, offset } = asked
    const [column = "gross", direction] = Object.entries(order)[0] ?? []
    const orders = this.knex("svc_attribution")
      .whereNotIn("state", ["duplicate", "excluded"])
      .whereNull("deleted_at")
      .modify((query) => {
        for (const name of ["connection_id", "campaign_uid", "currency_code"] as const) {
          if (filters[name]) query.whereIn(name, filters[name])
        }
        if (filters.q) {
          const like = `%${filters.q}%`
          query.where((found) =>
            found
              .whereILike("campaign_uid", like)
              .orWhereIn(
                "campaign_uid",
                this.knex("svc_live_event").select("campaign_uid").whereILike("name", like),
              ),
          )
        }
      })
      .groupBy("connection_id", "campaign_uid", "currency_code", "order_id")
      .select("connection_id", "campaign_uid", "currency_code", "order_id")
      .sum({ units: "units", gross: "gross" })
    const campaigns = this.knex
      .from(orders.as("sold"))
      .groupBy("connection_id", "campaign_uid", "currency_code")
      .select(
        "connection_id",
        "campaign_uid",
        "currency_code",
        this.knex.raw(
          `count(*)::int AS orders, sum(units)::int AS units, sum(gross)::float8 AS gross,
           jsonb_object_agg(order_id, gross) AS gross_by_order`,
        ),
      )
    const [rows, counted] = await Promise.all([
      campaigns
        .clone()
        .orderByRaw(
          `?? ${direction === "ASC" ? "ASC" : "DESC"}, campaign_uid, connection_id, currency_code`,
          [column],
        )
        .limit(limit)
        .offset(offset),
      this.knex.from(campaigns.as("campaigns")).count<{ count: string }[]>("* as count"),
    ])
    return { rows, count: Number(counted[0]?.count ?? 0) }
  }
}

/** What campaigns can be sorted by. */
export const CAMPAIGN_COLUMNS = ["gross", "orders", "units", "campaign_uid"] as const

export type CampaignQuery = {
  filters: {
    connection_id?: string[]
    campaign_uid?: string[]
    currency_code?: string[]
    /** A `LIKE` pattern's inside: part of the campaign's id or of its show's name. */
    q?: string
  }
  /** One of `CAMPAIGN_COLUMNS`. */
  order: Record<string, "ASC" | "DESC">
  limit: number
  offset: number
}

type CampaignRow = {
  connection_id: string
  campaign_uid: string
  currency_code: string
  orders: number
  units: number
  gross: number
  /** Major units, by order id. */
  gross_by_order: Record<string, number>
}

export const campaignKey = (connectionId: string, campaignUid: string): string =>
  `${connectionId}\n${campaignUid}`
