import { model } from "@medusajs/framework/utils"

/**
 * A line of an order that was sold at a show's price, and the proof of that price as it was when the order was placed.
 * Written once: edits, returns and exchanges change what the line earned (the ledger), not where it came from.
 */
export const SvcShowOrderLine = model
  .define("svc_show_order_line", {
    id: model.id({ prefix: "svcol" }).primaryKey(),
    order_id: model.text(),
    /** Id of Medusa's order line. */
    line_item_id: model.text(),
    connection_id: model.text(),
    campaign_uid: model.text(),
    svc_order_no: model.text(),
    product_id: model.text().nullable(),
    variant_id: model.text().nullable(),
    /** What was charged for a piece, and what was proven; major units. */
    unit_price: model.bigNumber(),
    proven_price: model.bigNumber(),
    is_tax_inclusive: model.boolean(),
    /** When the service said so, and until when it held. */
    fetched_at: model.dateTime(),
    expires_at: model.dateTime(),
  })
  .indexes([{ on: ["line_item_id"], unique: true }, { on: ["order_id"] }])
