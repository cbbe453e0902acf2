import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** Rows of `svc_line_price`: the proof of each campaign price on a cart's line. `CartRecords` writes them. */
export class LinePriceRows {
  constructor(private readonly knex: Knex) {}

  /** Whether a campaign prices a line of the cart that was not ordered yet. */
  async hasOpen(cartId: string): Promise<boolean> {
    const row = await this.knex("svc_line_price")
      .where({ cart_id: cartId, is_open: true })
      .whereNull("deleted_at")
      .first("id")
    return row !== undefined
  }

  /**
   * The cart's order was placed: nothing is open any more, and lines whose price had ended by then are flagged.
   *
   * @param ended ids of those lines
   */
  async settle(cartId: string, ended: string[]): Promise<void> {
    await this.knex("svc_line_price")
      .where({ cart_id: cartId })
      .update({
        is_open: false,
        ended_before_order: this.knex.raw("line_item_id = ANY(?)", [ended]),
        updated_at: this.knex.fn.now(),
      })
  }

  /** Carts that became no order and are gone, or that the plugin has nothing to do with any more. */
  async close(cartIds: string[]): Promise<void> {
    if (cartIds.length === 0) return
    await this.knex("svc_line_price").whereIn("cart_id", cartIds).update({ is_open: false })
  }
}
