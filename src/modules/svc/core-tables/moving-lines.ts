import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/**
 * Core deletes every line with a price of its own when a cart's region changes. Ours are marked before, so that they can be
 * restored, whatever becomes of the process: a line that is deleted and marked was deleted by core, not by the shopper.
 * A mark voids nothing: where the region is refused, the proof holds as before.
 *
 * Core's workflow has hooks, but a store has one handler for each, and that is the merchant's.
 */
export class MovingLines {
  constructor(private readonly knex: Knex) {}

  /**
   * To be called before core may change a cart's region. Records of lines that were deleted earlier, by the shopper, are
   * forgotten, or those lines would be restored too. Where the region stays, core deletes nothing and nothing is marked.
   *
   * @param regionId null: it stays
   * @returns whether a campaign prices any line of the cart
   */
  async mark(cartId: string, regionId: string | null): Promise<boolean> {
    const { rows } = await this.knex.raw<{ rows: { concerned: boolean }[] }>(
      `WITH moving AS (
         SELECT cart.id FROM cart
         WHERE cart.id = :cartId AND CAST(:regionId AS text) <> coalesce(cart.region_id, '')
       ), marked AS (
         UPDATE svc_line_price price SET moving_at = clock_timestamp()
         FROM moving JOIN cart_line_item item ON item.cart_id = :cartId AND item.deleted_at IS NULL
         WHERE price.cart_id = :cartId AND price.line_item_id = item.id AND price.deleted_at IS NULL
         RETURNING price.id
       ), forgotten AS (
         DELETE FROM svc_line_price price USING moving
         WHERE price.cart_id = :cartId AND price.deleted_at IS NULL AND price.moving_at IS NULL AND NOT EXISTS (
           SELECT 1 FROM cart_line_item item WHERE item.id = price.line_item_id AND item.deleted_at IS NULL)
         RETURNING price.id
       )
       SELECT EXISTS (SELECT 1 FROM svc_line_price price WHERE price.cart_id = :cartId AND price.deleted_at IS NULL)
         AS concerned`,
      { cartId, regionId },
    )
    return rows[0]?.concerned ?? false
  }

  /**
   * The same after the fact, where other code changed the region by core's own workflow, which asks nobody before. Core
   * writes the cart and then deletes the lines: what the shopper removed was deleted before that. A cart that was written
   * again since, or is back in its old region, is left alone: a line that the shopper removed must not come back.
   *
   * @returns whether there are lines to restore
   */
  async markDropped(cartId: string): Promise<boolean> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `UPDATE svc_line_price price SET moving_at = clock_timestamp(), is_open = true
       FROM cart, cart_line_item item
       WHERE cart.id = :cartId AND cart.completed_at IS NULL AND cart.deleted_at IS NULL
         AND price.cart_id = cart.id AND price.deleted_at IS NULL AND price.moving_at IS NULL
         AND price.region_id <> cart.region_id
         AND item.id = price.line_item_id AND item.deleted_at >= cart.updated_at
       RETURNING price.id`,
      { cartId },
    )
    return rows.length > 0
  }

  /** Takes the marks of lines back that are still there: core has left them alone, or they were restored. */
  async unmark(cartId: string): Promise<void> {
    await this.knex.raw(
      `UPDATE svc_line_price price SET moving_at = NULL
       FROM cart_line_item item
       WHERE price.cart_id = ? AND price.moving_at IS NOT NULL AND price.deleted_at IS NULL
         AND item.id = price.line_item_id AND item.deleted_at IS NULL`,
      [cartId],
    )
  }
}
