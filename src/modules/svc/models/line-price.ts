import { model } from "@medusajs/framework/utils"

/**
 * Proof of the campaign price on a cart's line: where the number came from, and until when it holds. A line that carries
 * `svc_campaign_uid` in its metadata and has no row here was not priced by us, or a process died before it wrote the row.
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
    /** `webhook`: the lookup failed, and the merchant sells at what a delivery told a moment ago (gap 36). */
    source: model.enum(["lookup", "webhook"]).default("lookup"),
    /** What the service answered, as it was read: the price before it was rounded, the discount, VAT and currency. */
    answer: model.json().nullable(),
    fetched_at: model.dateTime(),
    expires_at: model.dateTime(),
    /** A payment that has begun holds the price until then, for so many pieces (gap 45a). */
    held_until: model.dateTime().nullable(),
    held_quantity: model.bigNumber().nullable(),
    /** Set before core changes the cart's region: a line that it then deletes is restored. */
    moving_at: model.dateTime().nullable(),
    /** The cart may still be ordered, so the minute's job looks at it. */
    is_open: model.boolean().default(true),
  })
  .indexes([
    { on: ["line_item_id"], unique: true },
    { on: ["cart_id"] },
    {
      name: "IDX_svc_line_price_open",
      on: ["connection_id", "campaign_uid"],
      where: "is_open AND deleted_at IS NULL",
    },
    {
      name: "IDX_svc_line_price_open_expires_at",
      on: ["expires_at"],
      where: "is_open AND deleted_at IS NULL",
    },
  ])
