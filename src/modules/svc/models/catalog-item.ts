import type { InferTypeOf } from "@medusajs/framework/types"
import { model } from "@medusajs/framework/utils"

/**
 * What the service shall know and does know of one product, per connection. The row is the truth: an event
 * only raises `wanted`, and the worker makes the service equal to the product (level-triggered).
 *
 * Dirty means `wanted > acknowledged`. The payload that the service accepted is in `svc_catalog_payload`.
 */
export const SvcCatalogItem = model
  .define("svc_catalog_item", {
    id: model.id({ prefix: "svcprod" }).primaryKey(),
    connection_id: model.text(),
    product_id: model.text().searchable(),
    /** The beginning of the product's title: a longer one would not fit into the index that sorts by it. */
    title: model.text().searchable().default(""),
    state: model.enum(["pending", "synced", "invalid", "failed", "removed"]).default("pending"),
    /** Generation that the store wants known, and the one that is settled. */
    wanted: model.number().default(1),
    acknowledged: model.number().default(0),
    /** Hash of the payload that the service acknowledged; an equal one is not sent again. */
    acknowledged_hash: model.text().nullable(),
    /** Address and page that acknowledged it. What another one had before is in its own payload. */
    acknowledged_target: model.text().nullable(),
    /** Who waits for it: 0 a person's edit, 1 a change of many products, 2 an import alone (`lanes.ts`). */
    lane: model.number().default(0),
    /** The import that asked for it, until it is settled. */
    import_id: model.text().nullable(),
    /** True when the payload is sent although the service already has an equal one ("send again"). */
    force: model.boolean().default(false),
    /** The store was read after this for what is settled, or will be: a change before it is in there. */
    read_at: model.dateTime().nullable(),
    /** Claims in a row that were not settled: calls that brought the product and failed, and processes that died. */
    attempts: model.number().default(0),
    next_attempt_at: model.dateTime().nullable(),
    lease_token: model.text().nullable(),
    lease_until: model.dateTime().nullable(),
    reason_code: model.text().nullable(),
    reason_message: model.text().nullable(),
    reason_fix: model.text().nullable(),
    reason_params: model.json().nullable(),
    last_pushed_at: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["connection_id", "product_id"], unique: true },
    { on: ["product_id"] },
    // Counts by state, and the list of one state.
    { on: ["connection_id", "state"] },
    {
      name: "IDX_svc_catalog_item_due",
      on: ["connection_id", "lane", "next_attempt_at"],
      where: "wanted > acknowledged AND deleted_at IS NULL",
    },
    {
      name: "IDX_svc_catalog_item_import",
      on: ["import_id"],
      where: "import_id IS NOT NULL AND deleted_at IS NULL",
    },
    // What the admin's list sorts by.
    { on: ["title", "id"] },
    { on: ["updated_at", "id"] },
    { on: ["last_pushed_at", "id"] },
    { on: ["state", "id"] },
  ])

export type CatalogItem = InferTypeOf<typeof SvcCatalogItem>
