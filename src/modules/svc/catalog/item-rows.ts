import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { type PushedProduct, storableJson } from "../../../contract"
import { SPACING } from "../core-tables/catalog-marks"
import { LANE } from "../shared/lanes"
import type { ProcessLeases } from "../shared/process-leases"
import type { Reason } from "../shared/reason"
import { shortTitle } from "../shared/title-length"
import { WorkRows } from "../shared/work-rows"
import type { CatalogReasonCode } from "./reasons"

/** What the worker reads of `svc_catalog_item`. */
export type ItemRow = {
  id: string
  connection_id: string
  product_id: string
  title: string
  state: "pending" | "synced" | "invalid" | "failed" | "removed"
  wanted: number
  acknowledged: number
  acknowledged_hash: string | null
  acknowledged_target: string | null
  earlier_targets: string[] | null
  lane: number
  import_id: string | null
  /** Sent even if the service has an equal payload: a person asked for it, for this product or for all of an import. */
  force: boolean
  attempts: number
  failing_since: Date | null
  reason_code: string | null
  reason_message: string | null
  /** A worker has it, or had it when it died: what that one read of the store and the connection may be old by now. */
  is_claimed: boolean
}

/** A row that this worker has for a while. */
export type ClaimedRow = ItemRow & {
  lease_token: string
  /** By the database's clock; the store is read after it. */
  claimed_at: Date
}

/** What the worker decided and did with one row that it had taken. */
export type Settlement = {
  id: string
  /** `wanted` as the worker read it: an edit made since then keeps the row dirty. */
  generation: number
  state: "synced" | "invalid" | "failed" | "removed"
  title: string | null
  /** What the service has now, as it was written out for the call, where this attempt changed it. */
  sent: { text: string; hash: string } | null
  reason: Reason | null
  /** Whom it was sent to, or would have been (`target.ts`). */
  target: string
  /** The store was read after this. */
  readAt: Date
  /** There is a second half to send: the row stays dirty. */
  again?: boolean
}

/** A row that was brought by a call that failed, and waits for its next attempt. */
export type Postponement = {
  id: string
  inMs: number
  reason: Reason
  /** How often it has failed now; as it was counted at the claim by default. */
  attempts?: number
  /** It failed by itself while others passed. */
  alone: boolean
  /** What the service may have taken all the same, as it was written out; null where it cannot have. */
  mayBeTaken: string | null
}

/**
 * `acknowledged_hash` of a product that the service may have got by a call whose answer nobody knows. It equals no
 * payload: whatever becomes of the product, the service is told.
 */
export const UNKNOWN_HASH = "unknown"

const DIRTY = "wanted > acknowledged"
const ORDER = "work.lane, work.next_attempt_at"
const BY_TIME = "work.next_attempt_at"

/** SQL: what `ItemRow` has, of a row of that name. */
const columnsOf = (row: string): string => `${row}.*, ${row}.lease_token IS NOT NULL AS is_claimed,
  ${row}.force OR EXISTS (
    SELECT 1 FROM svc_catalog_import import WHERE import.id = ${row}.import_id AND import.force) AS force`

/** SQL: `work` is not held by an import that somebody paused. */
const IS_SENT = `(work.lane < ${LANE.import} OR work.connection_id NOT IN (
  SELECT import.connection_id FROM svc_catalog_import import
  WHERE import.status = 'paused' AND import.deleted_at IS NULL))`

/**
 * Rows of `svc_catalog_item`: what the service has to know (`wanted`) and what is settled (`acknowledged`).
 *
 *   mark:    wanted + 1, due now (`CatalogMarks`); a settled row (synced, invalid, failed, removed) becomes dirty again
 *   claim:   lease for one worker (`WorkRows`); counts as an attempt until it is settled
 *   settle:  acknowledged = the generation that was claimed; guarded by the lease token
 *   retry:   stays dirty, due later
 *
 * Every statement that locks many rows locks them in the order of connection and product, then payloads, then the
 * import: two that overlap wait for each other and never deadlock.
 */
export class CatalogItemRows {
  readonly #work: WorkRows<ClaimedRow>

  constructor(
    private readonly knex: Knex,
    leases: ProcessLeases,
  ) {
    this.#work = new WorkRows(knex, leases, {
      name: "svc_catalog_item",
      open: `work.${DIRTY}`,
      order: ORDER,
      // Whoever had the row before and did not settle it has ended, perhaps with a call that was carried out.
      claimed: `acknowledged_hash = CASE WHEN work.lease_token IS NULL THEN work.acknowledged_hash ELSE '${UNKNOWN_HASH}' END`,
      answers: `${columnsOf("work")}, now() AS claimed_at`,
    })
  }

  /** Marks rows to be sent even if the service has an equal payload; a person waits for it. */
  async markToSend(ids: string[]): Promise<{ id: string; wanted: number }[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string; wanted: number }[] }>(
      `WITH chosen AS (
         SELECT id FROM svc_catalog_item WHERE id = ANY(:ids) AND deleted_at IS NULL
         ORDER BY connection_id, product_id FOR UPDATE
       )
       UPDATE svc_catalog_item item SET ${markedAgain(LANE.edit)}
       FROM chosen WHERE item.id = chosen.id
       RETURNING item.id, item.wanted`,
      { ids },
    )
    return rows
  }

  /** Which reasons the rows that match have, the most frequent first. */
  async countReasons(filters: ItemFilters): Promise<{ code: string; count: number }[]> {
    const { where, bindings } = condition(filters)
    const { rows } = await this.knex.raw<{ rows: { code: string; count: number }[] }>(
      `SELECT item.reason_code AS code, count(*)::int AS count
       FROM svc_catalog_item item
       WHERE ${where} AND item.reason_code IS NOT NULL
       GROUP BY item.reason_code ORDER BY count DESC, code`,
      bindings,
    )
    return rows
  }

  /**
   * Marks a page of the rows that match, to be sent even if the service has equal payloads.
   *
   * @param after cursor: `[connection_id, product_id]` of the last row of the page before
   * @returns how many were marked, their connections, and the cursor of the next page, null at the end
   */
  async markMatching(
    filters: ItemFilters,
    after: readonly [string, string],
    limit: number,
  ): Promise<{ marked: number; connectionIds: string[]; next: readonly [string, string] | null }> {
    const { where, bindings } = condition(filters)
    const { rows } = await this.knex.raw<{ rows: { connection_id: string; product_id: string }[] }>(
      `WITH chosen AS (
         SELECT id, connection_id, product_id FROM svc_catalog_item item
         WHERE ${where} AND (connection_id, product_id) > (:afterConnection, :afterProduct)
         ORDER BY connection_id, product_id LIMIT :limit FOR UPDATE
       ), marked AS (
         UPDATE svc_catalog_item item SET ${markedAgain(LANE.mass)}
         FROM chosen WHERE item.id = chosen.id
       )
       SELECT connection_id, product_id FROM chosen ORDER BY connection_id, product_id`,
      { ...bindings, afterConnection: after[0], afterProduct: after[1], limit },
    )
    const last = rows.at(-1)
    return {
      marked: rows.length,
      connectionIds: [...new Set(rows.map((row) => row.connection_id))],
      next: last && rows.length === limit ? [last.connection_id, last.product_id] : null,
    }
  }

  /**
   * How often the row failed whose turn it is; null where nothing is due.
   *
   * @param untriedFirst before all others, and those that failed by time alone: two bad products that a person waits for
   *   would else be the only ones that a held connection ever tries
   */
  async headAttempts(connectionId: string, untriedFirst: boolean): Promise<number | null> {
    const head = await this.#work.head({
      where: `work.connection_id = :connectionId AND ${IS_SENT}`,
      bindings: { connectionId },
      ...(untriedFirst ? { order: `work.attempts > 0, ${BY_TIME}` } : {}),
    })
    return head?.attempts ?? null
  }

  /**
   * Claims due rows of one connection, those that somebody waits for first: a range of the index
   * `IDX_svc_catalog_item_due`, read in its order. Rows of an import that is paused are passed over. Whatever a row's
   * payload depends on is to be read after this: a walk trusts a row that nobody has to be read later than the walk.
   *
   * @param input.attempts of rows that failed as often only
   * @param input.byTime those that have waited longest first, whoever waits for them
   */
  async claim(
    connectionId: string,
    input: { limit: number; leaseMs: number; token: string; attempts?: number; byTime?: boolean },
  ): Promise<ClaimedRow[]> {
    const { attempts, byTime, ...claim } = input
    return this.#work.claim({
      where: `work.connection_id = :connectionId AND ${IS_SENT}${
        attempts === undefined ? "" : " AND work.attempts = :attempts"
      }`,
      bindings: { connectionId, ...(attempts === undefined ? {} : { attempts }) },
      ...(byTime ? { order: BY_TIME } : {}),
      ...claim,
    })
  }

  /** Claims one row that is due, also of an import that is paused. */
  async claimOne(id: string, leaseMs: number): Promise<ClaimedRow | null> {
    const [row] = await this.#work.claim({
      where: "work.id = :id",
      bindings: { id },
      limit: 1,
      leaseMs,
    })
    return row ?? null
  }

  /**
   * Records what became of claimed rows, what the service has now, and how far their import is, all at once.
   *
   * @returns ids of the rows that still were ours; another worker has the others
   */
  async settle(token: string, settlements: Settlement[]): Promise<Set<string>> {
    if (settlements.length === 0) return new Set()
    const input = settlements.map(({ sent, reason, again, readAt, ...row }) =>
      withPayload(sent?.text ?? null, {
        ...row,
        title: row.title === null ? null : shortTitle(row.title),
        read_at: readAt,
        again: again ?? false,
        sent: sent !== null,
        hash: sent?.hash ?? null,
        code: reason?.code ?? null,
        message: reason?.message ?? null,
        fix: reason?.fix ?? null,
        params: reason?.params ?? null,
      }),
    )
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `WITH input AS MATERIALIZED (
         SELECT * FROM jsonb_to_recordset(CAST(:input AS jsonb)) AS input (
           id text, generation int, state text, title text, target text, read_at timestamptz, again boolean,
           sent boolean, hash text, payload jsonb, code text, message text, fix text, params jsonb)
       ), locked AS MATERIALIZED (${LOCKED}
       ), mine AS MATERIALIZED (
         SELECT locked.id, locked.connection_id, locked.import_id, input.code,
           locked.wanted > input.generation OR input.again AS dirty, input.state
         FROM locked JOIN input ON input.id = locked.id
       ), settled AS (
         UPDATE svc_catalog_item item SET
           acknowledged = input.generation,
           wanted = item.wanted + CASE WHEN input.again THEN 1 ELSE 0 END,
           state = CASE WHEN mine.dirty THEN item.state ELSE input.state END,
           title = COALESCE(input.title, item.title),
           acknowledged_hash = CASE WHEN input.sent THEN input.hash ELSE item.acknowledged_hash END,
           earlier_targets = CASE WHEN input.sent AND item.acknowledged_target <> input.target
             THEN array_append(array_remove(item.earlier_targets, item.acknowledged_target), item.acknowledged_target)
             ELSE item.earlier_targets END,
           acknowledged_target = CASE WHEN input.sent THEN input.target ELSE item.acknowledged_target END,
           last_pushed_at = CASE WHEN input.sent THEN now() ELSE item.last_pushed_at END,
           read_at = input.read_at,
           force = item.force AND mine.dirty,
           import_id = CASE WHEN mine.dirty THEN item.import_id END,
           attempts = CASE WHEN input.state = 'failed' THEN item.attempts ELSE 0 END,
           failing_since = NULL,
           next_attempt_at = CASE WHEN mine.dirty AND input.sent AND NOT input.again THEN now() + ${SPACING}
             WHEN mine.dirty THEN now() END,
           reason_code = input.code, reason_message = input.message, reason_fix = input.fix,
           reason_params = input.params,
           lease_token = NULL, lease_until = NULL,
           -- The list shows what changed last; that a product was found to be as it was is no change.
           updated_at = CASE
             WHEN input.sent OR item.state <> input.state OR item.reason_code IS DISTINCT FROM input.code
             THEN now() ELSE item.updated_at END
         FROM input JOIN mine ON mine.id = input.id
         WHERE item.id = input.id
       ), payloads AS (
         INSERT INTO svc_catalog_payload (id, connection_id, payload)
         SELECT mine.id, mine.connection_id, input.payload FROM input JOIN mine ON mine.id = input.id WHERE input.sent
         ON CONFLICT (id) DO UPDATE SET payload = EXCLUDED.payload, updated_at = now()
       ), counted AS (
         ${countSettled("SELECT import_id, state, code FROM mine WHERE NOT dirty")}
       )
       SELECT id FROM mine`,
      {
        input: `[${input.join(",")}]`,
        ids: settlements.map((row) => row.id),
        token,
      },
    )
    return new Set(rows.map((row) => row.id))
  }

  /**
   * Leaves claimed rows dirty and due later; what the service has not seen is never forgotten. A row that fails by itself
   * is done for its import, which would wait for a day otherwise: it goes on among the changes of many.
   */
  async postpone(token: string, postponements: Postponement[]): Promise<void> {
    if (postponements.length === 0) return
    const input = postponements.map(({ id, inMs, attempts, alone, mayBeTaken, reason }) =>
      withPayload(mayBeTaken, {
        id,
        attempts: attempts ?? null,
        ms: Math.round(inMs),
        alone,
        taken: mayBeTaken !== null,
        code: reason.code,
        message: reason.message,
        fix: reason.fix,
        params: reason.params ?? null,
      }),
    )
    await this.knex.raw(
      `WITH input AS MATERIALIZED (
         SELECT * FROM jsonb_to_recordset(CAST(:input AS jsonb)) AS input (
           id text, attempts int, ms int, alone boolean, taken boolean, payload jsonb, code text, message text, fix text, params jsonb)
       ), locked AS MATERIALIZED (${LOCKED}
       ), mine AS MATERIALIZED (
         SELECT locked.id, locked.connection_id, locked.import_id, input.alone
         FROM locked JOIN input ON input.id = locked.id
       ), postponed AS (
         UPDATE svc_catalog_item item SET
           -- A mark that is an import's alone leaves the state as it is: it may be taken back (\`tidy\`).
           state = CASE WHEN item.lane = ${LANE.import} AND NOT input.alone THEN item.state ELSE 'pending' END,
           attempts = COALESCE(input.attempts, item.attempts),
           next_attempt_at = now() + input.ms * interval '1 millisecond',
           failing_since = CASE WHEN input.alone THEN COALESCE(item.failing_since, now()) ELSE item.failing_since END,
           import_id = CASE WHEN input.alone THEN NULL ELSE item.import_id END,
           acknowledged_hash = CASE WHEN input.taken THEN '${UNKNOWN_HASH}' ELSE item.acknowledged_hash END,
           lane = CASE WHEN input.alone THEN LEAST(item.lane, ${LANE.mass}) ELSE item.lane END,
           reason_code = input.code, reason_message = input.message, reason_fix = input.fix,
           reason_params = input.params,
           lease_token = NULL, lease_until = NULL, updated_at = now()
         FROM input JOIN mine ON mine.id = input.id
         WHERE item.id = input.id
       ), payloads AS (
         -- The service may have these variants now: one that goes before the next call has to be turned off there.
         INSERT INTO svc_catalog_payload AS known (id, connection_id, payload)
         SELECT mine.id, mine.connection_id, input.payload FROM input JOIN mine ON mine.id = input.id WHERE input.taken
         ON CONFLICT (id) DO UPDATE SET updated_at = now(), payload = CASE
           WHEN jsonb_typeof(known.payload -> 'variants') IS DISTINCT FROM 'array' THEN EXCLUDED.payload
           ELSE jsonb_set(known.payload, '{variants}', (known.payload -> 'variants') || COALESCE((
             SELECT jsonb_agg(variant) FROM jsonb_array_elements(EXCLUDED.payload -> 'variants') AS variant
             WHERE NOT EXISTS (
               SELECT 1 FROM jsonb_array_elements(known.payload -> 'variants') AS told
               WHERE told ->> 'id' = variant ->> 'id')), '[]')) END
       )
       ${countSettled("SELECT import_id, 'failed' AS state, NULL AS code FROM mine WHERE alone")}`,
      { input: `[${input.join(",")}]`, ids: postponements.map(({ id }) => id), token },
    )
  }

  /** @returns ids of the rows that are still ours, with a lease that begins now */
  async renew(token: string, ids: string[], leaseMs: number): Promise<Set<string>> {
    if (ids.length === 0) return new Set()
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `WITH mine AS (${MINE})
       UPDATE svc_catalog_item item SET lease_until = now() + :leaseMs * interval '1 millisecond'
       FROM mine WHERE item.id = mine.id RETURNING item.id`,
      { token, ids, leaseMs },
    )
    return new Set(rows.map((row) => row.id))
  }

  /** Gives back rows that were claimed and not tried: the attempt is taken back. */
  async release(token: string, ids: string[]): Promise<void> {
    if (ids.length === 0) return
    await this.knex.raw(
      `WITH mine AS (${MINE})
       UPDATE svc_catalog_item item SET
         attempts = GREATEST(item.attempts - 1, 0), lease_token = NULL, lease_until = NULL
       FROM mine WHERE item.id = mine.id`,
      { token, ids },
    )
  }

  /**
   * In how many ms the next dirty row of a connection may be claimed, 0 or less for now; connections without are left
   * out. Rows of a paused import are none.
   */
  dueInMs(connectionId?: string): Promise<Map<string, number>> {
    return this.#work.dueInMs(connectionId, IS_SENT)
  }

  /** Whether an attempt was made: the generation was settled, or postponed after a failure. */
  async isAttempted(id: string, generation: number): Promise<boolean> {
    const { rows } = await this.knex.raw<{ rows: { attempted: boolean }[] }>(
      `SELECT acknowledged >= ? OR (lease_token IS NULL AND next_attempt_at > now() + ${SPACING}) AS attempted
       FROM svc_catalog_item WHERE id = ?`,
      [generation, id],
    )
    return rows[0]?.attempted ?? true
  }

  /** Rows of some products, for comparing hashes. */
  async known(connectionId: string, productIds: string[]): Promise<Map<string, ItemRow>> {
    const { rows } = await this.knex.raw<{ rows: ItemRow[] }>(
      `SELECT ${columnsOf("item")} FROM svc_catalog_item item
       WHERE item.connection_id = :connectionId AND item.product_id = ANY(:productIds) AND item.deleted_at IS NULL`,
      { connectionId, productIds },
    )
    return new Map(rows.map((row) => [row.product_id, row]))
  }

  /** What the service last accepted, by the item's id. */
  async payloads(ids: string[]): Promise<Map<string, PushedProduct>> {
    if (ids.length === 0) return new Map()
    const { rows } = await this.knex.raw<{ rows: { id: string; payload: PushedProduct }[] }>(
      "SELECT id, payload FROM svc_catalog_payload WHERE id = ANY(:ids) AND deleted_at IS NULL",
      { ids },
    )
    return new Map(rows.map(({ id, payload }) => [id, payload]))
  }

  /** Addresses of the pictures that the service has, by row; a product without one is absent. */
  async images(ids: string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map()
    const { rows } = await this.knex.raw<{ rows: { id: string; image: string }[] }>(
      `SELECT id, payload->>'image' AS image FROM svc_catalog_payload
       WHERE id = ANY(:ids) AND deleted_at IS NULL AND payload->>'image' IS NOT NULL`,
      { ids },
    )
    return new Map(rows.map(({ id, image }) => [id, image]))
  }

  /** A page of what the service has, in the order of the products: for the feed. */
  async acceptedAfter(
    connectionId: string,
    after: string,
    limit: number,
  ): Promise<{ product_id: string; payload: PushedProduct }[]> {
    const { rows } = await this.knex.raw<{
      rows: { product_id: string; payload: PushedProduct }[]
    }>(
      `SELECT item.product_id, accepted.payload
       FROM svc_catalog_item item JOIN svc_catalog_payload accepted ON accepted.id = item.id
       WHERE item.connection_id = :connectionId AND item.product_id > :after AND item.deleted_at IS NULL
       ORDER BY item.product_id LIMIT :limit`,
      { connectionId, after, limit },
    )
    return rows
  }

  /** Forgets products that were deleted in the store a month ago, a batch at a time. */
  async prune(batch: number): Promise<number> {
    let removed = 0
    for (;;) {
      const { rows } = await this.knex.raw<{ rows: { count: number }[] }>(
        `WITH old AS (
           SELECT id FROM svc_catalog_item
           WHERE state = 'removed' AND reason_code = 'deleted' AND wanted = acknowledged
             AND updated_at < now() - interval '30 days' AND deleted_at IS NULL
           ORDER BY connection_id, product_id LIMIT :batch FOR UPDATE SKIP LOCKED
         ), payloads AS (DELETE FROM svc_catalog_payload WHERE id IN (SELECT id FROM old))
         , items AS (DELETE FROM svc_catalog_item WHERE id IN (SELECT id FROM old) RETURNING id)
         SELECT count(*)::int AS count FROM items`,
        { batch },
      )
      const count = rows[0]?.count ?? 0
      removed += count
      if (count < batch) return removed
    }
  }
}

/**
 * A row as JSON, with a payload that is JSON already. A reason may quote text that was cut in the middle of a sign: Postgres
 * would refuse it, and with it what became of all the others.
 */
const withPayload = (text: string | null, row: object): string =>
  `${storableJson(row).slice(0, -1)},"payload":${text ?? "null"}}`

/**
 * SQL: locks the rows that are still ours. What became of them is joined afterwards: in one statement with the locks,
 * Postgres, which expects a single row of a lease, would go through all payloads once for each row.
 */
const LOCKED = `
  SELECT id, connection_id, import_id, wanted
  FROM svc_catalog_item WHERE id = ANY(:ids) AND lease_token = :token
  ORDER BY connection_id, product_id FOR UPDATE`

const MINE = `
  SELECT id FROM svc_catalog_item WHERE id = ANY(:ids) AND lease_token = :token
  ORDER BY connection_id, product_id FOR UPDATE`

const markedAgain = (lane: number): string => `
  wanted = item.wanted + 1, force = true, state = 'pending', next_attempt_at = now(),
  lane = CASE WHEN item.${DIRTY} THEN LEAST(item.lane, ${lane}) ELSE ${lane} END,
  attempts = CASE WHEN item.${DIRTY} THEN item.attempts ELSE 0 END,
  failing_since = CASE WHEN item.${DIRTY} THEN item.failing_since END,
  updated_at = now()`

/** Reasons of products that are for sale in the store, and that the connection leaves out: an import has counted them. */
export const LEFT_OUT: readonly string[] = [
  "excluded",
  "excluded_by_mapper",
  "channel_disabled",
] satisfies CatalogReasonCode[]

/** Counts rows that are done with for their import, if it is still open. */
const countSettled = (rows: string): string => `
  UPDATE svc_catalog_import import SET
    open = import.open - counts.settled,
    done = import.done + counts.done, failed = import.failed + counts.failed,
    left_out = import.left_out + counts.left_out, updated_at = now()
  FROM (
    SELECT import_id, count(*)::int AS settled,
      (count(*) FILTER (WHERE state = 'synced'))::int AS done,
      (count(*) FILTER (WHERE state IN ('invalid', 'failed')))::int AS failed,
      (count(*) FILTER (WHERE state = 'removed' AND code = ANY('{${LEFT_OUT.join(",")}}')))::int AS left_out
    FROM (${rows}) AS settled_rows WHERE import_id IS NOT NULL GROUP BY import_id
  ) AS counts
  WHERE import.id = counts.import_id AND import.status IN ('running', 'paused')`

/** Rows that a person chose. */
export type ItemFilters = {
  connection_id?: string[]
  product_id?: string[]
  state?: string[]
  reason_code?: string[]
}

const FILTERS = ["connection_id", "product_id", "state", "reason_code"] as const

function condition(filters: ItemFilters): { where: string; bindings: Record<string, string[]> } {
  const given = FILTERS.flatMap((name) => (filters[name] ? [name] : []))
  return {
    where: ["item.deleted_at IS NULL", ...given.map((name) => `item.${name} = ANY(:${name})`)].join(
      " AND ",
    ),
    bindings: Object.fromEntries(given.map((name) => [name, filters[name] ?? []])),
  }
}
