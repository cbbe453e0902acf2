import { type Delivery, type ListedDelivery, readReason } from "../../../../modules/svc"
import { readPayload, type Topic } from "../../../../workflows/webhooks"

/** What the service tells of; whatever else comes is kept as unknown. */
export type DeliveryTopic = Topic

/** A delivery as lists show it. */
export const deliveryView = (row: ListedDelivery) => ({
  id: row.id,
  connection_id: row.connection_id,
  topic: row.topic,
  event_uid: row.event_uid,
  delivery_uid: row.delivery_uid,
  occurred_at: row.occurred_at,
  received_at: row.received_at,
  outcome: row.outcome,
  reason: readReason(row.reason),
  attempts: row.attempts,
  next_attempt_at: row.next_attempt_at,
  repeats: row.repeats,
  bytes: row.bytes,
})

/** A single delivery, with what it carried and what proves who sent it. */
export const deliveryDetail = (row: Delivery) => ({
  ...deliveryView(row),
  payload: readPayload(row.body),
  headers: row.headers,
  /** The body as it was received: its bytes in UTF-8 are what was signed. */
  body: row.body,
  body_sha256: row.body_hash,
  /** Fingerprint of the key that verified it. */
  signed_by: row.signed_by,
})
