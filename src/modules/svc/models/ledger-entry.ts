import { model } from "@medusajs/framework/utils"

/**
 * An entry of the ledger: what one change of an order did to one of its lines. Made from Medusa's rows (`orders/entries.ts`)
 * and made again whenever those change; nothing else is summed where revenue is shown.
 */
export const SvcLedgerEntry = model
  .define("svc_ledger_entry", {
    id: model.id({ prefix: "svcled" }).primaryKey(),
    order_id: model.text(),
    /** The order's version or cancellation that it comes from, and what it changed. */
    source: model.text(),
    kind: model.text(),
    /** Id of Medusa's order line; null for shipping and for what concerns the whole order. */
    line_item_id: model.text().nullable(),
    variant_id: model.text().nullable(),
    product_id: model.text().nullable(),
    /** The show that sold the line; null for what no show sold. */
    connection_id: model.text().nullable(),
    campaign_uid: model.text().nullable(),
    quantity: model.bigNumber(),
    /** Major units with tax, after discounts; negative for what was taken back. */
    amount: model.bigNumber(),
    /** The tax in `amount`. */
    tax: model.bigNumber(),
    /** What discounts took off, with tax. */
    discount: model.bigNumber(),
    currency_code: model.text(),
    occurred_at: model.dateTime(),
    /** False for an order that is not among the results: it is cancelled or unpaid, or a rule leaves it out. */
    counted: model.boolean().default(true),
  })
  .indexes([
    { on: ["order_id", "source"], unique: true },
    { on: ["campaign_uid", "occurred_at"] },
    { on: ["occurred_at", "id"] },
  ])
