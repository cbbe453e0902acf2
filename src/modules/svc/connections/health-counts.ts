import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { LANE } from "../shared/lanes"

/** Seconds since the oldest row fell due; null when nothing is due. */
type Due = { oldest_due_s: number | null }

/** `delayed`: placed over an hour ago, and the store itself fails to report them. */
type OrderCounts = Record<"waiting" | "delayed" | "failed" | "duplicate", number>

/** Why a report waits that nothing at the service holds up, and that is never given up. */
const OWN_FAILURES = ["report_store_error", "report_fields_failed"]

/** Counts for the health document; each is one aggregate over a partial index or a small table. */
export class HealthCounts {
  constructor(private readonly knex: Knex) {}

  async products(): Promise<
    Record<"pending" | "synced" | "invalid" | "failed" | "removed", number> & Due
  > {
    const counts = await this.#states("svc_catalog_item", "state")
    const due = await this.#oldestDue(
      "svc_catalog_item",
      // A paused import waits for a person. Everything else does not, whether an import is paused or not.
      `wanted > acknowledged
       AND (lane < ${LANE.import} OR NOT EXISTS (
         SELECT 1 FROM svc_catalog_import import
         WHERE import.connection_id = svc_catalog_item.connection_id AND import.status = 'paused'
           AND import.deleted_at IS NULL))`,
      // Nobody sends anything before the connection's hold ends; after that somebody has to try again.
      `(SELECT max(hold.until) FROM svc_hold hold
        WHERE hold.connection_id = svc_catalog_item.connection_id AND hold.endpoint IN ('products', 'all')
          AND hold.deleted_at IS NULL)`,
    )
    return {
      pending: counts.pending ?? 0,
      synced: counts.synced ?? 0,
      invalid: counts.invalid ?? 0,
      failed: counts.failed ?? 0,
      removed: counts.removed ?? 0,
      oldest_due_s: due,
    }
  }

  /** Connections with at least one product that the service knows or has to know. */
  async connectionsWithProducts(): Promise<Set<string>> {
    const rows = await this.knex("svc_connection AS connection")
      .whereNull("connection.deleted_at")
      .whereExists(
        this.knex("svc_catalog_item AS item")
          .whereRaw("item.connection_id = connection.id")
          .whereNull("item.deleted_at"),
      )
      .select<{ id: string }[]>("connection.id")
    return new Set(rows.map(({ id }) => id))
  }

  /** Only what waits or needs somebody: two partial indexes. Reported orders grow for ever, and nobody counts them here. */
  async orders(): Promise<OrderCounts & Due> {
    const { rows } = await this.knex.raw<{ rows: OrderCounts[] }>(
      `SELECT waiting.count AS waiting, waiting.delayed, problem.failed, problem.duplicate
       FROM (
         SELECT count(*)::int AS count,
           count(*) FILTER (
             WHERE reason_code = ANY(?) AND placed_at < now() - interval '1 hour')::int AS delayed
         FROM svc_attribution
         WHERE state = 'waiting' AND deleted_at IS NULL
       ) waiting, (
         SELECT count(*) FILTER (WHERE state = 'failed')::int AS failed,
           count(*) FILTER (WHERE state = 'duplicate')::int AS duplicate
         FROM svc_attribution WHERE state IN ('failed', 'duplicate') AND deleted_at IS NULL
       ) problem`,
      [OWN_FAILURES],
    )
    const [counts = { waiting: 0, delayed: 0, failed: 0, duplicate: 0 }] = rows
    return {
      ...counts,
      oldest_due_s: await this.#oldestDue("svc_attribution", "state = 'waiting'"),
    }
  }

  /** Age in seconds of the oldest order that is still to be reported; null where none is. */
  async oldestUnreportedSeconds(): Promise<number | null> {
    const { rows } = await this.knex.raw<{ rows: { seconds: number | null }[] }>(
      `SELECT extract(epoch FROM now() - min(placed_at))::float8 AS seconds
       FROM svc_attribution WHERE state = 'waiting' AND deleted_at IS NULL`,
    )
    return rows[0]?.seconds ?? null
  }

  /** Only what waits or needs somebody: two partial indexes, not the inbox. */
  async deliveries(): Promise<
    Record<"received" | "quarantined" | "failed" | "unknown", number> & Due
  > {
    const { rows } = await this.knex.raw<{
      rows: (Record<"received" | "quarantined" | "failed" | "unknown", number> & Due)[]
    }>(
      `SELECT waiting.*, problem.*
       FROM (
         SELECT count(*)::int AS received,
           extract(epoch FROM max(now() - greatest(d.received_at, d.updated_at, d.next_attempt_at))
             FILTER (WHERE d.next_attempt_at IS NULL OR d.next_attempt_at <= now()))::float8 AS oldest_due_s
         FROM svc_delivery d
         WHERE d.outcome = 'received' AND d.deleted_at IS NULL AND NOT EXISTS (
           SELECT 1 FROM svc_webhook w WHERE w.connection_id = d.connection_id
             AND w.deleted_at IS NULL AND w.applying_paused_at IS NOT NULL)
       ) waiting, (
         SELECT count(*) FILTER (WHERE outcome = 'quarantined')::int AS quarantined,
           count(*) FILTER (WHERE outcome = 'failed')::int AS failed,
           count(*) FILTER (WHERE outcome = 'unknown')::int AS unknown
         FROM svc_delivery
         WHERE outcome IN ('quarantined', 'unknown', 'failed') AND deleted_at IS NULL
       ) problem`,
    )
    return rows[0] ?? { received: 0, quarantined: 0, failed: 0, unknown: 0, oldest_due_s: null }
  }

  async #states(table: string, column: string): Promise<Record<string, number>> {
    const rows = await this.knex(table)
      .whereNull("deleted_at")
      .groupBy(column)
      .select(this.knex.raw("?? AS state, count(*)::int AS count", [column]))
    return Object.fromEntries(rows.map((row) => [row.state, row.count]))
  }

  /**
   * A row counts from the moment when a worker could have taken it: its last change, its schedule, the end of its lease,
   * or `notBefore`, an SQL expression. Null where no row has waited yet.
   */
  async #oldestDue(table: string, due: string, notBefore = "NULL"): Promise<number | null> {
    const { rows } = await this.knex.raw<{ rows: { seconds: number | null }[] }>(
      `SELECT extract(epoch FROM max(now() - ready.at))::float8 AS seconds
       FROM ${table} CROSS JOIN LATERAL (
         SELECT greatest(updated_at, next_attempt_at, lease_until, ${notBefore}) AS at) AS ready
       WHERE ${due} AND deleted_at IS NULL AND ready.at <= now()`,
    )
    return rows[0]?.seconds ?? null
  }
}
