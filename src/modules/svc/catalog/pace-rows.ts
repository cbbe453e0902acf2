import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** How calls to one connection are paced now. */
export type Pace = {
  batchSize: number
  /** Holds in a row without a call that succeeded; after one, the next call is a probe. */
  holds: number
  /** Nothing was sent for a while, and no call has succeeded since. */
  wasHeld: boolean
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
  was_held: boolean
  holds: number
}

/** A call may begin this much early, so that a timer that rings late costs no pace. */
const LENIENCE = "interval '50 milliseconds'"

/** SQL: holds of the connection that concern the sending of products (`Holds`). */
const HOLDS = `
  SELECT * FROM svc_hold hold
  WHERE hold.connection_id = :connectionId AND hold.endpoint IN ('products', 'all')
    AND hold.until IS NOT NULL AND hold.deleted_at IS NULL`

/**
 * The pace of each connection, shared by all processes: a token bucket and the size of a batch. Each call asks here first,
 * and learns of a hold in the same statement.
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
      `WITH held AS MATERIALIZED (${HOLDS}), taken AS (
         UPDATE svc_catalog_pace SET next_call_at =
           GREATEST(next_call_at, now() - ${LENIENCE}) + interval '1 second' / LEAST(calls_per_second, :most)
         WHERE connection_id = :connectionId AND next_call_at <= now()
           AND NOT EXISTS (SELECT 1 FROM held WHERE until > now())
         RETURNING id
       )
       SELECT EXISTS (SELECT 1 FROM taken) AS taken,
         (extract(epoch FROM next_call_at - now()) * 1000)::float8 AS wait_ms,
         (SELECT (extract(epoch FROM max(until) - now()) * 1000)::float8 FROM held) AS held_ms,
         LEAST(batch_size, :batchSize)::int AS batch_size,
         calls_per_second < :most OR batch_size < :batchSize AS reduced,
         EXISTS (SELECT 1 FROM held) AS was_held,
         COALESCE((SELECT max(failures) FROM held), 0)::int AS holds
       FROM svc_catalog_pace WHERE connection_id = :connectionId`,
      { connectionId, most: this.most.callsPerSecond, batchSize: this.most.batchSize },
    )
    const [row] = rows
    if (!row) {
      await this.#create(connectionId)
      return { kind: "wait", ms: 0 }
    }
    if (row.taken) {
      const { holds, reduced, was_held: wasHeld, batch_size: batchSize } = row
      return { kind: "go", pace: { batchSize, holds, wasHeld, reduced } }
    }
    if (row.held_ms !== null && row.held_ms > 0) return { kind: "held", ms: row.held_ms }
    return { kind: "wait", ms: Math.max(1, row.wait_ms) }
  }

  async #create(connectionId: string): Promise<void> {
    await this.knex.raw(
      `INSERT INTO svc_catalog_pace
         (id, connection_id, calls_per_second, batch_size, next_call_at)
       VALUES ('svcpace_' || replace(gen_random_uuid()::text, '-', ''), :connectionId, :calls, :size, now())
       ON CONFLICT (connection_id) WHERE deleted_at IS NULL DO NOTHING`,
      { connectionId, calls: this.most.callsPerSecond, size: this.most.batchSize },
    )
  }

  /** The service said that it is too much: half the pace, once for each hold, however many calls met it. Before the hold. */
  async slowDown(connectionId: string): Promise<void> {
    // "Send now" may be the first call of all.
    await this.#create(connectionId)
    await this.knex.raw(
      `UPDATE svc_catalog_pace SET
         calls_per_second = GREATEST(LEAST(calls_per_second, :most) / 2, 0.1), updated_at = now()
       WHERE connection_id = :connectionId AND NOT EXISTS (${HOLDS} AND hold.until > now())`,
      { connectionId, most: this.most.callsPerSecond },
    )
  }

  /** A call succeeded: a little faster and larger, up to what the options allow. */
  async wentWell(connectionId: string): Promise<void> {
    await this.knex.raw(
      `UPDATE svc_catalog_pace SET
         calls_per_second = LEAST(:calls, calls_per_second + :calls / 50.0),
         batch_size = LEAST(:size, batch_size + 1 + batch_size / 10), updated_at = now()
       WHERE connection_id = :connectionId`,
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
}
