import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { type Reason, reasonColumns, reasonOfRow } from "../shared/reason"

/** How calls to one connection are paced now. */
export type Pace = {
  batchSize: number
  /** Holds in a row without a call that succeeded; after one, the next call is a probe. */
  holds: number
  /** Why nothing was sent, until a call succeeds. */
  reason: Reason | null
  /** Slower or smaller than the options allow: worth a write when it goes well. */
  reduced: boolean
}

/** `go`: the caller makes one call now. `wait`: it asks again after `ms`. `held`: nobody calls for `ms`. */
export type Permission =
  | { kind: "go"; pace: Pace }
  | { kind: "wait"; ms: number }
  | { kind: "held"; ms: number }

type Row = {
  taken: boolean
  wait_ms: number
  held_ms: number | null
  batch_size: number
  reduced: boolean
  holds: number
  reason_code: string | null
  reason_message: string | null
  reason_fix: string | null
  reason_params: Record<string, string> | null
}

/** SQL: the hold that the service has asked for; any other may end. */
export const HELD_BY_SERVICE = "CASE WHEN reason_code = 'slow_down' THEN hold_until END"

/** A call may begin this much early, so that a timer that rings late costs no pace. */
const LENIENCE = "interval '50 milliseconds'"

/**
 * The pace of each connection, shared by all processes: a token bucket, the size of a batch, and a hold. A hold is one
 * row: whatever is leased, prefetched or edited meanwhile waits for it, because each call asks here first.
 */
export class CatalogPaceRows {
  /** @param most the pace that is never exceeded */
  constructor(
    private readonly knex: Knex,
    readonly most: { callsPerSecond: number; batchSize: number },
  ) {}

  /** Asks to make one call; asked right before it, so that a hold that began meanwhile is respected. */
  async take(connectionId: string): Promise<Permission> {
    const { rows } = await this.knex.raw<{ rows: Row[] }>(
      `WITH taken AS (
         UPDATE svc_catalog_pace SET next_call_at =
           GREATEST(next_call_at, now() - ${LENIENCE}) + interval '1 second' / LEAST(calls_per_second, :most)
         WHERE connection_id = :connectionId AND next_call_at <= now()
           AND (hold_until IS NULL OR hold_until <= now())
         RETURNING id
       )
       SELECT EXISTS (SELECT 1 FROM taken) AS taken,
         (extract(epoch FROM next_call_at - now()) * 1000)::float8 AS wait_ms,
         (extract(epoch FROM hold_until - now()) * 1000)::float8 AS held_ms,
         LEAST(batch_size, :batchSize)::int AS batch_size,
         calls_per_second < :most OR batch_size < :batchSize AS reduced,
         holds, reason_code, reason_message, reason_fix, reason_params
       FROM svc_catalog_pace WHERE connection_id = :connectionId`,
      { connectionId, most: this.most.callsPerSecond, batchSize: this.most.batchSize },
    )
    const [row] = rows
    if (!row) {
      await this.#create(connectionId)
      return { kind: "wait", ms: 0 }
    }
    if (row.taken) {
      const { holds, reduced, batch_size: batchSize } = row
      const pace = { batchSize, holds, reduced, reason: reasonOfRow(row) }
      return { kind: "go", pace }
    }
    if (row.held_ms !== null && row.held_ms > 0) return { kind: "held", ms: row.held_ms }
    return { kind: "wait", ms: Math.max(1, row.wait_ms) }
  }

  async #create(connectionId: string): Promise<void> {
    await this.knex.raw(
      `INSERT INTO svc_catalog_pace
         (id, connection_id, calls_per_second, batch_size, next_call_at, price_lists_seen_at)
       VALUES ('svcpace_' || replace(gen_random_uuid()::text, '-', ''), :connectionId, :calls, :size, now(), now())
       ON CONFLICT (connection_id) WHERE deleted_at IS NULL DO NOTHING`,
      { connectionId, calls: this.most.callsPerSecond, size: this.most.batchSize },
    )
  }

  /**
   * Lets nobody call for a while.
   *
   * @param slower halves the pace: the service said that it is too much. Once for each hold, however many calls met it
   * @param counts whether the next call is a probe, and the next hold a longer one
   */
  async hold(
    connectionId: string,
    input: { ms: number; reason: Reason; slower: boolean; counts: boolean },
  ): Promise<void> {
    // "Send now" may be the first call of all.
    await this.#create(connectionId)
    const columns = reasonColumns(input.reason)
    await this.knex.raw(
      `UPDATE svc_catalog_pace SET
         calls_per_second = CASE WHEN :slower AND (hold_until IS NULL OR hold_until <= now())
           THEN GREATEST(LEAST(calls_per_second, :most) / 2, 0.1) ELSE calls_per_second END,
         holds = holds + CASE WHEN :counts AND (hold_until IS NULL OR hold_until <= now()) THEN 1 ELSE 0 END,
         hold_until = GREATEST(hold_until, now() + :ms * interval '1 millisecond'),
         reason_code = :reason_code, reason_message = :reason_message, reason_fix = :reason_fix,
         reason_params = CAST(:reason_params AS jsonb), updated_at = now()
       WHERE connection_id = :connectionId`,
      {
        connectionId,
        ms: Math.round(input.ms),
        slower: input.slower,
        counts: input.counts,
        most: this.most.callsPerSecond,
        ...columns,
      },
    )
  }

  /** A call succeeded: no reason any more, and a little faster and larger, up to what the options allow. */
  async wentWell(connectionId: string): Promise<void> {
    await this.knex.raw(
      `UPDATE svc_catalog_pace SET
         holds = 0, hold_until = NULL,
         reason_code = NULL, reason_message = NULL, reason_fix = NULL, reason_params = NULL,
         calls_per_second = LEAST(:calls, calls_per_second + :calls / 50.0),
         batch_size = LEAST(:size, batch_size + 1 + batch_size / 10), updated_at = now()
       -- A call that was under way when another was told to wait does not end the wait.
       WHERE connection_id = :connectionId AND (hold_until IS NULL OR hold_until <= now())`,
      { connectionId, calls: this.most.callsPerSecond, size: this.most.batchSize },
    )
  }

  /** A call was too large or too slow: the next ones are half its size. */
  async shrink(connectionId: string, tried: number): Promise<void> {
    await this.knex.raw(
      `UPDATE svc_catalog_pace SET batch_size = GREATEST(1, LEAST(batch_size, :half)), updated_at = now()
       WHERE connection_id = :connectionId`,
      { connectionId, half: Math.max(1, Math.floor(tried / 2)) },
    )
  }

  /** A payload was settled: whoever reads the feed may have an older one. */
  async raiseVersion(connectionId: string): Promise<void> {
    await this.knex("svc_catalog_pace")
      .where({ connection_id: connectionId })
      .update({ version: this.knex.raw("version + 1") })
  }

  /**
   * A person acted: whatever held the connection is tried anew at once. What the service asked for is still respected,
   * unless it is another one now.
   */
  async resume(connectionId: string, { moved }: { moved: boolean }): Promise<void> {
    await this.knex("svc_catalog_pace")
      .where({ connection_id: connectionId })
      .update({
        hold_until: moved ? null : this.knex.raw(HELD_BY_SERVICE),
        next_call_at: this.knex.fn.now(),
        updated_at: this.knex.fn.now(),
      })
  }

  /** Until when and why nothing is sent, by connection: only where that is so. */
  async held(
    connectionIds?: string[],
  ): Promise<Map<string, { reason: Reason; until: Date | null; ms: number }>> {
    const { rows } = await this.knex.raw<{
      rows: (Row & { connection_id: string; hold_until: Date | null })[]
    }>(
      `SELECT connection_id, hold_until, (extract(epoch FROM hold_until - now()) * 1000)::float8 AS held_ms,
         reason_code, reason_message, reason_fix, reason_params
       FROM svc_catalog_pace
       WHERE reason_code IS NOT NULL AND deleted_at IS NULL
         ${connectionIds ? "AND connection_id = ANY(:connectionIds)" : ""}`,
      connectionIds ? { connectionIds } : {},
    )
    return new Map(
      rows.flatMap((row) => {
        const reason = reasonOfRow(row)
        if (!reason) return []
        const ms = Math.max(0, row.held_ms ?? 0)
        return [[row.connection_id, { reason, until: ms > 0 ? row.hold_until : null, ms }] as const]
      }),
    )
  }

  /** What the feed of a connection is a version of; 0 before the first product. */
  async version(connectionId: string): Promise<number> {
    const row = await this.knex("svc_catalog_pace")
      .where({ connection_id: connectionId })
      .first<{ version: number } | undefined>("version")
    return row?.version ?? 0
  }
}
