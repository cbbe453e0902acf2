import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { CatalogMarks } from "../core-tables/catalog-marks"
import { MARKET_FACTS } from "../core-tables/store-markets"
import { COUNT_FOR_SALE } from "../core-tables/store-products"
import type { CatalogImport } from "../models"
import { ABOUT_A_DAY, backoffMs } from "../shared/backoff"
import { LANE } from "../shared/lanes"
import type { ProcessLeases } from "../shared/process-leases"
import { type WorkRow, WorkRows } from "../shared/work-rows"
import { UNKNOWN_HASH } from "./item-rows"
import type { OwnCode } from "./own-code"
import type { CatalogReasonCode } from "./reasons"
import { SETTINGS as OWN_SETTINGS } from "./settings"

/**
 * SQL: what all payloads of a row `connection` depend on, as one short text: its own settings, where it sells, and the
 * store's own code and options (`:ownCode`), and its name where that code is told it (`:isMapped`).
 */
const SETTINGS = `md5(concat_ws(' ', ${OWN_SETTINGS}, ${MARKET_FACTS}, CAST(:ownCode AS text),
  CASE WHEN CAST(:isMapped AS boolean) THEN connection.name END))`

/** A walk, as `svc_catalog_import` has it. */
export type WalkRow = CatalogImport

/**
 * Whose products are compared: those of all connections, of those whose settings look at what a product belongs to, or of
 * those that have one of these ids, which may be of a region or a sales channel too.
 */
export type Concerned = "all" | "grouping" | string[]

/** A walk that this worker has for a page. */
export type ClaimedWalk = WalkRow & WorkRow

/** What one page of a walk found. */
export type WalkPage = {
  /** The page's last product; null where it was the last page. */
  next: string | null
  /** Products that differ, or are unknown: marked. */
  changed: string[]
}

/**
 * Rows of `svc_catalog_import`: walks over all products of a connection. A unique index allows one open walk of each
 * kind per connection.
 *
 * A page is looked at under a lease on the walk, and ends in one transaction: marks first, the cursor last. A process
 * that is killed leaves the cursor where the marks end.
 */
export class CatalogWalkRows {
  readonly #work: WorkRows<ClaimedWalk>
  readonly #counted = new Map<string, { id: string; counts: Counts; until: number }>()

  /** @param ownCode digest of the options that payloads depend on (`own-code.ts`) */
  constructor(
    private readonly knex: Knex,
    leases: ProcessLeases,
    private readonly ownCode: () => OwnCode,
  ) {
    this.#work = new WorkRows(knex, leases, {
      name: "svc_catalog_import",
      open: `work.status = 'running' AND (NOT work.marked_all OR ${settled("work")})`,
      // A comparison before an import, as their marks go: what the service has already may be for sale at a wrong price.
      order: "work.kind",
      // From when it really began the next one is counted.
      claimed: `started_at = CASE WHEN work.kind = 'compare' AND work.cursor IS NULL THEN clock_timestamp() ELSE work.started_at END`,
    })
  }

  /** The latest import of a connection, with how far it is about now. */
  async latestImport(connectionId: string): Promise<WalkRow | null> {
    const { rows } = await this.knex.raw<{ rows: WalkRow[] }>(
      `SELECT walk.* FROM svc_catalog_import walk
       WHERE connection_id = :connectionId AND kind = 'import' AND deleted_at IS NULL
       ORDER BY started_at DESC LIMIT 1`,
      { connectionId },
    )
    const [latest] = rows
    return latest ? { ...latest, ...(latest.finished_at ? {} : await this.#counts(latest)) } : null
  }

  /** Every row of the connection is looked at, so what was counted is shown for a while, the longer the longer it took. */
  async #counts({ id, connection_id }: WalkRow): Promise<Counts> {
    const known = this.#counted.get(connection_id)
    // By a clock that nobody sets: one that is put back would freeze the counts for as long as that.
    if (known?.id === id && performance.now() < known.until) return known.counts
    const began = performance.now()
    const { rows } = await this.knex.raw<{ rows: [Counts] }>(
      `SELECT counts.* FROM svc_catalog_import walk CROSS JOIN LATERAL (${COUNTED}) AS counts WHERE walk.id = :id`,
      { id },
    )
    const until = performance.now() + (performance.now() - began) * SHOWN_FOR
    this.#counted.set(connection_id, { id, counts: rows[0], until })
    return rows[0]
  }

  /** Opens an import; null when one is open already. */
  async openImport(connectionId: string, force: boolean): Promise<WalkRow | null> {
    const { rows } = await this.knex.raw<{ rows: WalkRow[] }>(
      `INSERT INTO svc_catalog_import
         (id, connection_id, kind, status, force, total, started_at, resumed_at, settings)
       SELECT ${NEW_ID}, connection.id, 'import', 'running', :force, (${COUNT_FOR_SALE}),
         clock_timestamp(), clock_timestamp(), ${SETTINGS}
       FROM svc_connection connection WHERE connection.id = :connectionId AND connection.deleted_at IS NULL
       ON CONFLICT (connection_id, kind) WHERE status IN ('running', 'paused') AND deleted_at IS NULL DO NOTHING
       RETURNING *`,
      { connectionId, force, ...this.ownCode() },
    )
    return rows[0] ?? null
  }

  /**
   * Has open imports of connections begin anew: what they looked at was perhaps of another sales channel, and until a first import
   * has completed, no comparison looks at products that none has found. A page that somebody looks at now is dropped.
   */
  async restartImports(connectionIds: string[]): Promise<void> {
    await this.knex.raw(
      `UPDATE svc_catalog_import walk SET
         cursor = NULL, marked_all = false, lease_token = NULL, lease_until = NULL, updated_at = now(),
         total = (${COUNT_FOR_SALE}), resumed_at = clock_timestamp(), settled_before = 0,
         -- A paused one looks at nothing yet: with these it would hide that the comparison was not opened.
         settings = CASE WHEN walk.status = 'paused' THEN walk.settings ELSE ${SETTINGS} END
       FROM svc_connection connection
       WHERE connection.id = walk.connection_id AND connection.id = ANY(:connectionIds)
         AND walk.kind = 'import' AND walk.status IN ('running', 'paused') AND walk.deleted_at IS NULL`,
      { connectionIds, ...this.ownCode() },
    )
  }

  /**
   * Has all products of connections compared with what the service has. A comparison that is under way goes on to its end,
   * and begins anew then: what it looked at before may read differently now.
   *
   * @param notWithinMs of the last one that began: changes that come one after the other share a walk
   * @returns the connections
   */
  async openCompare(concerned: Concerned, notWithinMs = 0): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { connection_id: string }[] }>(
      `INSERT INTO svc_catalog_import AS walk (id, connection_id, kind, status, started_at, next_attempt_at, settings)
       SELECT ${NEW_ID}, connection.id, 'compare', 'running', clock_timestamp(), (
         SELECT COALESCE(max(earlier.started_at) + :notWithinMs * interval '1 millisecond', now())
         FROM svc_catalog_import earlier
         WHERE earlier.connection_id = connection.id AND earlier.kind = 'compare' AND earlier.deleted_at IS NULL),
         ${SETTINGS}
       FROM svc_connection connection
       WHERE connection.deleted_at IS NULL AND (${typeof concerned === "string" ? CONCERNED[concerned] : CONCERNED.of})
       ORDER BY connection.id
       ON CONFLICT (connection_id, kind) WHERE status IN ('running', 'paused') AND deleted_at IS NULL
       DO UPDATE SET
         again_at = CASE WHEN ${BEGUN} THEN LEAST(walk.again_at, EXCLUDED.next_attempt_at) ELSE walk.again_at END,
         updated_at = now(),
         -- What waits because of changes that nobody can trace is not what a change of the market waits for.
         -- Nor does it come sooner to one whose first page fails.
         next_attempt_at = CASE WHEN ${BEGUN} OR walk.attempts > 0 THEN walk.next_attempt_at
           ELSE LEAST(walk.next_attempt_at, EXCLUDED.next_attempt_at) END,
         settings = CASE WHEN ${BEGUN} THEN walk.settings ELSE EXCLUDED.settings END
       RETURNING connection_id`,
      {
        notWithinMs,
        ...this.ownCode(),
        ...(typeof concerned === "string" ? {} : { ids: concerned }),
      },
    )
    return rows.map((row) => row.connection_id)
  }

  /**
   * Has everything compared for connections whose settings are others, and what is being imported imported anew.
   *
   * @returns the connections
   */
  async compareAnew(connectionIds: string[]): Promise<string[]> {
    // Before the comparison: that bears the settings that are now, and would hide from the next minute that this was not done.
    await this.restartImports(connectionIds)
    return this.openCompare(connectionIds)
  }

  /**
   * Connections whose settings are not those that their last walk over everything had: whoever changed them was killed
   * before the comparison was opened, or somebody cancelled the import that followed, or no event told of it, as of the
   * store's own code, which changes by a restart. Of a connection whose first import never ended, what that has sent may be.
   */
  async outdated(): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `SELECT connection.id FROM svc_connection connection CROSS JOIN LATERAL (
         SELECT walk.settings FROM svc_catalog_import walk
         WHERE walk.connection_id = connection.id AND walk.deleted_at IS NULL
           AND (walk.status = 'completed' OR walk.cursor IS NOT NULL OR walk.marked_all)
         -- One that did not come to its end says something only where none did.
         ORDER BY walk.status = 'completed' DESC, walk.started_at DESC LIMIT 1) AS latest
       WHERE connection.deleted_at IS NULL AND latest.settings IS DISTINCT FROM ${SETTINGS} AND NOT EXISTS (
         SELECT 1 FROM svc_catalog_import walk
         WHERE walk.connection_id = connection.id AND walk.status IN ('running', 'paused')
           AND walk.settings = ${SETTINGS} AND walk.deleted_at IS NULL
           -- One that failed has been tried; one that waits for longer, by "not within", is begun at once.
           AND (walk.attempts = 0 AND walk.next_attempt_at > now() + interval '1 minute') IS NOT TRUE)`,
      this.ownCode(),
    )
    return rows.map(({ id }) => id)
  }

  /** Takes the next walk of a connection that has products to look at, for one page. */
  async claim(
    connectionId: string,
    lease: { token: string; leaseMs: number },
  ): Promise<ClaimedWalk | null> {
    const [walk] = await this.#work.claim({
      where: "work.connection_id = :connectionId AND NOT work.marked_all",
      bindings: { connectionId },
      limit: 1,
      ...lease,
    })
    return walk ?? null
  }

  renew(connectionId: string, token: string, leaseMs: number): Promise<void> {
    return this.#work.renewAll(connectionId, token, leaseMs)
  }

  /** A page that could not be looked at is looked at again, later and later; one that fails for a day needs a person. */
  async failed(walk: ClaimedWalk, error: string): Promise<void> {
    if (walk.attempts > ABOUT_A_DAY) {
      await this.#change(walk.id, ["running"], `status = 'failed', error = :error, ${ENDED}`, {
        error,
      })
    }
    await this.#work.retry(walk, { inMs: backoffMs(walk.attempts, Math.random()) })
  }

  /**
   * Milliseconds until a walk has a page to look at, by connection; 0 or less for now, or where all is looked at and
   * settled and the worker died before it could say so.
   */
  dueInMs(connectionId?: string): Promise<Map<string, number>> {
    return this.#work.dueInMs(connectionId)
  }

  /**
   * Ends a page: marks what differs, and moves the cursor. Where somebody paused, cancelled or restarted the walk
   * meanwhile nothing is written.
   */
  async finishPage(walk: ClaimedWalk, page: WalkPage): Promise<void> {
    await this.knex
      .transaction(async (trx) => {
        const ofImport = walk.kind === "import"
        // Rows before the walk: every statement that locks both keeps to this order.
        await new CatalogMarks(trx).mark(page.changed, ofImport ? LANE.import : LANE.mass, {
          connectionId: walk.connection_id,
          importId: ofImport ? walk.id : null,
        })
        const { rowCount } = await trx.raw<{ rowCount: number }>(
          `UPDATE svc_catalog_import SET
             cursor = COALESCE(:next, cursor), marked_all = :last,
             attempts = 0, lease_token = NULL, lease_until = NULL, updated_at = now()
           WHERE id = :id AND lease_token = :token AND status = 'running' AND cursor IS NOT DISTINCT FROM :cursor`,
          {
            id: walk.id,
            token: walk.lease_token,
            cursor: walk.cursor,
            next: page.next,
            last: page.next === null,
          },
        )
        if (rowCount !== 1) throw new Outdated()
      })
      .catch(async (error: unknown) => {
        if (!(error instanceof Outdated)) throw error
        // A run that lives would renew it, and nobody would look at the page.
        await this.knex("svc_catalog_import")
          .where({ id: walk.id, lease_token: walk.lease_token })
          .update({ lease_token: null, lease_until: null })
      })
  }

  /**
   * Ends the walks of a connection of which every product was looked at and every mark is settled.
   * @returns the imports among them
   */
  async complete(connectionId: string): Promise<WalkRow[]> {
    const { rows } = await this.knex.raw<{ rows: WalkRow[] }>(
      `UPDATE svc_catalog_import walk SET
         status = CASE WHEN ${AGAIN} THEN walk.status ELSE 'completed' END,
         finished_at = CASE WHEN NOT ${AGAIN} THEN clock_timestamp() END, updated_at = now(),
         -- Products were created or deleted meanwhile: what was found is the total.
         (total, done, failed, left_out) = (SELECT done + failed, done, failed, left_out FROM (${COUNTED}) AS counts),
         again_at = NULL, marked_all = NOT ${AGAIN}, cursor = CASE WHEN NOT ${AGAIN} THEN cursor END,
         started_at = CASE WHEN ${AGAIN} THEN ${RESTART} ELSE started_at END,
         next_attempt_at = CASE WHEN ${AGAIN} THEN GREATEST(${RESTART}, again_at) END,
         settings = CASE WHEN ${AGAIN} THEN ${SETTINGS} ELSE walk.settings END
       FROM svc_connection connection
       WHERE walk.connection_id = :connectionId AND connection.id = walk.connection_id AND ${DONE}
       RETURNING walk.*`,
      { connectionId, ...this.ownCode() },
    )
    return rows.filter(({ kind, status }) => kind === "import" && status === "completed")
  }

  pause(id: string): Promise<boolean> {
    return this.#change(id, ["running"], "status = 'paused'")
  }

  resume(id: string): Promise<boolean> {
    return this.#change(
      id,
      ["paused"],
      `status = 'running', resumed_at = clock_timestamp(),
       settled_before = (SELECT done + failed FROM (${COUNTED}) AS counts)`,
    )
  }

  /** Ends an open import. Its marks are taken back by `tidy`, which leaves those that a worker has to the next go. */
  cancel(id: string): Promise<boolean> {
    return this.#change(id, ["running", "paused"], `status = 'cancelled', ${ENDED}`)
  }

  async #change(
    id: string,
    from: WalkRow["status"][],
    columns: string,
    bindings: { error?: string } = {},
  ): Promise<boolean> {
    const { rowCount } = await this.knex.raw<{ rowCount: number }>(
      `UPDATE svc_catalog_import walk SET ${columns}, updated_at = now()
       WHERE walk.id = :id AND walk.status = ANY(:from)`,
      { id, from, ...bindings },
    )
    return rowCount === 1
  }

  /**
   * Takes back the marks that are an ended import's alone: what the service already has stays known, what it never saw is
   * forgotten, not left "pending" for ever. A row that somebody else wants sent as well stays marked, and so does one that
   * the service may have got by a call whose answer nobody knows. What is on its way is left to its worker; the next go finds
   * it.
   */
  async tidy(): Promise<void> {
    await this.knex.raw(
      `WITH chosen AS MATERIALIZED (
         SELECT id, acknowledged = 0 AS is_new, ${IS_TAKEN_BACK} AS is_taken_back
         FROM svc_catalog_item
         WHERE import_id = ANY(ARRAY(
             SELECT id FROM svc_catalog_import WHERE status IN ('cancelled', 'failed') AND kind = 'import'))
           AND deleted_at IS NULL AND (lease_until IS NULL OR lease_until <= now())
         ORDER BY connection_id, product_id FOR UPDATE
       ), forgotten AS (
         DELETE FROM svc_catalog_item
         WHERE id = ANY(ARRAY(SELECT id FROM chosen WHERE is_taken_back AND is_new))
       )
       UPDATE svc_catalog_item SET
         import_id = NULL,
         acknowledged = CASE WHEN ${IS_TAKEN_BACK} THEN wanted ELSE acknowledged END,
         next_attempt_at = CASE WHEN ${IS_TAKEN_BACK} THEN NULL ELSE next_attempt_at END,
         attempts = CASE WHEN ${IS_TAKEN_BACK} THEN 0 ELSE attempts END,
         -- Why it waited says nothing any more.
         reason_code = CASE WHEN ${IS_TAKEN_BACK} AND (attempts > 0 OR reason_code = 'store_error') THEN NULL ELSE reason_code END,
         lane = LEAST(lane, ${LANE.mass})
       WHERE id = ANY(ARRAY(SELECT id FROM chosen WHERE NOT (is_taken_back AND is_new)))`,
    )
  }

  /** Forgets walks that nobody looks at any more: all but the latest import of each connection, after a month. */
  async prune(): Promise<void> {
    await this.knex.raw(
      `DELETE FROM svc_catalog_import walk
       WHERE finished_at < now() - interval '30 days' AND (kind = 'compare' OR EXISTS (
         SELECT 1 FROM svc_catalog_import later
         WHERE later.connection_id = walk.connection_id AND later.kind = 'import' AND later.started_at > walk.started_at
           -- That one has completed is what lets comparisons look at all products.
           AND (later.status = 'completed' OR walk.status <> 'completed')))`,
    )
  }
}

/** The walk was paused, cancelled or restarted while its page was looked at. */
class Outdated extends Error {}

/** Times as long as counting took: whoever watches an import costs the database a twentieth of its time at most. */
const SHOWN_FOR = 20
const NEW_ID = "'svcimp_' || replace(gen_random_uuid()::text, '-', '')"
/** SQL: whether a row `connection` is concerned. */
const CONCERNED = {
  all: "true",
  grouping: `jsonb_typeof(connection.catalog -> 'include') = 'object'
    OR jsonb_typeof(connection.catalog -> 'exclude') = 'object'`,
  of: "connection.id = ANY(:ids) OR connection.region_id = ANY(:ids) OR connection.sales_channel_id = ANY(:ids)",
}
/** SQL: a walk has looked at a page, or somebody looks at its first. */
const BEGUN = "(walk.cursor IS NOT NULL OR walk.marked_all OR walk.lease_token IS NOT NULL)"
/** SQL: the mark of a row is an import's alone, and nobody is at work on it or may have been heard by the service. */
const IS_TAKEN_BACK = `(lane = ${LANE.import} AND (acknowledged_hash = '${UNKNOWN_HASH}' OR lease_token IS NOT NULL) IS NOT TRUE)`
/** SQL: something changed while a walk went on. */
const AGAIN = "(walk.again_at IS NOT NULL)"
/** SQL: when one that has ended may begin anew. However many changes come, a minute has one comparison at most. */
const RESTART = "GREATEST(clock_timestamp(), walk.started_at + interval '1 minute')"
/** SQL: no mark of a walk waits any more. */
const settled = (walk: string): string => `NOT EXISTS (
  SELECT 1 FROM svc_catalog_item item WHERE item.import_id = ${walk}.id AND item.deleted_at IS NULL)`
const DONE = `walk.status = 'running' AND walk.marked_all AND ${settled("walk")} AND walk.deleted_at IS NULL`

/** Reasons of products that are for sale in the store, and that the connection leaves out: counted apart. */
const LEFT_OUT: readonly string[] = [
  "excluded",
  "excluded_by_mapper",
  "channel_disabled",
] satisfies CatalogReasonCode[]

type Counts = Pick<WalkRow, "done" | "failed" | "left_out">

/**
 * SQL: how far an import `walk` is: the rows that it has looked at, and does not wait for. One that waits because of somebody
 * else was settled for the import.
 */
const COUNTED = `
  SELECT (count(*) FILTER (WHERE item.state IN ('synced', 'pending')))::int AS done,
    (count(*) FILTER (WHERE item.state IN ('invalid', 'failed')))::int AS failed,
    (count(*) FILTER (WHERE item.state = 'removed' AND item.reason_code = ANY('{${LEFT_OUT.join(",")}}')))::int AS left_out
  FROM svc_catalog_item item
  WHERE item.connection_id = walk.connection_id AND item.deleted_at IS NULL AND walk.kind = 'import'
    AND item.import_id IS DISTINCT FROM walk.id AND (walk.marked_all OR item.product_id <= walk.cursor)`
/** SQL: what a walk that ends keeps of it. */
const ENDED = `finished_at = clock_timestamp(),
  (done, failed, left_out) = (SELECT done, failed, left_out FROM (${COUNTED}) AS counts)`
