import { model } from "@medusajs/framework/utils"

/**
 * How many carts met a campaign within a quarter of an hour and are forgotten since (`MetCarts`): the conversion of a show
 * is counted from the rows of its carts, and those are not kept for ever.
 */
export const SvcForgottenCarts = model
  .define("svc_forgotten_carts", {
    id: model.id({ prefix: "svcfor" }).primaryKey(),
    connection_id: model.text(),
    campaign_uid: model.text(),
    currency_code: model.text(),
    met_at: model.dateTime(),
    carts: model.number(),
  })
  .indexes([{ on: ["campaign_uid", "connection_id", "currency_code", "met_at"], unique: true }])
