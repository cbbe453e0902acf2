import { model } from "@medusajs/framework/utils"

/**
 * The payload of a product as one page at one address last accepted it: what is sent once more when the product goes
 * (gap 25), and what the feed shows. Apart from the item, because it is ten times as wide and changes far less often; a
 * connection that moves and comes back finds what its page had.
 */
export const SvcCatalogPayload = model
  .define("svc_catalog_payload", {
    id: model.id({ prefix: "svcpay" }).primaryKey(),
    item_id: model.text(),
    connection_id: model.text(),
    /** Who accepted it (`catalog/target.ts`). */
    target: model.text(),
    payload: model.json(),
  })
  .indexes([{ on: ["item_id", "target"], unique: true }, { on: ["connection_id"] }])
