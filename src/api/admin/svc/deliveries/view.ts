import type { Delivery } from "../../../../modules/svc"

/** A delivery as lists show it. */
export const deliveryView = (row: Delivery) => ({
  id: row.id,
  connection_id: row.connection_id,
  topic: row.topic,
  event_uid: row.event_uid,
  delivery_uid: row.delivery_uid,
  occurred_at: row.occurred_at,
  received_at: row.received_at,
  outcome: row.outcome,
  reason: row.reason,
  attempts: row.attempts,
  next_attempt_at: row.next_attempt_at,
  repeats: row.repeats,
})

/** A single delivery, with what it carried. */
export const deliveryDetail = (row: Delivery) => ({
  ...deliveryView(row),
  payload: row.payload,
  headers: row.headers,
})
