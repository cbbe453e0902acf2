import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { CheckoutQuantities } from "./plan"

type OrderNumberRow = {
  id: string
  cart_id: string
  connection_id: string
  campaign_uid: string
  order_no: string
  used_at: Date
  order_id: string | null
  checkout_quantities: CheckoutQuantities | null
}

/** Rows of `svc_cart_order_number`: the order numbers that a cart met. */
export class OrderNumberRows {
  constructor(private readonly knex: Knex) {}

  /** Order numbers of a cart, the one that counts first. Served by the unique index on cart and number. */
  async ofCart(cartId: string): Promise<OrderNumberRow[]> {
    return this.knex<OrderNumberRow & { deleted_at: Date | null }>("svc_cart_order_number")
      .where({ cart_id: cartId })
      .whereNull("deleted_at")
      .orderBy("used_at", "desc")
  }

  /**
   * Records an order number as the cart's latest, which is the one that counts.
   *
   * @returns false when the cart's order was placed meanwhile: from then on its numbers are frozen
   */
  async record(input: {
    cartId: string
    connectionId: string
    campaignUid: string
    orderNo: string
  }): Promise<boolean> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `INSERT INTO svc_cart_order_number (id, cart_id, connection_id, campaign_uid, order_no, used_at)
       SELECT ?, ?, ?, ?, ?, clock_timestamp()
       WHERE NOT EXISTS (
         SELECT 1 FROM svc_cart_order_number WHERE cart_id = ? AND order_id IS NOT NULL)
       ON CONFLICT (cart_id, order_no) WHERE deleted_at IS NULL
       DO UPDATE SET used_at = EXCLUDED.used_at, updated_at = now()
         WHERE svc_cart_order_number.order_id IS NULL
       RETURNING id`,
      [
        generateEntityId(undefined, "svccno"),
        input.cartId,
        input.connectionId,
        input.campaignUid,
        input.orderNo,
        input.cartId,
      ],
    )
    return rows.length === 1
  }

  /** Records how many pieces a number's checkout put into the cart, for the next time its link is opened (gap 44). */
  async recordCheckoutQuantities(
    cartId: string,
    orderNo: string,
    quantities: CheckoutQuantities,
  ): Promise<void> {
    if (Object.keys(quantities).length === 0) return
    await this.knex("svc_cart_order_number")
      .where({ cart_id: cartId, order_no: orderNo })
      .whereNull("deleted_at")
      .whereNull("order_id")
      .update({
        checkout_quantities: this.knex.raw(
          "COALESCE(checkout_quantities, '{}'::jsonb) || ?::jsonb",
          [JSON.stringify(quantities)],
        ),
      })
  }
}
