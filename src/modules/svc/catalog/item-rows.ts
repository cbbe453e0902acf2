import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { PushedProduct } from "../../../contract"
import { claim } from "../shared/lease"
import { type Reason, reasonColumns } from "../shared/reason"

/** Columns of `svc_catalog_item` that the worker reads. */
export type ItemRow = {
  id: string
  connection_id: string
  product_id: string
  state: "pending" | "synced" | "invalid" | "failed" | "removed"
  wanted: number
  acknowledged: number
  acknowledged_hash: string | null
  live: boolean
  force: boolean
  attempts: number
  failing_since: Date | null
  lease_token: string
  last_payload: PushedProduct | null
}

/** What the worker decided and did with one row that it had taken. */
export type Settlement = {
  id: string
  /** `wanted` as the worker read it: an edit made since then keeps the row dirty. */
  generation: number
  state: "synced" | "invalid" | "failed" | "removed"
  title: string | null
  /** What the service has now, where this attempt changed it. */
  sent: { payload: PushedProduct; hash: string } | null
  reason: Reason | null
}

const DIRTY = "wanted > acknowledged"
/** A paused import holds its own rows. What people and events of the store ask for is still sent. */
export const NOT_PAUSED = ` AND NOT EXISTS (
  SELECT 1 FROM svc_catalog_import import
  WHERE import.connection_id = svc_catalog_item.connection_id
    AND import.status = 'paused' AND import.deleted_at IS NULL)`

/** A row's priority: what people and the store's events ask for goes before what imports and sweeps ask for. */
type Lane = "live" | "bulk"

/**
 * Rows of `svc_catalog_item`: what the service has to know (`wanted`) and what is settled (`acknowledged`).
 *
 * mark: wanted + 1, due now (`CatalogMarks`); a settled row (synced, invalid, failed, removed) becomes dirty again
 * claim: lease for one worker; `updated_at` is the moment before the store was read (the price sweep relies on it)
 * settle: acknowledged = the generation that was claimed; guarded by the lease token
 * retry: stays dirty, due later
 *
 * Statements that touch many rows lock them in one order first, so that a mark and a settlement that overlap wait for
 * each other and never deadlock.
 */
export class CatalogItemRows {
  constructor(private readonly knex: Knex) {}

  /** Marks rows to be sent even if the service has an equal payload. */
  async markToSend(ids: string[]): Promise<{ id: string; wanted: number }[]> {
    const rows = this.knex("svc_catalog_item")
      .select("id")
      .whereRaw("id = ANY(?)", [ids])
      .whereNull("deleted_at")
      .orderByRaw("connection_id, product_id")
      .forUpdate()
    return this.knex("svc_catalog_item")
      .whereIn("id", rows)
      .update({
        wanted: this.knex.raw("wanted + 1"),
        live: true,
        force: true,
        attempts: this.knex.raw(`CASE WHEN ${DIRTY} THEN attempts ELSE 0 END`),
        failing_since: this.knex.raw(`CASE WHEN ${DIRTY} THEN failing_since END`),
        next_attempt_at: this.knex.fn.now(),
        state: "pending",
        updated_at: this.knex.fn.now(),
      })
      .returning<{ id: string; wanted: number }[]>(["id", "wanted"])
  }

  /**
   * Claims a page of due rows of one connection. Each priority is a range of the index (connection_id, live,
   * next_attempt_at), read in its order.
   */
  async claimPage(
    connectionId: string,
    lane: Lane,
    input: { limit: number; leaseMs: number; token: string },
  ): Promise<ItemRow[]> {
    return claim<ItemRow>(this.knex, {
      table: "svc_catalog_item",
      due: `connection_id = ? AND live = ? AND ${DIRTY}${lane === "bulk" ? NOT_PAUSED : ""}`,
      bindings: [connectionId, lane === "live"],
      order: "next_attempt_at",
      ...input,
    })
  }

  /** Claims one row, whenever it is due. */
  async claimOne(id: string, input: { leaseMs: number; token: string }): Promise<ItemRow | null> {
    const [row] = await claim<ItemRow>(this.knex, {
      table: "svc_catalog_item",
      due: `id = ? AND ${DIRTY}`,
      bindings: [id],
      order: "id",
      limit: 1,
      ...input,
    })
    return row ?? null
  }

  /**
   * Records what became of claimed rows.
   * @returns ids of the rows that still were ours; another worker has the others
   */
  async settle(token: string, settlements: Settlement[]): Promise<Set<string>> {
    if (settlements.length === 0) return new Set()
    const input = settlements.map(({ sent, reason, ...row }) => ({
      ...row,
      sent: sent !== null,
      hash: sent?.hash ?? null,
      payload: sent?.payload ?? null,
      ...reasonColumns(reason),
    }))
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `WITH input AS (
         SELECT * FROM jsonb_to_recordset(CAST(:input AS jsonb)) AS input (
           id text, generation int, state text, title text, sent boolean, hash text, payload jsonb,
           reason_code text, reason_message text, reason_fix text)
       ), mine AS (
         SELECT id FROM svc_catalog_item
         WHERE id = ANY(:ids) AND lease_token = :token
         ORDER BY connection_id, product_id FOR UPDATE
       )
       UPDATE svc_catalog_item item SET
         acknowledged = input.generation,
         state = CASE WHEN item.wanted > input.generation THEN item.state ELSE input.state END,
         title = COALESCE(input.title, item.title),
         acknowledged_hash = CASE WHEN input.sent THEN input.hash ELSE item.acknowledged_hash END,
         last_payload = CASE WHEN input.sent THEN input.payload ELSE item.last_payload END,
         last_pushed_at = CASE WHEN input.sent THEN now() ELSE item.last_pushed_at END,
         force = item.force AND item.wanted > input.generation,
         attempts = CASE WHEN input.state = 'failed' THEN item.attempts ELSE 0 END,
         failing_since = NULL,
         next_attempt_at = CASE WHEN item.wanted > input.generation THEN item.next_attempt_at END,
         reason_code = input.reason_code, reason_message = input.reason_message, reason_fix = input.reason_fix,
         lease_token = NULL, lease_until = NULL
       FROM input, mine WHERE item.id = mine.id AND input.id = mine.id
       RETURNING item.id`,
      { input: JSON.stringify(input), ids: settlements.map((row) => row.id), token },
    )
    return new Set(rows.map((row) => row.id))
  }

  /** Leaves claimed rows dirty and makes them due later: the service has not seen them yet. */
  async retryLater(token: string, ids: string[], inMs: number, reason: Reason): Promise<void> {
    await this.knex("svc_catalog_item")
      .whereIn("id", this.#mine(token, ids))
      .update({
        state: "pending",
        next_attempt_at: this.knex.raw("now() + ? * interval '1 millisecond'", [inMs]),
        failing_since: this.knex.raw("COALESCE(failing_since, now())"),
        ...reasonColumns(reason),
        lease_token: null,
        lease_until: null,
      })
  }

  /** @returns ids of the rows that are still ours, with a lease that begins now */
  async renew(token: string, ids: string[], leaseMs: number): Promise<Set<string>> {
    const rows = await this.knex("svc_catalog_item")
      .whereIn("id", this.#mine(token, ids))
      .update({ lease_until: this.knex.raw("now() + ? * interval '1 millisecond'", [leaseMs]) })
      .returning<{ id: string }[]>("id")
    return new Set(rows.map((row) => row.id))
  }

  /** Gives back rows that were claimed and not tried: the attempt is not counted. */
  async release(token: string, ids: string[]): Promise<void> {
    await this.knex("svc_catalog_item")
      .whereIn("id", this.#mine(token, ids))
      .update({
        attempts: this.knex.raw("greatest(attempts - 1, 0)"),
        lease_token: null,
        lease_until: null,
      })
  }

  #mine(token: string, ids: string[]) {
    return this.knex("svc_catalog_item")
      .select("id")
      .whereRaw("id = ANY(?)", [ids])
      .where("lease_token", token)
      .orderByRaw("connection_id, product_id")
      .forUpdate()
  }

  /** Puts off every dirty row of a connection: its service asked us to wait, and other workers must wait as well. */
  async delayConnection(connectionId: string, forMs: number): Promise<void> {
    await this.knex.raw(
      `UPDATE svc_catalog_item SET next_attempt_at = now() + ? * interval '1 millisecond'
       WHERE id IN (
         SELECT id FROM svc_catalog_item
         WHERE connection_id = ? AND ${DIRTY} AND deleted_at IS NULL AND lease_token IS NULL
           AND (next_attempt_at IS NULL OR next_attempt_at < now() + ? * interval '1 millisecond')
         ORDER BY connection_id, product_id FOR UPDATE SKIP LOCKED)`,
      [forMs, connectionId, forMs],
    )
  }

  /**
   * Whether rows of a connection are dirty, and in how many ms the next one that waits is due; 0 where it fell due
   * while the pass that postponed it was still running.
   */
  async waiting(connectionId: string): Promise<{ any: boolean; nextInMs: number | null }> {
    const { rows } = await this.knex.raw<{ rows: { any: boolean; next_in_ms: number | null }[] }>(
      `SELECT count(*) > 0 AS any,
         (extract(epoch FROM min(GREATEST(next_attempt_at, lease_until, now()))
           FILTER (WHERE next_attempt_at > now() OR lease_until > now() OR failing_since IS NOT NULL)
           - now()) * 1000)::float AS next_in_ms
       FROM svc_catalog_item
       WHERE connection_id = ? AND ${DIRTY} AND deleted_at IS NULL AND (live OR (true${NOT_PAUSED}))`,
      [connectionId],
    )
    return { any: rows[0]?.any ?? false, nextInMs: rows[0]?.next_in_ms ?? null }
  }

  /** Whether an attempt was made: the generation was settled, or postponed after a failure. */
  async isAttempted(id: string, generation: number): Promise<boolean> {
    const { rows } = await this.knex.raw<{ rows: { attempted: boolean }[] }>(
      `SELECT acknowledged >= ? OR (lease_token IS NULL AND next_attempt_at > now()) AS attempted
       FROM svc_catalog_item WHERE id = ?`,
      [generation, id],
    )
    return rows[0]?.attempted ?? true
  }

  /** Settled rows of some products, for comparing hashes. */
  async known(connectionId: string, productIds: string[]): Promise<Map<string, ItemRow>> {
    const rows = await this.knex<ItemRow & { deleted_at: Date | null }>("svc_catalog_item")
      .where({ connection_id: connectionId })
      .whereRaw("product_id = ANY(?)", [productIds])
      .whereNull("deleted_at")
      .select("*")
    return new Map(rows.map((row) => [row.product_id, row]))
  }
}
