import type { InferTypeOf } from "@medusajs/framework/types"
import { model } from "@medusajs/framework/utils"

/**
 * The inbox: one row per event as gap 1 tells events apart, however often it was delivered. Written by the receiver
 * in one statement, applied afterwards from the row.
 *
 *   received -> applied      the record shows it
 *            -> stale        something later was known already
 *            -> duplicate    a re-send of what the record knows, with another `occurredAt` (gap 2)
 *            -> quarantined  it cannot be put in order, or belongs to no record; a re-send is judged again
 *            -> failed       the database refused it for a day; a re-send is judged again
 *   unknown, test            kept and shown, never applied
 *
 * A repeat under the same key is counted in `repeats` and changes nothing else.
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
    /** `{code, message, fix, params?}`: see `webhooks/reasons.ts`. */
    reason: model.json().nullable(),
    /** How many further deliveries of the same event were answered from this row. */
    repeats: model.number().default(0),
    attempts: model.number().default(0),
    next_attempt_at: model.dateTime().nullable(),
    /** The body exactly as it was received: its UTF-8 bytes are what was signed. */
    body: model.text(),
    /** What it told, once it was applied: of which record, and the hash of the state (`shows/projection-writer.ts`). */
    record: model.text().nullable(),
    state_hash: model.text().nullable(),
    /** SHA-256 of the body's bytes, in hex. */
    body_hash: model.text(),
    bytes: model.number(),
    /** Fingerprint of the key that verified it. */
    signed_by: model.text().nullable(),
    /** The headers that the interface names (§6.4), the signature among them: proof of who sent the body. */
    headers: model.json(),
  })
  .indexes([
    { on: ["connection_id", "dedup_key"], unique: true },
    { on: ["connection_id", "received_at"] },
    // What was told under one `eventUid` decides how a delivery is read (gap 2).
    {
      name: "IDX_svc_delivery_told",
      on: ["connection_id", "event_uid"],
      where: "record IS NOT NULL AND deleted_at IS NULL",
    },
    // Retention: the oldest first. A page of the list is found in the index alone.
    { on: ["received_at", "id"] },
    {
      name: "IDX_svc_delivery_due",
      on: ["connection_id", "received_at", "id"],
      where: "outcome = 'received' AND deleted_at IS NULL",
    },
    // Health counts what needs somebody, without reading the others.
    {
      name: "IDX_svc_delivery_problem",
      on: ["connection_id", "outcome"],
      where: "outcome IN ('quarantined', 'unknown', 'failed') AND deleted_at IS NULL",
    },
  ])

export type Delivery = InferTypeOf<typeof SvcDelivery>
