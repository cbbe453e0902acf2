import { model } from "@medusajs/framework/utils"

/**
 * A cart's line that was priced again, limited or removed, kept until a shopper was told: the job may do it between
 * the page that they see and the order that they place. Completion answers 409 while a row is untold (`told_at`).
 */
export const SvcPriceChange = model
  .define("svc_price_change", {
    id: model.id({ prefix: "svcpc" }).primaryKey(),
    cart_id: model.text(),
    line_item_id: model.text(),
    variant_id: model.text().nullable(),
    title: model.text(),
    old_unit_price: model.bigNumber(),
    /** Of the old price; a cart that changed its region may have another now. */
    currency_code: model.text(),
    old_quantity: model.bigNumber().nullable(),
    /** A stable code: `PriceChangeReason` in `cart/price-change-rows.ts`. */
    reason: model.text(),
    /** It cannot be sold any more, so the line was removed. */
    removed: model.boolean().default(false),
    told_at: model.dateTime().nullable(),
  })
  .indexes([
    {
      name: "IDX_svc_price_change_untold",
      on: ["cart_id", "line_item_id"],
      unique: true,
      where: "told_at IS NULL AND deleted_at IS NULL",
    },
  ])
