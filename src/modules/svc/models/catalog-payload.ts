import { model } from "@medusajs/framework/utils"

/**
 * The payload of a product as the service last accepted it: what is sent once more when the product goes (gap 25), and
 * what the feed shows. Apart from the item, because it is ten times as wide and changes far less often.
 */
export const SvcCatalogPayload = model
  .define("svc_catalog_payload", {
    /** The item's id. */
    id: model.id({ prefix: "svcprod" }).primaryKey(),
    connection_id: model.text(),
    payload: model.json(),
  })
  .indexes([{ on: ["connection_id"] }])
