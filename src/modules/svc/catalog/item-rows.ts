import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { PRODUCT_STATUS, type PushedProduct, storableJson } from "../../../contract"
import { EDITED_WAIT, SPACING } from "../core-tables/catalog-marks"
import type { CatalogItem } from "../models"
import { Conditions } from "../shared/conditions"
import { LANE } from "../shared/lanes"
import type { ProcessLeases } from "../shared/process-leases"
import type { Reason } from "../shared/reason"
import { shortTitle } from "../shared/title-length"
import { WorkRows } from "../shared/work-rows"
import { ITEM_FILTERS, type ItemQuery } from "./item-list"
import type { CatalogReasonCode } from "./reasons"

/** What the worker reads of `svc_catalog_item`; `force` is also set where a person asked for it for all of its import. */
export type ItemRow = CatalogItem & {
  /** A worker has the row, or had it when it died. What that worker read of the product and the connection may be old by now. */
  is_claimed: boolean
}

/** A row that this worker has for a while. */
export type ClaimedRow = ItemRow & { lease_token: string }

type MarkedRow = Pick<ItemRow, "connection_id" | "product_id" | "wanted">

/** What the worker decided and did with one row that it had taken. */
export type Settlement = {
  id: string
  /** `wanted` as the worker read it: an edit made since then keeps the row dirty. */
  generation: number
  state: "synced" | "invalid" | "failed" | "removed"
  title: string | null
  /** What the service has now, as it was written out for the call, where this attempt changed it; or reads in the feed. */
  sent: { text: string; hash: string } | null
  /** Nobody was called: what is new is in the feed alone. */
  inFeed?: boolean
  reason: Reason | null
  /** Whom it was sent to, or would have been (`target.ts`). */
  target: string
  /** There is a second half to send: the row stays dirty. */
  again?: boolean
}

/** A row that was brought by a call that failed, and waits for its next attempt. */
export type Postponement = {
  id: string
  /** `wanted` as the worker read it. */
  generation: number
  /** Where somebody edits the product meanwhile, which may mend it, not for longer than after an edit. */
  inMs: number
  reason: Reason
  /** How often it has failed now; as it was counted at the claim by default. */
  attempts?: number
  /** It failed by itself while others passed. */
  alone?: boolean
  /** What the service may have taken all the same, as it was written out, and who; null where it cannot have. */
  mayBeTaken: { text: string; target: string } | null
}

/**
 * `acknowledged_hash` of a product that the service may have got by a call whose answer nobody knows. It equals no
 * payload: whatever becomes of the product, the service is told.
 */
export const UNKNOWN_HASH = "unknown"

const DIRTY = "wanted > acknowledged"
const ORDER = "work.lane, work.next_attempt_at"
const BY_TIME = "work.next_attempt_at"

/** SQL: `force` of a row of that name, and of the import that marked it. */
const forceOf = (row: string): string => `(${row}.force OR EXISTS (
    SELECT 1 FROM svc_catalog_import import WHERE import.id = ${row}.import_id AND import.force))`

/** SQL: what `ItemRow` has, of a row of that name. */
const columnsOf = (row: string): string => `${row}.*, ${row}.lease_token IS NOT NULL AS is_claimed,
  ${forceOf(row)} AS force`

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
 * Every statement that locks many rows locks them in the order of connection and product, then payloads: two that overlap
 * wait for each other and never deadlock.
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
      claimed: `read_at = now(),
        acknowledged_hash = CASE WHEN work.lease_token IS NULL THEN work.acknowledged_hash ELSE '${UNKNOWN_HASH}' END`,
      answers: columnsOf("work"),
    })
  }

  /**
   * Marks rows that match to be sent even if the service has an equal payload.
   *
   * @param page of many, which a single product does not wait for: those after this connection and product
   * @returns them, in the order of connection and product
   */
  async markToSend(
    filters: ItemFilters,
    page: { after: Pick<MarkedRow, "connection_id" | "product_id">; limit: number } | null = null,
  ): Promise<MarkedRow[]> {
    const { where, bindings } = matching(filters)
    const lane = page ? LANE.mass : LANE.edit
    const { rows } = await this.knex.raw<{ rows: MarkedRow[] }>(
      `WITH chosen AS (
         SELECT id FROM svc_catalog_item item
         WHERE ${where} AND (connection_id, product_id) > (?, ?)
         ORDER BY connection_id, product_id LIMIT ? FOR UPDATE
       ), marked AS (
         UPDATE svc_catalog_item item SET
           wanted = item.wanted + 1, force = true, next_attempt_at = now(),
           state = CASE WHEN item.state = 'failed' AND ${page !== null} THEN 'failed' ELSE 'pending' END,
           lane = CASE WHEN item.${DIRTY} THEN LEAST(item.lane, ${lane}) ELSE ${lane} END,
           attempts = CASE WHEN item.${DIRTY} THEN item.attempts ELSE 0 END,
           updated_at = now()
         FROM chosen WHERE item.id = chosen.id
         RETURNING item.connection_id, item.product_id, item.wanted
       )
       SELECT * FROM marked ORDER BY connection_id, product_id`,
      [
        ...bindings,
        page?.after.connection_id ?? "",
        page?.after.product_id ?? "",
        page?.limit ?? null,
      ],
    )
    return rows
  }

  /**
   * Has products tried again for which the merchant's own code failed: what that asks may be well by now. Their state stays as
   * it is until then.
   *
   * @param limit those that were tried the longest time ago
   * @returns their connections
   */
  async tryMapperAgain(limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { connection_id: string }[] }>(
      `WITH longest AS MATERIALIZED (
         SELECT id FROM svc_catalog_item
         WHERE state = 'invalid' AND reason_code = :reason AND wanted = acknowledged
           AND (read_at IS NULL OR read_at < now() - interval '30 seconds') AND deleted_at IS NULL
         ORDER BY read_at NULLS FIRST LIMIT :limit
       ), chosen AS MATERIALIZED (
         SELECT id FROM svc_catalog_item WHERE id = ANY(ARRAY(SELECT id FROM longest))
         ORDER BY connection_id, product_id FOR UPDATE
       )
       UPDATE svc_catalog_item item SET wanted = item.wanted + 1, lane = ${LANE.mass}, next_attempt_at = now()
       FROM chosen WHERE item.id = chosen.id AND item.wanted = item.acknowledged
       RETURNING item.connection_id`,
      { limit, reason: "mapper_failed" satisfies CatalogReasonCode },
    )
    return [...new Set(rows.map((row) => row.connection_id))]
  }

  /** Which reasons the rows that match have, the most frequent first. */
  async countReasons(filters: ItemFilters): Promise<{ code: string; count: number }[]> {
    const { where, bindings } = matching(filters)
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
  async claimOne(id: string, token: string, leaseMs: number): Promise<ClaimedRow | null> {
    const [row] = await this.#work.claim({
      where: "work.id = :id",
      bindings: { id },
      limit: 1,
      leaseMs,
      token,
    })
    return row ?? null
  }

  /**
   * Records what became of claimed rows, and what the service has now, all at once.
   *
   * @returns ids of the rows that still were ours; another worker has the others
   */
  async settle(token: string, settlements: Settlement[]): Promise<Set<string>> {
    if (settlements.length === 0) return new Set()
    const input = settlements.map(({ sent, inFeed, reason, again, ...row }) =>
      withPayload(sent?.text ?? null, {
        ...row,
        title: row.title === null ? null : shortTitle(row.title),
        again: again ?? false,
        sent: sent !== null,
        in_feed: inFeed ?? false,
        hash: sent?.hash ?? null,
        ...reason,
      }),
    )
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `WITH input AS MATERIALIZED (
         SELECT * FROM jsonb_to_recordset(CAST(:input AS jsonb)) AS input (
           id text, generation int, state text, title text, target text, again boolean,
           sent boolean, in_feed boolean, hash text, payload jsonb, code text, message text, fix text, params jsonb)
       ), locked AS MATERIALIZED (${LOCKED}
       ), mine AS MATERIALIZED (
         SELECT locked.id, locked.connection_id, locked.wanted > input.generation OR input.again AS dirty
         FROM locked JOIN input ON input.id = locked.id
       ), settled AS (
         UPDATE svc_catalog_item item SET
           acknowledged = input.generation,
           wanted = item.wanted + CASE WHEN input.again THEN 1 ELSE 0 END,
           state = CASE WHEN mine.dirty THEN item.state ELSE input.state END,
           title = COALESCE(input.title, item.title),
           acknowledged_hash = CASE WHEN input.sent THEN input.hash ELSE item.acknowledged_hash END,
           acknowledged_target = CASE WHEN input.sent THEN input.target ELSE item.acknowledged_target END,
           last_pushed_at = CASE WHEN input.sent AND NOT input.in_feed THEN now() ELSE item.last_pushed_at END,
           -- Refused: the service may have lost it, and still has to get it, however equal it is to what it took once.
           force = CASE WHEN input.state = 'failed' THEN ${forceOf("item")} ELSE item.force AND mine.dirty END,
           -- Half of it is told: neither a pause nor a cancel of the import that began it leaves it so.
           lane = CASE WHEN input.again THEN LEAST(item.lane, ${LANE.mass}) ELSE item.lane END,
           import_id = CASE WHEN mine.dirty THEN item.import_id END,
           attempts = CASE WHEN input.state = 'failed' THEN item.attempts ELSE 0 END,
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
         ${insertedPayloads("sent")} payload = EXCLUDED.payload
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
    const input = postponements.map(({ inMs, alone, mayBeTaken, reason, ...row }) =>
      withPayload(mayBeTaken?.text ?? null, {
        ...row,
        ms: Math.round(inMs),
        alone: alone ?? false,
        taken: mayBeTaken !== null,
        target: mayBeTaken?.target,
        ...reason,
      }),
    )
    await this.knex.raw(
      `WITH input AS MATERIALIZED (
         SELECT * FROM jsonb_to_recordset(CAST(:input AS jsonb)) AS input (
           id text, generation int, attempts int, ms int, alone boolean, taken boolean, target text, payload jsonb, code text,
           message text, fix text, params jsonb)
       ), locked AS MATERIALIZED (${LOCKED}
       ), mine AS MATERIALIZED (
         SELECT locked.id, locked.connection_id FROM locked JOIN input ON input.id = locked.id
       ), postponed AS (
         UPDATE svc_catalog_item item SET
           -- A mark that is an import's alone leaves the state as it is: it may be taken back (\`tidy\`).
           state = CASE WHEN input.alone OR item.state = 'failed' THEN 'failed' WHEN item.lane = ${LANE.import} THEN item.state ELSE 'pending' END,
           attempts = COALESCE(input.attempts, item.attempts),
           next_attempt_at = now() + CASE WHEN item.wanted > input.generation
             THEN LEAST(input.ms * interval '1 millisecond', ${EDITED_WAIT})
             ELSE input.ms * interval '1 millisecond' END,
           import_id = CASE WHEN input.alone THEN NULL ELSE item.import_id END,
           force = CASE WHEN input.alone THEN ${forceOf("item")} ELSE item.force END,
           acknowledged_hash = CASE WHEN input.taken THEN '${UNKNOWN_HASH}' ELSE item.acknowledged_hash END,
           lane = CASE WHEN input.alone THEN LEAST(item.lane, ${LANE.mass}) ELSE item.lane END,
           reason_code = input.code, reason_message = input.message, reason_fix = input.fix,
           reason_params = input.params,
           lease_token = NULL, lease_until = NULL, read_at = NULL, updated_at = now()
         FROM input JOIN mine ON mine.id = input.id
         WHERE item.id = input.id
       ), payloads AS (
         -- The service may have these variants now: one that goes before the next call has to be turned off there.
         ${insertedPayloads("taken")} payload = CASE
           WHEN jsonb_typeof(known.payload -> 'variants') IS DISTINCT FROM 'array' THEN EXCLUDED.payload
           ELSE jsonb_set(known.payload, '{variants}', (
             -- One that either of the two has for sale may be for sale.
             SELECT COALESCE(jsonb_agg(variant), '[]') FROM (
               SELECT DISTINCT ON (variant ->> 'id') variant FROM (
                 SELECT variant, 1 AS place FROM jsonb_array_elements(known.payload -> 'variants') AS variant
                 UNION ALL
                 SELECT variant, 2 FROM jsonb_array_elements(EXCLUDED.payload -> 'variants') AS variant) AS both_told
               ORDER BY variant ->> 'id', variant ->> 'status' = '${PRODUCT_STATUS.enabled}' DESC, place) AS either)) END
       )
       SELECT count(*) FROM mine`,
      { input: `[${input.join(",")}]`, ids: postponements.map(({ id }) => id), token },
    )
  }

  renew(connectionId: string, token: string, leaseMs: number): Promise<void> {
    return this.#work.renewAll(connectionId, token, leaseMs)
  }

  /** Gives back rows that were claimed and not tried: the attempt is taken back. */
  async release(token: string, ids: string[]): Promise<void> {
    if (ids.length === 0) return
    await this.knex.raw(
      `WITH mine AS (${LOCKED})
       UPDATE svc_catalog_item item SET
         attempts = GREATEST(item.attempts - 1, 0), lease_token = NULL, lease_until = NULL, read_at = NULL
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

  /** Some products that the service has as they are. */
  async someSynced(
    connectionId: string,
    { but, limit }: { but: string[]; limit: number },
  ): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { product_id: string }[] }>(
      `SELECT product_id FROM svc_catalog_item
       WHERE connection_id = :connectionId AND state = 'synced' AND product_id <> ALL(:but) AND deleted_at IS NULL
       LIMIT :limit`,
      { connectionId, but, limit },
    )
    return rows.map(({ product_id }) => product_id)
  }

  /**
   * What was accepted last, by the item's id.
   *
   * @param target by whom (`target.ts`); by default whoever was told last
   */
  async payloads(ids: string[], target: string | null = null): Promise<Map<string, PushedProduct>> {
    if (ids.length === 0) return new Map()
    const { rows } = await this.knex.raw<{ rows: { id: string; payload: PushedProduct }[] }>(
      `SELECT item.id, accepted.payload FROM ${ACCEPTED}
       WHERE item.id = ANY(:ids) AND accepted.target = COALESCE(:target, item.acknowledged_target)`,
      { ids, target },
    )
    return new Map(rows.map(({ id, payload }) => [id, payload]))
  }

  /** Addresses of the pictures that the service has, by row; a product without one is absent. */
  async images(ids: string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map()
    const { rows } = await this.knex.raw<{ rows: { id: string; image: string }[] }>(
      `SELECT item.id, accepted.payload->>'image' AS image FROM ${ACCEPTED}
       WHERE item.id = ANY(:ids) AND accepted.target = item.acknowledged_target
         AND accepted.payload->>'image' IS NOT NULL`,
      { ids },
    )
    return new Map(rows.map(({ id, image }) => [id, image]))
  }

  /** One text for all that the feed shows: another one after each payload that is written down. */
  async versionOf(connectionId: string): Promise<string> {
    const { rows } = await this.knex.raw<{ rows: { version: string }[] }>(
      `SELECT concat_ws(' ', count(*), sum(extract(epoch FROM updated_at))) AS version
       FROM svc_catalog_payload WHERE connection_id = :connectionId AND deleted_at IS NULL`,
      { connectionId },
    )
    return rows[0]?.version ?? ""
  }

  /**
   * A page of what the service has, in the order of the products: for the feed.
   *
   * @returns `currency` of its amounts; null where nobody knows what of it the service has
   */
  async acceptedAfter(
    connectionId: string,
    after: string,
    limit: number,
  ): Promise<{ product_id: string; payload: PushedProduct; currency: string | null }[]> {
    const { rows } = await this.knex.raw<{
      rows: { product_id: string; payload: PushedProduct; currency: string | null }[]
    }>(
      `SELECT item.product_id, accepted.payload,
         substring(item.acknowledged_hash FROM '^([A-Z]{3}):') AS currency
       FROM ${ACCEPTED}
       WHERE item.connection_id = :connectionId AND item.product_id > :after
         AND accepted.target = item.acknowledged_target AND item.deleted_at IS NULL
       ORDER BY item.product_id LIMIT :limit`,
      { connectionId, after, limit },
    )
    return rows
  }

  /**
   * Forgets products that were deleted in the store a month ago, so many at a time; the next night goes on. One that another
   * page or address has for sale is kept: it is turned off there when the connection comes back.
   */
  async prune(most: number): Promise<void> {
    await this.knex.raw(
      `WITH old AS (
         SELECT id FROM svc_catalog_item item
         WHERE state = 'removed' AND reason_code = 'deleted' AND wanted = acknowledged
           AND updated_at < now() - interval '30 days' AND deleted_at IS NULL
           AND NOT EXISTS (
             SELECT FROM svc_catalog_payload told
             WHERE told.item_id = item.id AND told.target <> item.acknowledged_target
               AND told.payload ->> 'status' = '${PRODUCT_STATUS.enabled}' AND told.deleted_at IS NULL)
         ORDER BY connection_id, product_id LIMIT :most FOR UPDATE SKIP LOCKED
       ), payloads AS (DELETE FROM svc_catalog_payload WHERE item_id IN (SELECT id FROM old))
       DELETE FROM svc_catalog_item WHERE id IN (SELECT id FROM old)`,
      { most },
    )
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
  SELECT id, connection_id, wanted
  FROM svc_catalog_item WHERE id = ANY(:ids) AND lease_token = :token
  ORDER BY connection_id, product_id FOR UPDATE`

/** SQL: items with what was accepted of them, by each who was ever told. */
const ACCEPTED = `svc_catalog_item item JOIN svc_catalog_payload accepted
  ON accepted.item_id = item.id AND accepted.deleted_at IS NULL`

/** SQL: writes payloads down for whom they were sent to; what follows says what becomes of one that is there already. */
const insertedPayloads = (told: "sent" | "taken"): string => `
  INSERT INTO svc_catalog_payload AS known (id, item_id, connection_id, target, payload)
  SELECT 'svcpay_' || replace(gen_random_uuid()::text, '-', ''), mine.id, mine.connection_id, input.target, input.payload
  FROM input JOIN mine ON mine.id = input.id WHERE input.${told}
  ON CONFLICT (item_id, target) WHERE deleted_at IS NULL DO UPDATE SET updated_at = now(),`

/** Rows that a person chose. */
export type ItemFilters = Omit<ItemQuery["filters"], "q">

const matching = (filters: ItemFilters) => new Conditions("item").oneOf(ITEM_FILTERS, filters)
