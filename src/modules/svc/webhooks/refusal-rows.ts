import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { RefusalReason } from "./reasons"
import { KEPT_SAMPLES, type RefusalCount, type RefusalSample } from "./refusal-log"

/** What was refused of a connection. */
export type RefusalRow = {
  connection_id: string
  reason: RefusalReason
  count: number
  first_at: Date
  last_at: Date
  samples: RefusalSample[]
}

const INT4 = 2_147_483_647

/** Rows of `svc_refused_delivery`: one for each connection and reason. */
export class RefusalRows {
  constructor(private readonly knex: Knex) {}

  /**
   * Adds counts in one statement; those of connections that there are not are left out.
   *
   * A delivery that is well signed and too old tells how far the clocks are apart. It is believed where no delivery was
   * accepted for ten minutes: otherwise it is an old one that somebody sent again.
   */
  async add(counts: RefusalCount[], timeoutMs: number): Promise<void> {
    if (counts.length === 0) return
    const rows = counts.map(({ connectionId, reason, count, samples }) => ({
      id: generateEntityId(undefined, "svcref"),
      connection_id: connectionId,
      reason,
      count,
      samples,
      last_at: samples[0]?.at,
      off_ms: reason === "too_old" ? clamp(samples[0]?.off_ms ?? null) : null,
    }))
    await this.knex
      .raw(
        `WITH given AS (
           SELECT given.* FROM jsonb_to_recordset(:rows::jsonb) AS given (
             id text, connection_id text, reason text, count int, samples jsonb, last_at timestamptz, off_ms int)
           JOIN svc_connection c ON c.id = given.connection_id AND c.deleted_at IS NULL
         ), added AS (
           INSERT INTO svc_refused_delivery AS known (id, connection_id, reason, count, first_at, last_at, samples)
           SELECT id, connection_id, reason, count, last_at, last_at, samples FROM given
           ORDER BY connection_id, reason
           ON CONFLICT (connection_id, reason) WHERE deleted_at IS NULL
           DO UPDATE SET
             count = least(known.count::bigint + EXCLUDED.count, ${INT4})::int,
             last_at = greatest(known.last_at, EXCLUDED.last_at),
             samples = (
               SELECT jsonb_agg(sample) FROM (
                 SELECT sample FROM jsonb_array_elements(EXCLUDED.samples || known.samples)
                   WITH ORDINALITY AS all_samples (sample, place)
                 ORDER BY place LIMIT ${KEPT_SAMPLES}) kept),
             updated_at = now()
         )
         UPDATE svc_webhook w SET clock_skew_ms = given.off_ms
         FROM given
         WHERE given.off_ms IS NOT NULL AND w.connection_id = given.connection_id AND w.deleted_at IS NULL
           AND (w.last_delivery_at IS NULL OR w.last_delivery_at < now() - interval '10 minutes')`,
        { rows: JSON.stringify(rows) },
      )
      .timeout(timeoutMs)
  }

  /** The latest first; what strangers sent is left out: it says nothing of the service's deliveries. */
  async ofConnection(connectionId: string): Promise<RefusalRow[]> {
    return this.knex("svc_refused_delivery")
      .select<RefusalRow[]>("connection_id", "reason", "count", "first_at", "last_at", "samples")
      .where({ connection_id: connectionId })
      .whereNot({ reason: "stranger" satisfies RefusalReason })
      .whereNull("deleted_at")
      .orderBy("last_at", "desc")
  }

  /** How often each connection refused for each reason. */
  async counts(): Promise<{ connection_id: string; reason: RefusalReason; count: number }[]> {
    return this.knex("svc_refused_delivery")
      .select<{ connection_id: string; reason: RefusalReason; count: number }[]>(
        "connection_id",
        "reason",
        "count",
      )
      .whereNull("deleted_at")
  }

  /** When each connection last refused for each reason. */
  async latest(): Promise<{ connection_id: string; reason: RefusalReason; last_at: Date }[]> {
    return this.knex("svc_refused_delivery")
      .select<{ connection_id: string; reason: RefusalReason; last_at: Date }[]>(
        "connection_id",
        "reason",
        "last_at",
      )
      .whereNull("deleted_at")
  }

  /** Forgets what is older than anybody asks for. */
  async trim(): Promise<void> {
    await this.knex("svc_refused_delivery")
      .whereRaw("last_at < now() - interval '30 days'")
      .delete()
  }
}

const clamp = (ms: number | null): number | null =>
  ms === null ? null : Math.max(-INT4, Math.min(INT4, Math.round(ms)))
