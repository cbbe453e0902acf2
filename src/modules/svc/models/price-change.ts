import { model } from "@medusajs/framework/utils"

/**
 * A cart's line that was priced again, limited or removed, kept until a shopper was told: the job may do it between the
 * page that they see and the order that they place. Completion answers with the change while it is untold (`told_at`).
 * A further change of the line takes a new id, so that nobody acknowledges what they have not seen.
 */
export const SvcPriceChange = model
  .define("svc_price_change", {
    id: model.id({ prefix: "svcpc" }).primaryKey(),
    cart_id: model.text(),
    line_item_id: model.text(),
    variant_id: model.text().nullable(),
    title: model.text(),
    old_unit_price: model.bigNumber(),
    old_is_tax_inclusive: model.boolean(),
    /** Of the old price; a cart that changed its region may have another now. */
    currency_code: model.text(),
    old_quantity: model.bigNumber().nullable(),
    /** A stable code of `cart/codes.ts`, with its parameters. */
    reason: model.text(),
    reason_params: model.json().nullable(),
    /** It cannot be sold any more, so the line was removed. */
    removed: model.boolean().default(false),
    /** Ids of the payment sessions that existed then: another one is a payment for the new total. */
    sessions_before: model.json().nullable(),
    /** When an answer carried it. */
    answered_at: model.dateTime().nullable(),
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
