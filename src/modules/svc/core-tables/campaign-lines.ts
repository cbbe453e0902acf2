import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { CAMPAIGN_OVER } from "../cart/campaign-state"

/** A cart's line at a campaign's price, by our own record or, where that is missing, by the line's metadata. */
export type CampaignLine = {
  id: string
  variant_id: string | null
  product_id: string | null
  title: string
  quantity: number
  unit_price: number
  /** Currency of `unit_price`. */
  currency_code: string
  /** From our record of its price; null where a process died before it was written. */
  campaign_uid: string | null
  connection_id: string | null
  order_no: string | null
  /** From the line's metadata, which shoppers can write: only used where there is no record. */
  metadata_campaign_uid: string | null
  /** Its price has to be proven again. */
  due: boolean
  /** Core deleted it when the cart's region changed. */
  dropped: boolean
}

/**
 * Whether the cart of a row `price` is, or was about to be, in another region than the price was proven in. Rows from
 * before the region was recorded say nothing.
 */
const MOVED = "coalesce(price.region_id <> cart.region_id, false)"

/** Whether a payment session was opened for the row `cart` within the last ten minutes. */
const BEING_PAID = `EXISTS (
  SELECT 1 FROM cart_payment_collection link
  JOIN payment_session session ON session.payment_collection_id = link.payment_collection_id
  WHERE link.cart_id = cart.id AND link.deleted_at IS NULL
    AND session.deleted_at IS NULL AND session.created_at > now() - interval '10 minutes')`

/** Lines of carts that a campaign prices, read together with our record of each price. */
export class CampaignLines {
  constructor(private readonly knex: Knex) {}

  /**
   * The lines of a cart that a campaign prices, and those that core deleted because the cart's region changed. Due is a
   * line whose hold or campaign is over (gap 45a), whose cart has moved to another region, or whose proof is missing
   * because a process died between the line and its record.
   * Our record decides, not the line's metadata: a shopper can write that. Served by core's index on the line's cart and
   * our indexes on the line and the cart.
   */
  async ofCart(cartId: string): Promise<CampaignLine[]> {
    const columns = `line.id, line.variant_id, line.product_id, line.title, line.quantity, line.unit_price,
      coalesce(price.currency_code, cart.currency_code) AS currency_code,
      price.campaign_uid, price.connection_id, price.order_no`
    const { rows } = await this.knex.raw<{ rows: CampaignLine[] }>(
      `SELECT ${columns}, line.metadata->>'svc_campaign_uid' AS metadata_campaign_uid,
         price.id IS NULL OR price.expires_at <= now() OR ${MOVED} OR ${CAMPAIGN_OVER} AS due,
         false AS dropped
       FROM cart_line_item line
       JOIN cart ON cart.id = line.cart_id
       LEFT JOIN svc_line_price price ON price.line_item_id = line.id AND price.deleted_at IS NULL
       WHERE line.cart_id = ? AND line.deleted_at IS NULL AND line.is_custom_price
         AND (price.id IS NOT NULL OR jsonb_exists(line.metadata, 'svc_campaign_uid'))
       UNION ALL
       SELECT ${columns}, NULL, true, true
       FROM svc_line_price price
       JOIN cart ON cart.id = price.cart_id
       JOIN cart_line_item line ON line.id = price.line_item_id AND line.deleted_at IS NOT NULL
       WHERE price.cart_id = ? AND price.deleted_at IS NULL AND ${MOVED}`,
      [cartId, cartId],
    )
    return rows.map((row) => ({
      ...row,
      quantity: Number(row.quantity),
      unit_price: Number(row.unit_price),
    }))
  }

  /**
   * To be called before a cart's region changes. Core deletes custom-priced lines then: ours are marked first, so that
   * they can be restored, whatever region the cart ends in. Records of lines that the shopper deleted earlier are
   * forgotten, or those lines would be brought back too.
   *
   * @returns whether a campaign prices any line of the cart
   */
  async expectRegionChange(cartId: string): Promise<boolean> {
    return this.knex.transaction(async (trx) => {
      await trx.raw(
        `DELETE FROM svc_line_price price USING cart
         WHERE price.cart_id = ? AND cart.id = price.cart_id AND NOT ${MOVED} AND NOT EXISTS (
           SELECT 1 FROM cart_line_item line
           WHERE line.id = price.line_item_id AND line.deleted_at IS NULL)`,
        [cartId],
      )
      const marked = await trx("svc_line_price")
        .where({ cart_id: cartId })
        .whereNull("deleted_at")
        .update({ region_id: "" })
      return marked > 0
    })
  }

  /**
   * Open carts with a line whose campaign is over or that core deleted with the region, oldest first. A placed order's
   * cart keeps its rows: they are the proof of what was charged. A cart whose payment began a moment ago, at a price that
   * held then, is left alone: a new total would end a payment that the shopper is just making.
   */
  async cartsToReprice(limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { cart_id: string }[] }>(
      `SELECT price.cart_id FROM svc_line_price price
       JOIN cart ON cart.id = price.cart_id AND cart.completed_at IS NULL AND cart.deleted_at IS NULL
       JOIN cart_line_item line ON line.id = price.line_item_id AND line.is_custom_price
       WHERE price.deleted_at IS NULL
         AND (${MOVED} OR line.deleted_at IS NULL AND ${CAMPAIGN_OVER} AND NOT ${BEING_PAID})
       GROUP BY price.cart_id ORDER BY min(price.expires_at) LIMIT ?`,
      [limit],
    )
    return rows.map((row) => row.cart_id)
  }
}
