import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { PushedProduct } from "../../../contract"
import type { Reason } from "../backoff"
import { claim } from "./lease"

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

/** What the worker found and did with one claimed row. */
export type Settlement = {
  id: string
  /** `wanted` as it was claimed: an edit made since stays dirty. */
  generation: number
  state: "synced" | "invalid" | "failed" | "removed"
  title: string | null
  /** What the service has now, where this attempt changed it. */
  sent: { payload: PushedProduct; hash: string } | null
  reason: Reason | null
}

const DIRTY = "wanted > acknowledged"
/** A paused import holds the bulk lane; what people and the store's events ask for goes on. */
export const NOT_PAUSED = ` AND NOT EXISTS (
  SELECT 1 FROM svc_catalog_import import
  WHERE import.connection_id = svc_catalog_item.connection_id
    AND import.status = 'paused' AND import.deleted_at IS NULL)`

/** A row's place in line: the marks of people and of the store's events, or those of imports and sweeps. */
export type Lane = "live" | "bulk"

/**
 * Rows of `svc_catalog_item`: what the service shall know (`wanted`) and what is settled (`acknowledged`).
 *
 *   mark:    wanted + 1, due now; a settled row (synced, invalid, failed, removed) becomes dirty again
 *   claim:   lease for one worker; `updated_at` is the moment before the store was read (the price sweep relies on it)
 *   settle:  acknowledged = the generation that was claimed; guarded by the lease token
 *   retry:   stays dirty, due later
 *
 * Statements that touch many rows lock them by id first, so that a mark and a settlement that overlap wait for
 * each other and never deadlock.
 */
export class CatalogRows {
  constructor(private readonly knex: Knex) {}

  /**
   * Marks products dirty for every connection concerned, in one upsert: the connections whose sales channel has the
   * product, and those that know it already (it may have left the channel or the store).
   *
   * @returns how many rows were marked
   */
  async mark(productIds: string[]): Promise<number> {
    if (productIds.length === 0) return 0
    return this.#upsert(
      `SELECT connection.id, product.id, product.title
       FROM product
       JOIN product_sales_channel link ON link.product_id = product.id AND link.deleted_at IS NULL
       JOIN svc_connection connection
         ON connection.sales_channel_id = link.sales_channel_id AND connection.deleted_at IS NULL
       WHERE product.id = ANY(:ids) AND product.deleted_at IS NULL
       UNION
       SELECT item.connection_id, item.product_id, item.title
       FROM svc_catalog_item item
       JOIN svc_connection connection ON connection.id = item.connection_id AND connection.deleted_at IS NULL
       WHERE item.product_id = ANY(:ids) AND item.deleted_at IS NULL
         -- The store's title wins; two rows of one key would break the upsert.
         AND NOT EXISTS (
           SELECT 1 FROM product
           JOIN product_sales_channel link ON link.product_id = product.id AND link.deleted_at IS NULL
           WHERE product.id = item.product_id AND product.deleted_at IS NULL
             AND link.sales_channel_id = connection.sales_channel_id)`,
      { ids: productIds },
      "live",
    )
  }

  /**
   * Marks products of one connection in bulk: behind every live mark, and without a change of the shown state.
   *
   * @param force whether they are sent even if the service should have an equal payload
   */
  async markInBulk(connectionId: string, productIds: string[], force = false): Promise<number> {
    if (productIds.length === 0) return 0
    return this.#upsert(
      `SELECT :connection, wanted.id, COALESCE(product.title, '')
       FROM unnest(CAST(:ids AS text[])) AS wanted (id) LEFT JOIN product ON product.id = wanted.id`,
      { connection: connectionId, ids: productIds },
      "bulk",
      force,
    )
  }

  async #upsert(
    select: string,
    bindings: Record<string, string | string[]>,
    lane: Lane,
    force = false,
  ): Promise<number> {
    const live = lane === "live"
    const { rowCount } = await this.knex.raw<{ rowCount: number }>(
      `INSERT INTO svc_catalog_item AS item
         (id, connection_id, product_id, title, state, wanted, live, force, next_attempt_at, created_at, updated_at)
       SELECT 'svcprod_' || replace(gen_random_uuid()::text, '-', ''), source.*, 'pending', 1, CAST(:live AS boolean), CAST(:force AS boolean), now(), now(), now()
       FROM (${select}) AS source (connection_id, product_id, title)
       ORDER BY source.connection_id, source.product_id
       ON CONFLICT (connection_id, product_id) WHERE deleted_at IS NULL DO UPDATE SET
         wanted = item.wanted + 1,
         -- A product that is gone for good has no title to give.
         title = COALESCE(NULLIF(EXCLUDED.title, ''), item.title),
         live = EXCLUDED.live OR (item.live AND item.wanted > item.acknowledged),
         force = item.force OR EXCLUDED.force,
         next_attempt_at = now(),
         -- A dead letter lives again, with a day of its own.
         attempts = CASE WHEN item.wanted > item.acknowledged THEN item.attempts ELSE 0 END,
         failing_since = CASE WHEN item.wanted > item.acknowledged THEN item.failing_since END,
         ${live ? `state = 'pending',` : ""}
         updated_at = now()`,
      { ...bindings, live, force },
    )
    return rowCount
  }

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
   * Claims a page of due rows of one connection. Each lane is a range of the index
   * (connection_id, live, next_attempt_at), read in its order.
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
      reason_code: reason?.code ?? null,
      reason_message: reason?.message ?? null,
      reason_fix: reason?.fix ?? null,
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

  /** Leaves claimed rows dirty and due later; what the service has not seen is never forgotten. */
  async retryLater(token: string, ids: string[], inMs: number, reason: Reason): Promise<void> {
    await this.knex("svc_catalog_item")
      .whereIn("id", this.#mine(token, ids))
      .update({
        state: "pending",
        next_attempt_at: this.knex.raw("now() + ? * interval '1 millisecond'", [inMs]),
        failing_since: this.knex.raw("COALESCE(failing_since, now())"),
        reason_code: reason.code,
        reason_message: reason.message,
        reason_fix: reason.fix,
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

  /** Gives rows back that were claimed and not tried. */
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

  /** Holds every dirty row of a connection back, so that no worker asks a service that asked for patience. */
  async holdBack(connectionId: string, forMs: number): Promise<void> {
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
   * Whether rows of a connection are dirty, and in how many ms the next of those that wait for their time is due: 0 for
   * one whose time came while the pass that put it off still ran.
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

  /** Whether a generation was settled or, after a failed attempt, put off. */
  async isAttempted(id: string, generation: number): Promise<boolean> {
    const { rows } = await this.knex.raw<{ rows: { attempted: boolean }[] }>(
      `SELECT acknowledged >= ? OR (lease_token IS NULL AND next_attempt_at > now()) AS attempted
       FROM svc_catalog_item WHERE id = ?`,
      [generation, id],
    )
    return rows[0]?.attempted ?? true
  }

  /**
   * Rows whose product is not for sale in the channel any more, and that do not say so yet. What no event told is
   * found here: a product can leave a channel by SQL.
   */
  async productsThatLeft(connectionId: string, salesChannelId: string): Promise<string[]> {
    const rows = await this.knex("svc_catalog_item as item")
      .where("item.connection_id", connectionId)
      .whereNull("item.deleted_at")
      .whereRaw("item.wanted = item.acknowledged")
      .whereNot("item.state", "removed")
      .whereNotExists(
        this.knex("product_sales_channel as link")
          .join("product", "product.id", "link.product_id")
          .whereRaw("link.product_id = item.product_id")
          .where("link.sales_channel_id", salesChannelId)
          .whereNull("link.deleted_at")
          .whereNull("product.deleted_at")
          .where("product.status", "published"),
      )
      .select<{ product_id: string }[]>("item.product_id")
    return rows.map((row) => row.product_id)
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
