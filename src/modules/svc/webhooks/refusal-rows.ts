import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { RefusedDelivery } from "../models"
import type { RefusalReason } from "./reasons"
import type { RefusalCount } from "./receiver-notes"

const COLUMNS = ["connection_id", "reason", "count", "last_at", "off_ms"] as const
/** What was refused of a connection, and when the last of it. */
export type RefusalRow = Pick<RefusedDelivery, (typeof COLUMNS)[number]> & { reason: RefusalReason }

const INT4 = 2_147_483_647

/** Rows of `svc_refused_delivery`: one for each connection and reason. */
export class RefusalRows {
  constructor(private readonly knex: Knex) {}

  /** Adds counts in one statement; those of connections that there are not are left out. */
  async add(counts: RefusalCount[], timeoutMs: number): Promise<void> {
    const rows = counts.map(({ connectionId, reason, count, at, offMs }) => ({
      id: generateEntityId(undefined, "svcref"),
      connection_id: connectionId,
      reason,
      count,
      ago_ms: Math.round(performance.now() - at),
      off_ms: offMs === null ? null : clampMs(offMs),
    }))
    await this.knex
      .raw(
        `WITH given AS (
           SELECT given.*, now() - ago_ms * interval '1 millisecond' AS at
           FROM jsonb_to_recordset(:rows::jsonb) AS given (
             id text, connection_id text, reason text, count int, ago_ms float8, off_ms int)
           JOIN svc_connection c ON c.id = given.connection_id AND c.deleted_at IS NULL
         )
         INSERT INTO svc_refused_delivery AS known (id, connection_id, reason, count, last_at, off_ms)
         SELECT id, connection_id, reason, count, at, off_ms FROM given ORDER BY connection_id, reason
         ON CONFLICT (connection_id, reason) WHERE deleted_at IS NULL
         DO UPDATE SET
           count = least(known.count::bigint + EXCLUDED.count, ${INT4})::int,
           last_at = greatest(known.last_at, EXCLUDED.last_at),
           off_ms = EXCLUDED.off_ms,
           updated_at = now()`,
        { rows: JSON.stringify(rows) },
      )
      .timeout(timeoutMs)
  }

  /** What strangers sent is left out: it says nothing of the service's deliveries. */
  async ofConnection(connectionId: string): Promise<RefusalRow[]> {
    const refused = await this.all()
    return refused.filter((row) => row.connection_id === connectionId && row.reason !== "stranger")
  }

  /** How often, and when last, each connection refused for each reason; the latest first. */
  async all(): Promise<RefusalRow[]> {
    return this.knex("svc_refused_delivery")
      .select<RefusalRow[]>(COLUMNS)
      .whereNull("deleted_at")
      .orderBy("last_at", "desc")
  }

  /** Forgets what is older than anybody asks for. */
  async trim(): Promise<void> {
    await this.knex("svc_refused_delivery")
      .whereRaw("last_at < now() - interval '30 days'")
      .delete()
  }
}

/** As an integer column holds it. */
export const clampMs = (ms: number): number => Math.max(-INT4, Math.min(INT4, Math.round(ms)))
