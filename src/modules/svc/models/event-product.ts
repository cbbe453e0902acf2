import { model } from "@medusajs/framework/utils"

/**
 * Projection of a product in an event, named by `uid` and `campaignUid` (gap 4), one row per topic family.
 * It has no foreign key to the event: a product delivery may come first (gap 5).
 */
export const SvcEventProduct = model
  .define("svc_event_product", {
    id: model.id({ prefix: "svcevp" }).primaryKey(),
    connection_id: model.text(),
    uid: model.text(),
    campaign_uid: model.text(),
    kind: model.enum(["live", "shoppable"]),
    sku: model.text().nullable(),
    /** The shop's product id (interface §2.7). */
    external_id: model.text().nullable(),
    name: model.text().default(""),
    /** Campaign price in major units, as the delivery told it; the lookup wins over it (gap 37). */
    price: model.bigNumber().nullable(),
    suggested_retail_price: model.bigNumber().nullable(),
    available: model.boolean().default(true),
    min_purchase_qty: model.number().nullable(),
    max_qty_per_customer: model.number().nullable(),
    variants: model.json(),
    deleted_in_svc_at: model.dateTime().nullable(),
    occurred_at: model.dateTime(),
    rank: model.number(),
    hash: model.text(),
    /** As in `svc_live_event`. */
    emission: model.text().nullable(),
    asked: model.boolean().default(false),
    told_at: model.dateTime().nullable(),
    /** Latest change that was not a deletion: tells which family the product is in now (gap 6). */
    alive_at: model.dateTime().nullable(),
    /** Nobody knows from the deliveries alone whether it is right: a price lookup settles it, as no listing has it. */
    needs_reread: model.boolean().default(false),
    /** Its price is to be looked up, because deliveries may have been missed or contradict each other. */
    needs_lookup: model.boolean().default(false),
    /** Of the rows that the topic families have of one record, it is the one that people see (gap 6, `shownRow`). */
    shown: model.boolean().default(true),
    /** When a delivery last told of it, whether that changed anything or not. */
    heard_at: model.dateTime().nullable(),
    data: model.json(),
  })
  .indexes([
    { on: ["connection_id", "campaign_uid", "uid", "kind"], unique: true },
    { on: ["connection_id", "external_id"] },
    {
      name: "IDX_svc_event_product_doubtful",
      on: ["connection_id"],
      where: "needs_reread AND deleted_at IS NULL",
    },
    {
      name: "IDX_svc_event_product_lookup",
      on: ["connection_id"],
      where: "needs_lookup AND deleted_at IS NULL",
    },
  ])
