import { model } from "@medusajs/framework/utils"

/**
 * The proof of a campaign price on a cart's line: which lookup it came from, and until when it holds.
 * A line that carries `svc_campaign_uid` in its metadata and has no row here was not priced by us.
 */
export const SvcLinePrice = model
  .define("svc_line_price", {
    id: model.id({ prefix: "svclp" }).primaryKey(),
    line_item_id: model.text(),
    cart_id: model.text(),
    connection_id: model.text(),
    campaign_uid: model.text(),
    order_no: model.text(),
    product_id: model.text(),
    variant_id: model.text(),
    /** Region of the cart when the price was proven. Core deletes such a line when the region changes. */
    region_id: model.text().nullable(),
    /** Unit price in major units of `currency_code`. */
    amount: model.bigNumber(),
    currency_code: model.text(),
    is_tax_inclusive: model.boolean(),
    fetched_at: model.dateTime(),
    expires_at: model.dateTime(),
  })
  .indexes([{ on: ["line_item_id"], unique: true }, { on: ["cart_id"] }, { on: ["expires_at"] }])
