import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Reason } from "../shared/reason"
import { newId } from "../shared/ulid"
import type { InboxOutcome, Outcome } from "./inbox-rows"

/** A verified delivery as it is kept. Times are the service's, `null` where the body had none. */
export type NewDelivery = {
  connectionId: string
  /** What it was verified with: it is kept only while that still holds. */
  verifiedBy: {
    pageUid: string
    webhookId: string
    version: number
    isCandidate: boolean
    fingerprint: string | null
  }
  dedupKey: string
  topic: string
  eventUid: string | null
  deliveryUid: string | null
  occurredAt: number | null
  outcome: InboxOutcome
  reason: Reason | null
  /** As received, known to be UTF-8. */
  body: Buffer
  bodyHash: string
  headers: Record<string, string>
}

/** What became of a delivery that is in the inbox. `isNew`: for the first time, or judged again. `at`: the database's now. */
export type Kept = { outcome: Outcome; isNew: boolean; at: Date }

/** Where a repeat is judged again: nothing came of the first. */
const JUDGED_AGAIN = "svc_delivery.outcome IN ('quarantined', 'failed')"

/**
 * Keeps deliveries whose keys still hold. The unique key (gap 1) makes a repeat of one that is there already: it is
 * counted, and judged again where nothing came of the first. The lock on the connection waits for one that is just being
 * deleted (`forget`), whose inbox would else keep a delivery that nobody ever applies; ordinary changes do not wait for it.
 * All write in the same order, so that two processes wait for each other's repeats only one way round.
 */
const STATEMENT = `
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
  ON CONFLICT (connection_id, dedup_key) WHERE deleted_at IS NULL
  DO UPDATE SET
    repeats = svc_delivery.repeats + 1,
    received_at = CASE WHEN ${JUDGED_AGAIN} THEN EXCLUDED.received_at ELSE svc_delivery.received_at END,
    outcome = CASE WHEN ${JUDGED_AGAIN} THEN EXCLUDED.outcome ELSE svc_delivery.outcome END,
    reason = CASE WHEN ${JUDGED_AGAIN} THEN EXCLUDED.reason ELSE svc_delivery.reason END,
    attempts = CASE WHEN ${JUDGED_AGAIN} THEN 0 ELSE svc_delivery.attempts END,
    next_attempt_at = CASE WHEN ${JUDGED_AGAIN} THEN NULL ELSE svc_delivery.next_attempt_at END
  RETURNING connection_id, dedup_key, outcome, (received_at = now()) AS is_new, now() AS at`

type KeptRow = {
  connection_id: string
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
}

/**
 * Writes deliveries into the inbox, all that came while the last statement ran with the next one: a burst costs few
 * transactions, and a server that is busy with other requests needs few turns for many deliveries. On a pool of its own,
 * so that a burst, or a database that hangs on it, takes no connection from the shop.
 */
export class DeliveryWriter {
  readonly #waiting = new Set<Waiting>()
  #isWriting = false

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
      const waiting = { delivery, resolve, reject }
      this.#waiting.add(waiting)
      givenUp.addEventListener("abort", () => {
        if (this.#waiting.delete(waiting)) reject(givenUp.reason)
      })
      if (!this.#isWriting) void this.#writeAll()
    })
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.size > 0) {
      const batch = this.#take()
      try {
        const kept = await this.#write(batch)
        for (const [key, { resolve }] of batch) resolve(kept.get(key) ?? null)
      } catch (error) {
        for (const { reject } of batch.values()) reject(error)
      }
    }
    this.#isWriting = false
  }

  /** Those that came first. Of two with one key the second is a repeat of the first, and no statement can write a row twice. */
  #take(): Map<string, Waiting> {
    const batch = new Map<string, Waiting>()
    let bytes = 0
    for (const waiting of this.#waiting) {
      const { connectionId, dedupKey, body } = waiting.delivery
      const key = keyOf(connectionId, dedupKey)
      if (batch.has(key)) continue
      bytes += body.length
      if (batch.size > 0 && bytes > BYTES_AT_ONCE) break
      batch.set(key, waiting)
      this.#waiting.delete(waiting)
    }
    return batch
  }

  async #write(batch: Map<string, Waiting>): Promise<Map<string, Kept>> {
    const rows = [...batch.values()].map(({ delivery }) => rowOf(delivery))
    const answer = await this.pool
      .raw<{ rows: KeptRow[] }>(STATEMENT, [JSON.stringify(rows)])
      .timeout(this.timeoutMs)
    return new Map(
      answer.rows.map(({ connection_id, dedup_key, outcome, is_new, at }) => [
        keyOf(connection_id, dedup_key),
        { outcome, isNew: is_new, at },
      ]),
    )
  }
}

const keyOf = (connectionId: string, dedupKey: string): string => `${connectionId} ${dedupKey}`

const rowOf = (delivery: NewDelivery) => ({
  id: newId("svcdel"),
  connection_id: delivery.connectionId,
  page_uid: delivery.verifiedBy.pageUid,
  webhook_id: delivery.verifiedBy.webhookId,
  key_version: delivery.verifiedBy.version,
  is_candidate: delivery.verifiedBy.isCandidate,
  signed_by: delivery.verifiedBy.fingerprint,
  dedup_key: delivery.dedupKey,
  topic: delivery.topic,
  event_uid: delivery.eventUid,
  delivery_uid: delivery.deliveryUid,
  occurred_at: delivery.occurredAt === null ? null : new Date(delivery.occurredAt),
  outcome: delivery.outcome,
  reason: delivery.reason,
  body: delivery.body.toString("utf8"),
  body_hash: delivery.bodyHash,
  bytes: delivery.body.length,
  headers: delivery.headers,
})
