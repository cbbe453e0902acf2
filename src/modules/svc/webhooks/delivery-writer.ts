import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Reason } from "../shared/reason"
import { isStatementNameRefused, sqlState } from "../shared/sql-error"
import { newId } from "../shared/ulid"
import type { InboxOutcome, Outcome } from "./inbox-rows"
import { UnheardRows } from "./unheard-rows"

/** A verified delivery as it is kept. Times are the service's, `null` where the body had none. */
export type NewDelivery = {
  connectionId: string
  /** What it was verified with: it is kept only while that still holds. */
  verifiedBy: { pageUid: string; version: number; isCandidate: boolean; fingerprint: string | null }
  dedupKey: string
  topic: string
  eventUid: string | null
  deliveryUid: string | null
  occurredAt: number | null
  outcome: InboxOutcome
  reason: Reason | null
  /** As received, known to be UTF-8. The only copy while a delivery waits: a database that hangs makes many wait. */
  body: Buffer
  bodyHash: string
  headers: Record<string, string>
  /** Our clock less the service's, latency included (gap 7). */
  skewMs: number
}

/** What became of a delivery. */
export type Kept =
  /** It is in the inbox. `isNew`: for the first time, or judged again because the first was put aside. */
  | {
      kind: "kept"
      outcome: InboxOutcome | "applied" | "stale" | "duplicate" | "failed"
      isNew: boolean
    }
  /** The keys changed since it was verified. */
  | { kind: "keys_changed" }

/** Statements at a time; each takes all that waits. */
const WIDTH = 2
/**
 * A second statement begins when the first one takes longer than this: then it waits for something, such as a row that is
 * being applied. Sooner it would only share the work that one statement does at a smaller cost.
 */
const SECOND_AFTER_MS = 20
const MAX_ROWS = 500
const MAX_BYTES = 2 * 1024 * 1024
/** Postgres keeps the statement's plan under this name. Where a connection pooler is in the way, it goes on without. */
const STATEMENT_NAME = "svc_keep_deliveries"
/**
 * `last_delivery_at` is for people: one write a second, and no delivery waits for the row. One that is written by
 * somebody else just then is left out. Where it says that nothing came for a while it is written afterwards: it might
 * say so until the next delivery, and there may be none.
 */
const TOUCH_EVERY = "1 second"
const LONG_UNHEARD = "1 minute"
/** Deliveries signed with the old key may still arrive for this long after the new one was first seen (gap 12). */
const AFTER_ROTATION = "15 seconds"
const INT4 = 2_147_483_647

/** Where a repeat is judged again: nothing came of the first. */
const JUDGED_AGAIN = "svc_delivery.outcome IN ('quarantined', 'failed')"

type Waiting = {
  delivery: NewDelivery
  resolve: (kept: Kept) => void
  reject: (error: unknown) => void
}

/**
 * Writes deliveries into the inbox, those that wait in one statement (group commit): alone a delivery is one statement,
 * under load a statement keeps hundreds. On a pool of its own, so that a burst of deliveries, or a database that hangs
 * on them, takes no connection from the shop.
 */
export class DeliveryWriter {
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>()
  readonly #unheard: UnheardRows
  #running = 0
  #named = true
  /** Looks again: in this turn of the event loop others may come, or the running statement may take long. */
  #next: NodeJS.Immediate | null = null
  #second: NodeJS.Timeout | null = null

  constructor(
    private readonly pool: Knex,
    private readonly timeoutMs: number,
  ) {
    this.#unheard = new UnheardRows(pool, timeoutMs)
  }

  /** @param givenUp when nobody waits for it any more: a delivery that has not been sent to the database is let go */
  keep(delivery: NewDelivery, givenUp: AbortSignal): Promise<Kept> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { delivery, resolve, reject }
      this.#waiting.add(waiting)
      givenUp.addEventListener("abort", () => {
        this.#waiting.delete(waiting)
        reject(new Error("Nobody waits for it any more."))
      })
      this.#begin()
    })
  }

  #begin(): void {
    this.#next ??= setImmediate(() => {
      this.#next = null
      if (this.#running === 0) this.#start()
      else if (this.#running < WIDTH && this.#waiting.size > 0) {
        this.#second ??= setTimeout(() => {
          this.#second = null
          if (this.#running < WIDTH) this.#start()
        }, SECOND_AFTER_MS)
      }
    })
  }

  #start(): void {
    if (this.#waiting.size === 0) return
    this.#running += 1
    void this.#write(this.#take()).finally(() => {
      this.#running -= 1
      if (this.#waiting.size > 0) this.#begin()
    })
  }

  #take(): Waiting[] {
    const taken: Waiting[] = []
    let bytes = 0
    for (const waiting of this.#waiting) {
      bytes += waiting.delivery.body.length
      if (taken.length === MAX_ROWS || (taken.length > 0 && bytes > MAX_BYTES)) break
      taken.push(waiting)
    }
    for (const waiting of taken) this.#waiting.delete(waiting)
    return taken
  }

  async #write(batch: Waiting[]): Promise<void> {
    try {
      const kept = await this.#insert(batch.map(({ delivery }) => delivery))
      for (const { delivery, resolve } of batch) {
        resolve(kept.get(delivery) ?? { kind: "keys_changed" })
      }
    } catch (error) {
      if (batch.length > 1 && minds(error)) {
        // One that the database refuses must not be the end of the others.
        for (const waiting of batch) await this.#write([waiting])
      } else {
        for (const { reject } of batch) reject(error)
      }
    }
  }

  async #insert(deliveries: NewDelivery[]): Promise<Map<NewDelivery, Kept>> {
    // A statement cannot meet one key twice: copies of one delivery that came together are one row.
    const rows = new Map<string, { first: NewDelivery; repeats: number }>()
    for (const delivery of deliveries) {
      const row = rows.get(keyOf(delivery))
      if (row) row.repeats += 1
      else rows.set(keyOf(delivery), { first: delivery, repeats: 0 })
    }
    const given = [...rows.values()].map(({ first, repeats }) => rowOf(first, repeats))
    const found = await this.#run(JSON.stringify(given))

    for (const { unheard_id: webhookId, skew_ms: skewMs, kept_at: at } of found) {
      if (webhookId !== null && skewMs !== null) this.#unheard.add({ webhookId, skewMs, at })
    }

    const kept = new Map<NewDelivery, Kept>()
    const byKey = new Map(found.map((row) => [rowKey(row.connection_id, row.dedup_key), row]))
    for (const delivery of deliveries) {
      const row = byKey.get(keyOf(delivery))
      if (!row) continue
      const isFirst = rows.get(keyOf(delivery))?.first === delivery
      kept.set(delivery, { kind: "kept", outcome: row.outcome, isNew: row.is_new && isFirst })
    }
    return kept
  }

  async #run(given: string): Promise<FoundRow[]> {
    const statement = this.pool.raw<{ rows: FoundRow[] }>(STATEMENT, [given])
    if (this.#named) statement.options({ name: STATEMENT_NAME })
    try {
      const { rows } = await statement.timeout(this.timeoutMs)
      return rows
    } catch (error) {
      if (!this.#named || !isStatementNameRefused(error)) throw error
      this.#named = false
      return this.#run(given)
    }
  }
}

type FoundRow = {
  connection_id: string
  dedup_key: string
  outcome: Outcome
  is_new: boolean
  /** Its subscriber, where it said that nothing came for long and its row was taken by somebody. */
  unheard_id: string | null
  skew_ms: number | null
  kept_at: Date
}

const rowOf = (delivery: NewDelivery, repeats: number) => ({
  id: newId("svcdel"),
  connection_id: delivery.connectionId,
  page_uid: delivery.verifiedBy.pageUid,
  key_version: delivery.verifiedBy.version,
  is_candidate: delivery.verifiedBy.isCandidate,
  signed_by: delivery.verifiedBy.fingerprint,
  dedup_key: delivery.dedupKey,
  topic: delivery.topic,
  event_uid: delivery.eventUid,
  delivery_uid: delivery.deliveryUid,
  occurred_at: delivery.occurredAt === null ? null : new Date(delivery.occurredAt).toISOString(),
  outcome: delivery.outcome,
  reason: delivery.reason,
  repeats,
  body: delivery.body.toString("utf8"),
  body_hash: delivery.bodyHash,
  bytes: delivery.body.length,
  headers: delivery.headers,
  skew_ms: Math.max(-INT4, Math.min(INT4, Math.round(delivery.skewMs))),
})

const rowKey = (connectionId: string, dedupKey: string) => `${dedupKey} ${connectionId}`
const keyOf = (delivery: NewDelivery) => rowKey(delivery.connectionId, delivery.dedupKey)

/**
 * Whether the database refused what it was given (classes 22, 23 and 54), and not because it is unwell. In a batch that
 * is one delivery, and nobody knows which.
 */
const minds = (error: unknown): boolean => /^(22|23|54)/.test(sqlState(error) ?? "")

/**
 * Keeps deliveries whose keys still hold. The unique key (gap 1) makes a repeat of one that is there already: it is
 * counted, and judged again where nothing came of the first. Rows are inserted in one order, so that two statements
 * wait for each other but never in a circle. The same statement notes on the subscriber that it was heard from, and lets
 * a rotation end soon after its new key was first seen; it does so once all deliveries are kept (`count(*) FROM kept`),
 * because a connection that is disconnected locks its deliveries before its subscriber too.
 */
const STATEMENT = `
  WITH given AS (
    SELECT * FROM json_to_recordset(?::json) AS given (
      id text, connection_id text, page_uid text, key_version int, is_candidate bool, signed_by text,
      dedup_key text, topic text, event_uid text, delivery_uid text, occurred_at timestamptz,
      outcome text, reason jsonb, repeats int, body text, body_hash text, bytes int, headers jsonb, skew_ms int)
  ), allowed AS (
    SELECT given.*, w.id AS webhook_id,
      coalesce(w.last_delivery_at < now() - interval '${LONG_UNHEARD}', true) AS is_long_unheard
    FROM given
    JOIN svc_connection c
      ON c.id = given.connection_id AND c.deleted_at IS NULL AND c.page_uid = given.page_uid
    JOIN svc_webhook w
      ON w.connection_id = given.connection_id AND w.deleted_at IS NULL AND w.key_version = given.key_version
    WHERE given.is_candidate OR w.candidate_key IS NULL
      OR NOT coalesce(w.rotation = 'asked' AND w.rotating_until <= now(), false)
  ), kept AS (
    INSERT INTO svc_delivery (id, connection_id, dedup_key, topic, event_uid, delivery_uid, occurred_at, received_at,
      outcome, reason, repeats, body, body_hash, bytes, headers, signed_by)
    SELECT id, connection_id, dedup_key, topic, event_uid, delivery_uid, occurred_at, now(),
      outcome, reason, repeats, body, body_hash, bytes, headers, signed_by
    FROM allowed ORDER BY connection_id, dedup_key
    ON CONFLICT (connection_id, dedup_key) WHERE deleted_at IS NULL
    DO UPDATE SET
      repeats = svc_delivery.repeats + EXCLUDED.repeats + 1,
      received_at = CASE WHEN ${JUDGED_AGAIN} THEN EXCLUDED.received_at ELSE svc_delivery.received_at END,
      outcome = CASE WHEN ${JUDGED_AGAIN} THEN EXCLUDED.outcome ELSE svc_delivery.outcome END,
      reason = CASE WHEN ${JUDGED_AGAIN} THEN EXCLUDED.reason ELSE svc_delivery.reason END,
      attempts = CASE WHEN ${JUDGED_AGAIN} THEN 0 ELSE svc_delivery.attempts END,
      next_attempt_at = CASE WHEN ${JUDGED_AGAIN} THEN NULL ELSE svc_delivery.next_attempt_at END
    RETURNING connection_id, dedup_key, outcome, (received_at = now()) AS is_new
  ), heard AS (
    UPDATE svc_webhook SET last_delivery_at = now(), clock_skew_ms = told.skew_ms,
      rotating_until = CASE WHEN svc_webhook.rotation = 'answered'
        THEN least(svc_webhook.rotating_until, now() + interval '${AFTER_ROTATION}')
        ELSE svc_webhook.rotating_until END
    FROM (SELECT webhook_id, min(skew_ms) AS skew_ms FROM allowed GROUP BY webhook_id) told
    WHERE svc_webhook.id = told.webhook_id AND svc_webhook.id IN (
      SELECT id FROM svc_webhook w
      WHERE (SELECT count(*) FROM kept) > 0 AND w.id IN (SELECT webhook_id FROM allowed)
        AND (w.last_delivery_at IS NULL OR w.last_delivery_at < now() - interval '${TOUCH_EVERY}'
          OR (w.rotation = 'answered' AND w.rotating_until > now() + interval '${AFTER_ROTATION}'))
      FOR UPDATE SKIP LOCKED)
    RETURNING svc_webhook.id
  ), unheard AS (
    SELECT connection_id, webhook_id, min(skew_ms) AS skew_ms FROM allowed
    WHERE is_long_unheard AND webhook_id NOT IN (SELECT id FROM heard)
    GROUP BY connection_id, webhook_id
  )
  SELECT connection_id, dedup_key, outcome, is_new,
    unheard.webhook_id AS unheard_id, unheard.skew_ms, now() AS kept_at
  FROM kept LEFT JOIN unheard USING (connection_id)`
