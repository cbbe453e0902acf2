import { model } from "@medusajs/framework/utils"

/**
 * Order numbers that a cart met, one row each: the history, and by the latest `used_at` the number that
 * counts. Authoritative, because anyone who holds the publishable key can write `cart.metadata`.
 * `order_id` is set when the order is placed; from then on the cart's rows are frozen.
 */
export const SvcCartOrderNumber = model
  .define("svc_cart_order_number", {
    id: model.id({ prefix: "svccno" }).primaryKey(),
    cart_id: model.text(),
    connection_id: model.text(),
    /** The page that the connection had when the cart met the number (`pageOf`). */
    page: model.text(),
    campaign_uid: model.text(),
    order_no: model.text(),
    used_at: model.dateTime(),
    order_id: model.text().nullable(),
    /** Pieces by variant that its checkout put into the cart, so that its link, opened again, changes nothing (gap 44). */
    checkout_quantities: model.json().nullable(),
  })
  .indexes([
    { on: ["order_id"], where: "order_id IS NOT NULL" },
    // The service may use one number for two campaigns of a basket; each has its own revenue.
    {
      name: "IDX_svc_cart_order_number_once",
      on: ["cart_id", "order_no", "connection_id", "campaign_uid"],
      unique: true,
    },
    { on: ["connection_id", "page", "order_no"] },
    { on: ["campaign_uid"] },
    { on: ["used_at"] },
  ])
