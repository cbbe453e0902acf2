import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { CheckoutQuantities } from "./situation"

export type OrderNumberRow = {
  id: string
  cart_id: string
  connection_id: string
  campaign_uid: string
  order_no: string
  used_at: Date
  order_id: string | null
  checkout_quantities: CheckoutQuantities | null
}

/** Rows of `svc_cart_order_number`: the order numbers that a cart met. `CartRecords` writes them. */
export class OrderNumberRows {
  constructor(private readonly knex: Knex) {}

  /** Order numbers of a cart, the one that counts first. Served by the unique index, which begins with the cart. */
  async ofCart(cartId: string): Promise<OrderNumberRow[]> {
    return this.knex<OrderNumberRow & { deleted_at: Date | null }>("svc_cart_order_number")
      .where({ cart_id: cartId })
      .whereNull("deleted_at")
      .orderBy("used_at", "desc")
  }
}
