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
    /** What the record shows: when the change happened, its rank within that millisecond, and the data's hash (gap 3). */
    occurred_at: model.dateTime(),
    rank: model.number(),
    hash: model.text(),
    /** `metadata.eventUid` of the delivery that told it, null where a listing or a price lookup did (`merge.ts`). */
    emission: model.text().nullable(),
    /** A listing or a price lookup showed it, so nobody knows since when it is so. */
    asked: model.boolean().default(false),
    /** The latest that a delivery told of it, in its time or not. */
    told_at: model.dateTime().nullable(),
    /** Latest change that was not a deletion: tells which family the event is in now (gap 6). */
    alive_at: model.dateTime().nullable(),
    /** Nobody knows from the deliveries alone whether it is right (gaps 2 and 3): it is read again from the listing. */
    needs_reread: model.boolean().default(false),
    /** Of the rows that the topic families have of one record, it is the one that people see (gap 6, `shownRow`). */
    shown: model.boolean().default(true),
    /** When a delivery last told of it, whether that changed anything or not. */
    heard_at: model.dateTime().nullable(),
    /** `{state, since}`: what a listing said against it, to be seen again before it is believed (gap 20). */
    doubt: model.json().nullable(),
    /** When a complete listing first lacked it; null while listings show it. */
    unlisted_at: model.dateTime().nullable(),
    /**
     * When that was believed. It is not shown any more, but a listing's silence ends no price: a delivery or a price
     * lookup does (gap 20).
     */
    absent_at: model.dateTime().nullable(),
    /** In which currency the service last answered for a price of it (gap 35), lower case ISO 4217; null where it named none. */
    price_currency: model.text().nullable(),
    /** Whether that answer's price included VAT (gap 34); null where it did not say. */
    price_includes_vat: model.boolean().nullable(),
    data: model.json(),
  })
  .indexes([
    { on: ["connection_id", "event_id", "kind"], unique: true },
    { on: ["connection_id", "campaign_uid"] },
    { on: ["status"] },
  ])
