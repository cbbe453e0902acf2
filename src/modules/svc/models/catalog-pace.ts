import { model } from "@medusajs/framework/utils"

/**
 * How `POST /products` of one connection is paced, for all processes together: how often, and how many products at once.
 */
export const SvcCatalogPace = model
  .define("svc_catalog_pace", {
    id: model.id({ prefix: "svcpace" }).primaryKey(),
    connection_id: model.text(),
    /** Calls a second now: halved when the service says that it is too many, then slowly raised again. */
    calls_per_second: model.float(),
    /** Products in a call now (gap 22). */
    batch_size: model.number(),
    /** The next call may begin. */
    next_call_at: model.dateTime(),
  })
  .indexes([{ on: ["connection_id"], unique: true }])
