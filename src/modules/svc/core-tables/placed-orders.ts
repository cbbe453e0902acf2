import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** Placed orders, found through the cart that each was made from. */
export class PlacedOrders {
  constructor(private readonly knex: Knex) {}

  /**
   * Ids of orders whose cart met the service and that no event told us about. Served by the index on `used_at`; carts
   * are looked at for 30 days.
   */
  async withoutAttribution(limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { order_id: string }[] }>(
      `SELECT DISTINCT link.order_id FROM svc_cart_order_number number
       JOIN order_cart link ON link.cart_id = number.cart_id AND link.deleted_at IS NULL
       WHERE number.order_id IS NULL AND number.deleted_at IS NULL
         AND number.used_at > now() - interval '30 days'
       LIMIT ?`,
      [limit],
    )
    return rows.map((row) => row.order_id)
  }
}
