import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Reason } from "../shared/reason"
import { newId } from "../shared/ulid"
import type { InboxOutcome, Outcome } from "./inbox-rows"

/** A verified delivery as it is kept, by its columns. */
export type NewDelivery = {
  connection_id: string
  /** What it was verified with: it is kept only while that still holds. */
  page_uid: string
  webhook_id: string
  key_version: number
  is_candidate: boolean
  /** The key's fingerprint. */
  signed_by: string | null
  dedup_key: string
  topic: string
  event_uid: string | null
  delivery_uid: string | null
  /** The service's; null where the body had none. */
  occurred_at: Date | null
  outcome: InboxOutcome
  reason: Reason | null
  /** As received, known to be UTF-8. */
  body: Buffer
  body_hash: string
  headers: Record<string, string>
}

/** What became of a delivery that is in the inbox. `isNew`: for the first time, or judged again. `at`: the database's now. */
export type Kept = { outcome: Outcome; isNew: boolean; at: Date }

/** Where a repeat is judged again: nothing came of the first. */
const JUDGED_AGAIN = "svc_delivery.outcome IN ('quarantined', 'failed')"

/**
 * Keeps deliveries whose keys still hold. The lock on the connection waits for one that is just being deleted (`forget`), whose
 * inbox would else keep a delivery that nobody ever applies; ordinary changes do not wait for it.
 * All write in the same order, so that two processes wait for each other's rows only one way round.
 */
const INSERT = `
  INSERT INTO svc_delivery (id, connection_id, dedup_key, topic, event_uid, delivery_uid, occurred_at, received_at,
    outcome, reason, body, body_hash, bytes, headers, signed_by)
  SELECT d.id, c.id, d.dedup_key, d.topic, d.event_uid, d.delivery_uid, d.occurred_at, now(),
    d.outcome, d.reason, d.body, d.body_hash, d.bytes, d.headers, d.signed_by
  FROM json_to_recordset(?::json) AS d (id text, connection_id text, page_uid text, webhook_id text, key_version int,
    is_candidate bool, signed_by text, dedup_key text, topic text, event_uid text, delivery_uid text, occurred_at timestamptz,
    outcome text, reason jsonb, body text, body_hash text, bytes int, headers jsonb)
  JOIN svc_connection c ON c.id = d.connection_id AND c.deleted_at IS NULL AND c.page_uid = d.page_uid
  JOIN svc_webhook w ON w.connection_id = c.id AND w.deleted_at IS NULL AND w.id = d.webhook_id
    AND w.key_version = d.key_version
    AND (d.is_candidate OR w.candidate_key IS NULL
      OR NOT coalesce(w.rotation = 'asked' AND w.rotating_until <= now(), false))
  ORDER BY c.id, d.dedup_key
  FOR KEY SHARE OF c
  ON CONFLICT (connection_id, dedup_key) WHERE deleted_at IS NULL`
const RETURNING = "RETURNING dedup_key, outcome, (received_at = now()) AS is_new, now() AS at"

const KEEP_NEW = `${INSERT} DO NOTHING ${RETURNING}`

/**
 * Also of a delivery that is there already by its unique key (gap 1): it is counted, and judged again where nothing came of
 * the first. Waits for its row while that is just being applied.
 */
const KEEP = `${INSERT}
  DO UPDATE SET
    repeats = svc_delivery.repeats + 1,
    received_at = CASE WHEN ${JUDGED_AGAIN} THEN EXCLUDED.received_at ELSE svc_delivery.received_at END,
    outcome = CASE WHEN ${JUDGED_AGAIN} THEN EXCLUDED.outcome ELSE svc_delivery.outcome END,
    reason = CASE WHEN ${JUDGED_AGAIN} THEN EXCLUDED.reason ELSE svc_delivery.reason END,
    attempts = CASE WHEN ${JUDGED_AGAIN} THEN 0 ELSE svc_delivery.attempts END,
    next_attempt_at = CASE WHEN ${JUDGED_AGAIN} THEN NULL ELSE svc_delivery.next_attempt_at END
  ${RETURNING}`

type KeptRow = {
  dedup_key: string
  outcome: Outcome
  is_new: boolean
  at: Date
}

/** Of the bodies of one statement, at least one of them. */
const BYTES_AT_ONCE = 1024 * 1024

type Waiting = {
  delivery: NewDelivery
  resolve: (kept: Kept | null) => void
  reject: (error: unknown) => void
  givenUp: AbortSignal
  /** Where it waits, or waited last. */
  queue: Set<Waiting> | null
}

/**
 * Writes deliveries into the inbox, all of a connection that came while its last statement ran with the next one: a burst
 * costs few transactions, and a server that is busy with other requests needs few turns for many deliveries. No connection
 * waits for the rows of another, and what is new waits for no repeat. On a pool of its own, so that a burst, or a database
 * that hangs on it, takes no connection from the shop.
 */
export class DeliveryWriter {
  /** By connection and statement, while that is under way. */
  readonly #queues = new Map<string, Set<Waiting>>()

  constructor(
    private readonly pool: Knex,
    private readonly timeoutMs: number,
  ) {}

  /**
   * @param givenUp nobody waits for it any longer: then it is not begun, and rejects
   * @returns null where the keys changed since it was verified
   */
  keep(delivery: NewDelivery, givenUp: AbortSignal): Promise<Kept | null> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { delivery, resolve, reject, givenUp, queue: null }
      givenUp.addEventListener("abort", () => {
        if (waiting.queue?.delete(waiting)) reject(givenUp.reason)
      })
      this.#enqueue(waiting, KEEP_NEW)
    })
  }

  #enqueue(waiting: Waiting, statement: string): void {
    if (waiting.givenUp.aborted) {
      waiting.reject(waiting.givenUp.reason)
      return
    }
    const key = `${waiting.delivery.connection_id} ${statement}`
    const queue = this.#queues.get(key) ?? new Set()
    queue.add(waiting)
    waiting.queue = queue
    if (this.#queues.has(key)) return
    this.#queues.set(key, queue)
    void this.#writeAll(key, queue, statement)
  }

  async #writeAll(key: string, queue: Set<Waiting>, statement: string): Promise<void> {
    while (queue.size > 0) {
      const batch = takeFrom(queue)
      try {
        const kept = await this.#write(statement, batch)
        for (const [dedupKey, waiting] of batch) {
          const one = kept.get(dedupKey)
          // It is there already, or its keys have changed.
          if (!one && statement === KEEP_NEW) this.#enqueue(waiting, KEEP)
          else waiting.resolve(one ?? null)
        }
      } catch (error) {
        for (const { reject } of batch.values()) reject(error)
      }
    }
    this.#queues.delete(key)
  }

  async #write(statement: string, batch: Map<string, Waiting>): Promise<Map<string, Kept>> {
    const rows = [...batch.values()].map(({ delivery }) => rowOf(delivery))
    const answer = await this.pool
      .raw<{ rows: KeptRow[] }>(statement, [JSON.stringify(rows)])
      .timeout(this.timeoutMs)
    return new Map(
      answer.rows.map(({ dedup_key, outcome, is_new, at }) => [
        dedup_key,
        { outcome, isNew: is_new, at },
      ]),
    )
  }
}

/**
 * Those of one connection that came first, by their keys. Of two with one key the second is a repeat of the first, and no
 * statement can write a row twice.
 */
function takeFrom(queue: Set<Waiting>): Map<string, Waiting> {
  const batch = new Map<string, Waiting>()
  let bytes = 0
  for (const waiting of queue) {
    const { dedup_key: key, body } = waiting.delivery
    if (batch.has(key)) continue
    bytes += body.length
    if (batch.size > 0 && bytes > BYTES_AT_ONCE) break
    batch.set(key, waiting)
    queue.delete(waiting)
  }
  return batch
}

const rowOf = (delivery: NewDelivery) => ({
  ...delivery,
  id: newId("svcdel"),
  body: delivery.body.toString("utf8"),
  bytes: delivery.body.length,
})
