import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { CatalogMarks } from "../core-tables/catalog-marks"
import { COUNT_BEYOND_CURSOR, COUNT_FOR_SALE, StoreProducts } from "../core-tables/store-products"

export type ImportRow = {
  id: string
  connection_id: string
  status: "running" | "paused" | "completed" | "cancelled" | "failed"
  cursor: string | null
  marked_all: boolean
  total: number
  done: number
  failed: number
  started_at: Date
  finished_at: Date | null
  error: string | null
}

/** Counts of an import as it stands. `recent` were worked on in the last `recentMs`. */
type ImportProgress = { remaining: number; failed: number; recent: number; recentMs: number }

const RECENT_MS = 30_000

/**
 * A row that the import marked and that is not settled. A row that was edited meanwhile has moved to the front
 * (`live`) and keeps `force` until it is settled, so it still counts; an edit after the settlement does not.
 */
const OPEN_MARK = `
  item.connection_id = import.connection_id AND item.wanted > item.acknowledged
  AND (item.force OR NOT item.live) AND item.deleted_at IS NULL`

/** Settled without success since the import began. `updated_at` is the moment when a worker took the row. */
const FAILED_SINCE = `
  SELECT count(*)::int FROM svc_catalog_item item
  WHERE item.connection_id = import.connection_id AND item.deleted_at IS NULL
    AND item.state IN ('invalid', 'failed') AND item.wanted = item.acknowledged
    AND item.updated_at >= import.started_at`

/** Rows of `svc_catalog_import`. A unique index allows one open import per connection. */
export class CatalogImportRows {
  constructor(private readonly knex: Knex) {}

  /** The latest import of a connection. */
  async latest(connectionId: string): Promise<ImportRow | null> {
    const row = await this.knex<ImportRow & { deleted_at: Date | null }>("svc_catalog_import")
      .where({ connection_id: connectionId })
      .whereNull("deleted_at")
      .orderBy("started_at", "desc")
      .first("*")
    return row ?? null
  }

  /** Opens an import; null when one is open already. */
  async open(connectionId: string, salesChannelId: string): Promise<ImportRow | null> {
    const { rows } = await this.knex.raw<{ rows: ImportRow[] }>(
      `INSERT INTO svc_catalog_import (id, connection_id, status, total, started_at)
       VALUES ('svcimp_' || replace(gen_random_uuid()::text, '-', ''), :connection, 'running',
               (${COUNT_FOR_SALE}), clock_timestamp())
       ON CONFLICT (connection_id) WHERE status IN ('running', 'paused') AND deleted_at IS NULL DO NOTHING
       RETURNING *`,
      { connection: connectionId, channel: salesChannelId },
    )
    return rows[0] ?? null
  }

  /** Imports whose cursor has not reached the end. */
  async unfinished(): Promise<ImportRow[]> {
    return this.knex<ImportRow & { deleted_at: Date | null }>("svc_catalog_import")
      .where({ status: "running", marked_all: false })
      .whereNull("deleted_at")
      .select("*")
  }

  /**
   * Marks the next page of an import and moves its cursor in one transaction. A process that is killed leaves the cursor
   * where the marks end, and the next worker continues from there.
   *
   * @returns whether there is more to mark
   */
  async advance(id: string, salesChannelId: string, pageSize: number): Promise<boolean> {
    return this.knex.transaction(async (trx) => {
      const row = await trx<ImportRow & { deleted_at: Date | null }>("svc_catalog_import")
        .where({ id, status: "running", marked_all: false })
        .whereNull("deleted_at")
        .forUpdate()
        // Another process is marking this import right now.
        .skipLocked()
        .first("*")
      if (!row) return false
      const marks = new CatalogMarks(trx)
      const ids = await new StoreProducts(trx).idsForSale(
        salesChannelId,
        row.cursor ?? "",
        pageSize,
      )
      // Sent even where we think that the service has it: the service may have lost what it acknowledged.
      await marks.markInBulk(row.connection_id, ids, true)
      const last = ids.at(-1) ?? row.cursor
      const more = ids.length === pageSize
      if (!more) {
        await marks.markInBulk(
          row.connection_id,
          await marks.productsThatLeft(row.connection_id, salesChannelId),
        )
        await marks.explainUnpublished(row.connection_id, salesChannelId)
      }
      await trx("svc_catalog_import")
        .where({ id })
        .update({
          cursor: last,
          marked_all: !more,
          // Products were created or deleted during the import, so the final total is counted again.
          ...(more ? {} : { total: trx.raw(`(${COUNT_FOR_SALE})`, { channel: salesChannelId }) }),
          updated_at: trx.fn.now(),
        })
      return more
    })
  }

  async setStatus(
    id: string,
    from: ImportRow["status"],
    to: "running" | "paused",
  ): Promise<boolean> {
    const changed = await this.knex("svc_catalog_import")
      .where({ id, status: from })
      .update({ status: to, updated_at: this.knex.fn.now() })
    return changed === 1
  }

  /**
   * Ends an open import and withdraws its marks that no worker has taken. A product that the service has keeps its
   * row; a product that the service never got is deleted from the table, or it would read "pending" for ever.
   */
  async cancel(id: string): Promise<boolean> {
    return this.knex.transaction(async (trx) => {
      const ended = await new CatalogImportRows(trx).#end(id, ["running", "paused"], "cancelled")
      if (!ended) return false
      const marks = (statement: string) => trx.raw(statement, { connection: ended.connection_id })
      const unworked = `
        SELECT id FROM svc_catalog_item
        WHERE connection_id = :connection AND NOT live AND wanted > acknowledged
          AND (lease_until IS NULL OR lease_until <= now()) AND deleted_at IS NULL
        ORDER BY connection_id, product_id FOR UPDATE`
      await marks(
        `DELETE FROM svc_catalog_item WHERE last_payload IS NULL AND acknowledged = 0 AND id IN (${unworked})`,
      )
      await marks(
        `UPDATE svc_catalog_item SET
           acknowledged = wanted, force = false, next_attempt_at = NULL, attempts = 0, failing_since = NULL,
           lease_token = NULL, lease_until = NULL,
           state = CASE WHEN state <> 'pending' THEN state
                        WHEN last_payload->>'status' <> 'enabled' THEN 'removed'
                        WHEN last_payload IS NULL THEN 'invalid' ELSE 'synced' END
         WHERE id IN (${unworked})`,
      )
      return true
    })
  }

  async fail(id: string, error: string): Promise<void> {
    await this.#end(id, ["running"], "failed", error)
  }

  /** Completes the imports whose marks are all settled. */
  async complete(): Promise<void> {
    const rows = await this.knex("svc_catalog_import as import")
      .where({ "import.status": "running", "import.marked_all": true })
      .whereNull("import.deleted_at")
      .whereNotExists(this.knex("svc_catalog_item as item").whereRaw(OPEN_MARK))
      .select<{ id: string }[]>("import.id")
    for (const { id } of rows) await this.#end(id, ["running"], "completed")
  }

  async #end(
    id: string,
    from: ImportRow["status"][],
    to: "completed" | "cancelled" | "failed",
    error: string | null = null,
  ): Promise<ImportRow | null> {
    const { rows } = await this.knex.raw<{ rows: ImportRow[] }>(
      `WITH counts AS (
         SELECT import.id, (${FAILED_SINCE}) AS failed, (${REMAINING}) AS remaining
         FROM svc_catalog_import import WHERE import.id = :id
       )
       UPDATE svc_catalog_import import SET
         status = :to, finished_at = clock_timestamp(), updated_at = now(), error = :error,
         failed = LEAST(counts.failed, import.total),
         done = GREATEST(import.total - counts.failed - counts.remaining, 0)
       FROM counts
       WHERE import.id = counts.id AND import.status = ANY(:from) AND import.deleted_at IS NULL
       RETURNING import.*`,
      { id, from, to, error },
    )
    return rows[0] ?? null
  }

  /** Counted from the items: a counter could be left wrong by a process that is killed. */
  async progress(id: string): Promise<ImportProgress> {
    const { rows } = await this.knex.raw<{ rows: ImportProgress[] }>(
      `SELECT (${FAILED_SINCE}) AS failed, (${REMAINING}) AS remaining,
         (SELECT count(*)::int FROM svc_catalog_item item
          WHERE item.connection_id = import.connection_id AND item.deleted_at IS NULL
            AND item.wanted = item.acknowledged
            AND item.updated_at >= GREATEST(import.started_at, now() - :window * interval '1 millisecond')
         ) AS recent,
         LEAST(extract(epoch FROM clock_timestamp() - import.started_at) * 1000, :window)::float AS "recentMs"
       FROM svc_catalog_import import WHERE import.id = :id`,
      { id, window: RECENT_MS },
    )
    const [row] = rows
    if (!row) throw new Error(`No import has the id ${id}.`)
    return row
  }
}

/** Products that are still to be done: marked and not settled, and those that the cursor has not reached. */
const REMAINING = `
  (SELECT count(*)::int FROM svc_catalog_item item WHERE ${OPEN_MARK})
  + CASE WHEN import.marked_all THEN 0 ELSE (${COUNT_BEYOND_CURSOR}) END`
