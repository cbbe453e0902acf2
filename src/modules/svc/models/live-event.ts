import { model } from "@medusajs/framework/utils"

/**
 * Projection of an event, one row per topic family with a watermark of its own (gap 6): an event that moved from
 * `live_event*` to `shoppable_event*` has two rows, and people see the later one that is not deleted.
 * `deleted_in_svc_at` is a tombstone: it outlives the inbox rows, so that a late update does not bring a deleted
 * event back.
 */
export const SvcLiveEvent = model
  .define("svc_live_event", {
    id: model.id({ prefix: "svcev" }).primaryKey(),
    connection_id: model.text(),
    event_id: model.text().searchable(),
    kind: model.enum(["live", "shoppable"]),
    campaign_uid: model.text(),
    name: model.text().searchable().default(""),
    /** `planned`, `live`, `vod`, `cancelled`, `processing`, `clip`, or a value that we do not know yet. */
    status: model.text().default("planned"),
    is_published: model.boolean().default(false),
    starts_at: model.dateTime().nullable(),
    live_started_at: model.dateTime().nullable(),
    live_ended_at: model.dateTime().nullable(),
    deadline: model.dateTime().nullable(),
    cover_url: model.text().nullable(),
    deleted_in_svc_at: model.dateTime().nullable(),
    /** Watermark: when the change happened, its rank within that millisecond, and the data's hash (gap 3). */
    occurred_at: model.dateTime(),
    rank: model.number(),
    hash: model.text(),
    /** Latest change that was not a deletion: tells which family the event is in now (gap 6). */
    alive_at: model.dateTime().nullable(),
    /** Set where two different changes carried one `occurredAt`: read again from the listing (gap 3). */
    needs_reread: model.boolean().default(false),
    data: model.json(),
  })
  .indexes([
    { on: ["connection_id", "event_id", "kind"], unique: true },
    { on: ["connection_id", "campaign_uid"] },
    { on: ["status"] },
  ])
