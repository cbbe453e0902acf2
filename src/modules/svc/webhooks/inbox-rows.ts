import { randomUUID } from "node:crypto"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import { claim } from "../shared/lease"

/** A delivery as it is stored. Times are the service's, `null` where the body had none. */
export type NewDelivery = {
  connection_id: string
  dedup_key: string
  topic: string
  event_uid: string | null
  delivery_uid: string | null
  occurred_at: Date | null
  outcome: InboxOutcome
  reason: string | null
  payload: unknown
  headers: Record<string, string>
}
export type InboxOutcome = "received" | "quarantined" | "unknown" | "test"

/** What the worker reads of a claimed delivery. */
export type ClaimedDelivery = {
  id: string
  connection_id: string
  topic: string
  received_at: Date
  attempts: number
  payload: unknown
}

/** How a delivery ended. */
export type Completion = {
  id: string
  outcome: "applied" | "stale" | "quarantined" | "failed"
  reason: string | null
}

/** Longer than any batch takes. After it, the rows of a worker that died are due again. */
const LEASE_MS = 20_000
/** `last_delivery_at` is for people: one write a second, or every delivery would wait for the same row. */
const TOUCH_EVERY = "1 second"
const INT4 = 2_147_483_647

/** The inbox: written by the receiver in one statement, applied by a worker, deleted from each night. */
export class InboxRows {
  constructor(private readonly knex: Knex) {}

  /**
   * Stores a verified delivery. The unique key (gap 1) recognises a repeat: it is counted and changes nothing else.
   * The same statement records on the subscriber that a delivery came.
   *
   * @param clockSkewMs our clock less the service's, latency included (gap 7)
   */
  async keep(
    delivery: NewDelivery,
    clockSkewMs: number,
  ): Promise<{ id: string; outcome: string; isNew: boolean }> {
    const { rows } = await this.knex.raw<{
      rows: { id: string; outcome: string; is_new: boolean }[]
    }>(
      `WITH kept AS (
         INSERT INTO svc_delivery (id, connection_id, dedup_key, topic, event_uid, delivery_uid,
           occurred_at, received_at, outcome, reason, payload, headers)
         VALUES (?, ?, ?, ?, ?, ?, ?, now(), ?, ?, ?, ?)
         ON CONFLICT (connection_id, dedup_key) WHERE deleted_at IS NULL
         DO UPDATE SET repeats = svc_delivery.repeats + 1
         RETURNING id, outcome, (xmax = 0) AS is_new
       ), heard AS (
         UPDATE svc_webhook SET last_delivery_at = now(), clock_skew_ms = ?
         WHERE connection_id = ? AND deleted_at IS NULL
           AND (last_delivery_at IS NULL OR last_delivery_at < now() - interval '${TOUCH_EVERY}')
       )
       SELECT id, outcome, is_new FROM kept`,
      [
        generateEntityId(undefined, "svcdel"),
        delivery.connection_id,
        delivery.dedup_key,
        delivery.topic,
        delivery.event_uid,
        delivery.delivery_uid,
        delivery.occurred_at,
        delivery.outcome,
        delivery.reason,
        JSON.stringify(delivery.payload),
        JSON.stringify(delivery.headers),
        Math.max(-INT4, Math.min(INT4, Math.round(clockSkewMs))),
        delivery.connection_id,
      ],
    )
    const row = rows[0]
    if (!row) throw new Error("The inbox answered nothing.")
    return { id: row.id, outcome: row.outcome, isNew: row.is_new }
  }

  /** Claims due deliveries, oldest first; served by `IDX_svc_delivery_due`. */
  async claim(limit: number): Promise<{ token: string; deliveries: ClaimedDelivery[] }> {
    const token = randomUUID()
    const deliveries = await claim<ClaimedDelivery>(this.knex, {
      table: "svc_delivery",
      due: "outcome = 'received'",
      order: "received_at, id",
      limit,
      leaseMs: LEASE_MS,
      token,
    })
    // An UPDATE returns rows in no order. Applied in the order of arrival, the outcomes are what a person expects.
    deliveries.sort((a, b) => a.received_at.getTime() - b.received_at.getTime() || compareIds(a, b))
    return { token, deliveries }
  }

  /** Milliseconds until a waiting delivery, or one that a dead worker holds, is due; null where there is none. */
  async nextInMs(): Promise<number | null> {
    const { rows } = await this.knex.raw<{ rows: { ms: number | null }[] }>(
      `SELECT (extract(epoch FROM min(greatest(next_attempt_at, lease_until, now())) - now()) * 1000)::int AS ms
       FROM svc_delivery WHERE outcome = 'received' AND deleted_at IS NULL`,
    )
    return rows[0]?.ms ?? null
  }

  /** Records the outcome of claimed deliveries. Rows whose lease another worker has by now are left to it. */
  async complete(token: string, completions: Completion[]): Promise<void> {
    if (completions.length === 0) return
    await this.knex.raw(
      `UPDATE svc_delivery d
       SET outcome = done.outcome, reason = done.reason, next_attempt_at = NULL,
         lease_token = NULL, lease_until = NULL, updated_at = now()
       FROM jsonb_to_recordset(?::jsonb) AS done (id text, outcome text, reason text)
       WHERE d.id = done.id AND d.lease_token = ?`,
      [JSON.stringify(completions), token],
    )
  }

  async retryLater(token: string, id: string, inMs: number, reason: string): Promise<void> {
    await this.knex("svc_delivery")
      .where({ id, lease_token: token })
      .update({
        reason,
        next_attempt_at: this.knex.raw("now() + ? * interval '1 millisecond'", [inMs]),
        lease_token: null,
        lease_until: null,
        updated_at: this.knex.fn.now(),
      })
  }

  /** Replays a delivery: stores how it was classified again, and makes it due where that is `received`. */
  async reopen(id: string, outcome: InboxOutcome, reason: string | null): Promise<void> {
    await this.knex("svc_delivery").where({ id }).update({
      outcome,
      reason,
      attempts: 0,
      next_attempt_at: null,
      lease_token: null,
      lease_until: null,
      updated_at: this.knex.fn.now(),
    })
  }

  /**
   * Removes old deliveries, a batch at a time: 30 days for those that are done, 90 for those that a person may
   * want to look at. The projection keeps its tombstones.
   */
  async trim(batch: number): Promise<number> {
    let removed = 0
    for (;;) {
      const { rowCount } = await this.knex.raw<{ rowCount: number }>(
        `DELETE FROM svc_delivery WHERE id IN (
           SELECT id FROM svc_delivery
           WHERE (outcome IN ('applied', 'stale', 'test')
               AND received_at < now() - interval '30 days')
             OR (outcome <> 'received' AND received_at < now() - interval '90 days')
           LIMIT ?)`,
        [batch],
      )
      removed += rowCount
      if (rowCount < batch) return removed
    }
  }
}

const compareIds = (a: { id: string }, b: { id: string }): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0
