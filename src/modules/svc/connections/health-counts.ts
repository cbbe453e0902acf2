import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Endpoint } from "../../../client"
import { WAITING } from "../orders/reasons"
import { ALL, THRESHOLD } from "../shared/holds"
import { HOLDS_NUMBER } from "../shared/holds-number"
import { LANE } from "../shared/lanes"
import { pageSql } from "../shared/page-of"
import { type Reason, reasonOfRow } from "../shared/reason"

/** Seconds since the oldest row fell due; null when nothing is due. */
type Due = { oldest_due_s: number | null }

type ProductCounts = Record<"pending" | "synced" | "invalid" | "failed" | "removed", number>
const NO_PRODUCTS: ProductCounts = { pending: 0, synced: 0, invalid: 0, failed: 0, removed: 0 }

/**
 * `delayed`: placed over an hour ago, and their report has failed several times. `failed`: not those of a connection that
 * was deleted, which nobody can report. `duplicate`: those that a person may report now. `oldest_waiting_s`: age of the oldest
 * that is still to be reported; null where none is. `not_booked`: what they earned could not be booked several times, so that
 * results lack it.
 */
type OrderCounts = Record<"waiting" | "delayed" | "failed" | "duplicate" | "not_booked", number> & {
  oldest_waiting_s: number | null
}

type DeliveryCounts = Record<"received" | "quarantined" | "failed" | "unknown", number>

/** Why a report waits that has not failed: for the shopper, or for a setting that is told as such. */
const NOT_FAILED = [...Object.keys(WAITING), "setting_unreadable"]

/**
 * SQL: another order had the number of this row first and does not stand any more, this one does, and the connection still has
 * the page that gave the number.
 */
const NUMBER_IS_FREE = `reason_code = 'order_number_used'
  AND NOT EXISTS (
    SELECT 1 FROM svc_attribution holder
    WHERE holder.page = svc_attribution.page AND holder.svc_order_no = svc_attribution.svc_order_no AND ${HOLDS_NUMBER})
  AND EXISTS (
    SELECT 1 FROM svc_show_order origin
    WHERE origin.order_id = svc_attribution.order_id AND origin.canceled_at IS NULL AND origin.left_out IS NULL
      AND origin.deleted_at IS NULL)
  AND EXISTS (
    SELECT 1 FROM svc_connection connection
    WHERE connection.id = svc_attribution.connection_id AND ${pageSql("connection")} = svc_attribution.page
      AND connection.deleted_at IS NULL)`

/** Counts for the health document; each is one aggregate over a partial index or a small table. */
export class HealthCounts {
  constructor(private readonly knex: Knex) {}

  async products(): Promise<ProductCounts & Due> {
    const states = await this.knex("svc_catalog_item")
      .whereNull("deleted_at")
      .groupBy("state")
      .select<{ state: keyof ProductCounts; count: number }[]>(
        this.knex.raw("state, count(*)::int AS count"),
      )
    return {
      ...NO_PRODUCTS,
      ...Object.fromEntries(states.map(({ state, count }) => [state, count])),
      oldest_due_s: await this.#oldestDue(
        "svc_catalog_item",
        // A paused import waits for a person. Everything else does not, whether an import is paused or not.
        `wanted > acknowledged
         AND (lane < ${LANE.import} OR NOT EXISTS (
           SELECT 1 FROM svc_catalog_import import
           WHERE import.connection_id = svc_catalog_item.connection_id AND import.status = 'paused'
             AND import.deleted_at IS NULL))`,
        "products",
      ),
    }
  }

  /** Why products could not be read from the store when they were last to be sent, by connection. */
  async unreadStores(): Promise<Map<string, Reason>> {
    const { rows } = await this.knex.raw<{
      rows: ({ id: string } & Parameters<typeof reasonOfRow>[0])[]
    }>(
      `SELECT DISTINCT ON (connection_id) connection_id AS id, reason_code, reason_message, reason_fix, reason_params
       FROM svc_catalog_item
       WHERE wanted > acknowledged AND reason_code = 'store_error' AND deleted_at IS NULL
         -- One that nobody tries, as behind a paused import, says nothing of the store as it is.
         AND next_attempt_at > now() - interval '5 minutes'
       ORDER BY connection_id, updated_at DESC`,
    )
    return new Map(
      rows.flatMap(({ id, ...row }) => {
        const reason = reasonOfRow(row)
        return reason ? [[id, reason] as const] : []
      }),
    )
  }

  /** Connections that have an import, on its way or completed. Without one only products that have changed were sent. */
  async imports(): Promise<{ begun: Set<string>; completed: Set<string> }> {
    const { rows } = await this.knex.raw<{ rows: { id: string; completed: boolean }[] }>(
      `SELECT connection_id AS id, bool_or(status = 'completed') AS completed FROM svc_catalog_import
       WHERE kind = 'import' AND status IN ('running', 'paused', 'completed') AND deleted_at IS NULL
       GROUP BY connection_id`,
    )
    const begun = new Set(rows.map(({ id }) => id))
    return { begun, completed: new Set(rows.flatMap((row) => (row.completed ? row.id : []))) }
  }

  /**
   * Of an order that was paid late, or that a person tries again, one try that fails is no delay. It is where no try has gone
   * well for an hour: each order has few then, because one tries for all.
   *
   * Only what waits or needs somebody: two partial indexes. Reported orders grow for ever, and nobody counts them here.
   */
  async orders(): Promise<OrderCounts & Due> {
    const { rows } = await this.knex.raw<{ rows: [OrderCounts] }>(
      `SELECT waiting.*, problem.*, ledger.*
       FROM (
         SELECT count(*)::int AS waiting,
           count(*) FILTER (
             WHERE reason_code <> ALL(:notFailed) AND placed_at < now() - interval '1 hour'
               AND (attempts >= :threshold OR EXISTS (
                 SELECT 1 FROM svc_hold hold
                 WHERE hold.connection_id = svc_attribution.connection_id AND hold.endpoint = 'orders'
                   AND hold.failures >= :threshold AND hold.created_at < now() - interval '1 hour'
                   AND hold.until > now() - interval '2 hours' AND hold.deleted_at IS NULL)))::int AS delayed,
           extract(epoch FROM now() - min(placed_at))::float8 AS oldest_waiting_s
         FROM svc_attribution
         WHERE state = 'waiting' AND deleted_at IS NULL
       ) waiting, (
         SELECT count(*) FILTER (WHERE state = 'failed' AND EXISTS (
             SELECT 1 FROM svc_connection connection
             WHERE connection.id = svc_attribution.connection_id AND connection.deleted_at IS NULL))::int AS failed,
           count(*) FILTER (WHERE state = 'duplicate' AND ${NUMBER_IS_FREE})::int AS duplicate
         FROM svc_attribution WHERE state IN ('failed', 'duplicate') AND deleted_at IS NULL
       ) problem, (
         SELECT count(*)::int AS not_booked FROM svc_show_order
         WHERE dirty AND attempts >= :threshold AND deleted_at IS NULL
       ) ledger`,
      { notFailed: NOT_FAILED, threshold: THRESHOLD },
    )
    return {
      ...rows[0],
      oldest_due_s: await this.#oldestDue("svc_attribution", "state = 'waiting'", "orders"),
    }
  }

  /** Only what waits or needs somebody: two partial indexes, not the inbox. */
  async deliveries(): Promise<DeliveryCounts & Due> {
    const { rows } = await this.knex.raw<{ rows: [DeliveryCounts & Due] }>(
      `SELECT waiting.*, problem.*
       FROM (
         SELECT count(*)::int AS received,
           extract(epoch FROM max(now() - greatest(d.received_at, d.updated_at, d.next_attempt_at))
             FILTER (WHERE d.next_attempt_at IS NULL OR d.next_attempt_at <= now()))::float8 AS oldest_due_s
         FROM svc_delivery d
         WHERE d.outcome = 'received' AND d.deleted_at IS NULL
       ) waiting, (
         SELECT count(*) FILTER (WHERE outcome = 'quarantined')::int AS quarantined,
           count(*) FILTER (WHERE outcome = 'failed')::int AS failed,
           count(*) FILTER (WHERE outcome = 'unknown')::int AS unknown
         FROM svc_delivery
         WHERE outcome IN ('quarantined', 'unknown', 'failed') AND deleted_at IS NULL
       ) problem`,
    )
    return rows[0]
  }

  /**
   * A row counts from the moment when a worker could have taken it: its last change, its schedule, the end of its lease, or
   * the end of its endpoint's hold. Before that nobody calls, and after it somebody has to try again. While another row of its
   * connection is leased, a worker runs, and its turn comes. Null where no row has waited yet.
   */
  async #oldestDue(
    table: "svc_catalog_item" | "svc_attribution",
    due: string,
    endpoint: Endpoint,
  ): Promise<number | null> {
    const { rows } = await this.knex.raw<{ rows: [{ seconds: number | null }] }>(
      `SELECT extract(epoch FROM max(now() - ready.at))::float8 AS seconds
       FROM ${table} CROSS JOIN LATERAL (
         SELECT greatest(updated_at, next_attempt_at, lease_until, (
           SELECT max(hold.until) FROM svc_hold hold
           WHERE hold.connection_id = ${table}.connection_id AND hold.endpoint IN (?, ?)
             AND hold.deleted_at IS NULL)) AS at) AS ready
       WHERE ${due} AND deleted_at IS NULL AND ready.at <= now() AND connection_id NOT IN (
         SELECT connection_id FROM ${table} WHERE ${due} AND deleted_at IS NULL AND lease_until > now())`,
      [endpoint, ALL],
    )
    return rows[0].seconds
  }
}
