import type { InferTypeOf } from "@medusajs/framework/types"
import { model } from "@medusajs/framework/utils"

/**
 * What the service shall know and does know of one product, per connection. The row is the truth: an event
 * only raises `wanted`, and the worker makes the service equal to the product (level-triggered).
 *
 * Dirty means `wanted > acknowledged`. Rows with `live` are sent before those that a full import marked (the word has
 * nothing to do with live shows).
 */
export const SvcCatalogItem = model
  .define("svc_catalog_item", {
    id: model.id({ prefix: "svcprod" }).primaryKey(),
    connection_id: model.text(),
    product_id: model.text().searchable(),
    title: model.text().searchable().default(""),
    state: model.enum(["pending", "synced", "invalid", "failed", "removed"]).default("pending"),
    /** Generation that the store wants known, and the one that the service acknowledged. */
    wanted: model.number().default(1),
    acknowledged: model.number().default(0),
    /** SHA-256 of the payload that the service acknowledged; an equal one is not sent again. */
    acknowledged_hash: model.text().nullable(),
    /** Priority: true where a person or a change in the store asked, false in a full import. */
    live: model.boolean().default(true),
    /** True when the payload is sent although the service already has an equal one ("send again"). */
    force: model.boolean().default(false),
    attempts: model.number().default(0),
    next_attempt_at: model.dateTime().nullable(),
    /** First failure of the current streak: the dead letter comes 24 h after it. */
    failing_since: model.dateTime().nullable(),
    lease_token: model.text().nullable(),
    lease_until: model.dateTime().nullable(),
    reason_code: model.text().nullable(),
    reason_message: model.text().nullable(),
    reason_fix: model.text().nullable(),
    last_pushed_at: model.dateTime().nullable(),
    /** The payload as it was last accepted; base of the removal notice (gap 25). */
    last_payload: model.json().nullable(),
  })
  .indexes([
    { on: ["connection_id", "product_id"], unique: true },
    { on: ["product_id"] },
    { on: ["connection_id", "state"] },
    {
      name: "IDX_svc_catalog_item_due",
      on: ["connection_id", "live", "next_attempt_at"],
      where: "wanted > acknowledged AND deleted_at IS NULL",
    },
  ])

export type CatalogItem = InferTypeOf<typeof SvcCatalogItem>
