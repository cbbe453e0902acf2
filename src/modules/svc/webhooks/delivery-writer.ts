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
 * Keeps a delivery whose key still holds. The unique key (gap 1) makes a repeat of one that is there already: it is
 * counted, and judged again where nothing came of the first. The lock on the connection waits for one that is just being
 * deleted (`forget`), whose inbox would else keep a delivery that nobody ever applies; ordinary changes do not wait for it.
 */
const STATEMENT = `
  INSERT INTO svc_delivery (id, connection_id, dedup_key, topic, event_uid, delivery_uid, occurred_at, received_at,
    outcome, reason, body, body_hash, bytes, headers, signed_by)
  SELECT :id, c.id, :dedupKey, :topic, :eventUid, :deliveryUid, :occurredAt::timestamptz, now(),
    :outcome, :reason::jsonb, :body, :bodyHash, :bytes::int, :headers::jsonb, :signedBy
  FROM svc_connection c JOIN svc_webhook w ON w.connection_id = c.id AND w.deleted_at IS NULL
  WHERE c.id = :connectionId AND c.deleted_at IS NULL AND c.page_uid = :pageUid
    AND w.id = :webhookId AND w.key_version = :version::int
    AND (:isCandidate::bool OR w.candidate_key IS NULL
      OR NOT coalesce(w.rotation = 'asked' AND w.rotating_until <= now(), false))
  FOR KEY SHARE OF c
  ON CONFLICT (connection_id, dedup_key) WHERE deleted_at IS NULL
  DO UPDATE SET
    repeats = svc_delivery.repeats + 1,
    received_at = CASE WHEN ${JUDGED_AGAIN} THEN EXCLUDED.received_at ELSE svc_delivery.received_at END,
    outcome = CASE WHEN ${JUDGED_AGAIN} THEN EXCLUDED.outcome ELSE svc_delivery.outcome END,
    reason = CASE WHEN ${JUDGED_AGAIN} THEN EXCLUDED.reason ELSE svc_delivery.reason END,
    attempts = CASE WHEN ${JUDGED_AGAIN} THEN 0 ELSE svc_delivery.attempts END,
    next_attempt_at = CASE WHEN ${JUDGED_AGAIN} THEN NULL ELSE svc_delivery.next_attempt_at END
  RETURNING outcome, (received_at = now()) AS is_new, now() AS at`

/**
 * Writes deliveries into the inbox, each with one statement. On a pool of its own, so that a burst of deliveries, or a
 * database that hangs on them, takes no connection from the shop.
 */
export class DeliveryWriter {
  constructor(
    private readonly pool: Knex,
    private readonly timeoutMs: number,
  ) {}

  /** @returns null where the keys changed since it was verified */
  async keep({ verifiedBy, body, ...delivery }: NewDelivery): Promise<Kept | null> {
    const { occurredAt, reason, headers } = delivery
    const { rows } = await this.pool
      .raw<{ rows: { outcome: Outcome; is_new: boolean; at: Date }[] }>(STATEMENT, {
        ...delivery,
        id: newId("svcdel"),
        occurredAt: occurredAt === null ? null : new Date(occurredAt).toISOString(),
        reason: reason && JSON.stringify(reason),
        headers: JSON.stringify(headers),
        body: body.toString("utf8"),
        bytes: body.length,
        pageUid: verifiedBy.pageUid,
        webhookId: verifiedBy.webhookId,
        version: verifiedBy.version,
        isCandidate: verifiedBy.isCandidate,
        signedBy: verifiedBy.fingerprint,
      })
      .timeout(this.timeoutMs)
    const [row] = rows
    return row ? { outcome: row.outcome, isNew: row.is_new, at: row.at } : null
  }
}
