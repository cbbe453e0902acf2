import type { InferTypeOf } from "@medusajs/framework/types"
import { model } from "@medusajs/framework/utils"

/**
 * The inbox: one row per event as gap 1 tells events apart, however often it was delivered. Written by the receiver
 * in one statement, applied afterwards from the row.
 *
 * received -> applied | stale | quarantined | failed; unknown and test are final at once; a repeat is answered as
 * `duplicate` and counted in `repeats`, no row has that outcome.
 */
export const SvcDelivery = model
  .define("svc_delivery", {
    id: model.id({ prefix: "svcdel" }).primaryKey(),
    connection_id: model.text(),
    /** SHA-256 over page, topic, eventUid, occurredAt and canonical data: gap 1. */
    dedup_key: model.text(),
    topic: model.text().searchable(),
    event_uid: model.text().searchable().nullable(),
    delivery_uid: model.text().searchable().nullable(),
    occurred_at: model.dateTime().nullable(),
    received_at: model.dateTime(),
    outcome: model
      .enum([
        "received",
        "applied",
        "stale",
        "duplicate",
        "quarantined",
        "unknown",
        "test",
        "failed",
      ])
      .default("received"),
    reason: model.text().nullable(),
    /** How many further deliveries of the same event were answered from this row. */
    repeats: model.number().default(0),
    attempts: model.number().default(0),
    next_attempt_at: model.dateTime().nullable(),
    lease_token: model.text().nullable(),
    lease_until: model.dateTime().nullable(),
    payload: model.json(),
    headers: model.json(),
  })
  .indexes([
    { on: ["connection_id", "dedup_key"], unique: true },
    { on: ["connection_id", "received_at"] },
    {
      name: "IDX_svc_delivery_due",
      on: ["next_attempt_at"],
      where: "outcome = 'received' AND deleted_at IS NULL",
    },
  ])

export type Delivery = InferTypeOf<typeof SvcDelivery>
