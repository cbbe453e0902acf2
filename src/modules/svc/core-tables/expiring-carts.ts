import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { CampaignEvent, CampaignProduct } from "../cart/situation"
import { rawNumberSql } from "../shared/big-number"
import { eventsOfCampaigns } from "../shows/merged"
import {
  asProduct,
  EVENT,
  HAS_PAID,
  hasSession,
  IS_CANCELLED,
  isDropped,
  PRODUCT,
  type ProductRow,
  productsTold,
} from "./cart-situations"

/** What open carts have lines of. */
export type OpenOffer = {
  connectionId: string
  campaignUid: string
  productId: string
  variantId: string
  /** Its connection was deleted. */
  disconnected: boolean
}

/** SQL: the row `price` belongs to a payment that is just being made, or that was made. */
const IS_PAID_NOW = `(coalesce(price.held_until > now(), false) OR ${hasSession("price.cart_id", HAS_PAID)})`

const OPEN_SESSION = hasSession("cart.id", `session.status <> 'canceled' AND NOT ${IS_CANCELLED}`)

/** SQL: open carts (`cart`) that have a line at a show's price (`price`). */
const OPEN_CARTS = `svc_line_price price
  JOIN cart_line_item item ON item.id = price.line_item_id AND item.deleted_at IS NULL
  JOIN cart ON cart.id = price.cart_id AND cart.deleted_at IS NULL AND cart.completed_at IS NULL`

const CLOSABLE =
  "price.is_open AND price.deleted_at IS NULL AND price.moving_at IS NULL AND price.cart_id > :after"

/** Finds the carts of shows that are over; by the thousand, when a show ends. */
export class ExpiringCarts {
  constructor(private readonly knex: Knex) {}

  /** Every product of every campaign that an open cart has a line of. Served by our index on open proofs. */
  async openOffers(): Promise<OpenOffer[]> {
    const { rows } = await this.knex.raw<{ rows: OpenOffer[] }>(
      `SELECT DISTINCT price.connection_id AS "connectionId", price.campaign_uid AS "campaignUid",
         price.product_id AS "productId", price.variant_id AS "variantId", seller.id IS NULL AS disconnected
       FROM svc_line_price price
       LEFT JOIN svc_connection seller ON seller.id = price.connection_id AND seller.deleted_at IS NULL
       WHERE price.is_open AND price.deleted_at IS NULL`,
    )
    return rows
  }

  /** Open carts that have a line at a show's price. */
  async countOpen(): Promise<number> {
    const { rows } = await this.knex.raw<{ rows: { count: number }[] }>(
      `SELECT count(DISTINCT price.cart_id)::int AS count FROM ${OPEN_CARTS}
       WHERE price.is_open AND price.deleted_at IS NULL`,
    )
    return rows[0]?.count ?? 0
  }

  /** Those of them for which a payment was begun, with the payment's sessions. */
  async openWithPayments(limit: number): Promise<{ cartId: string; sessionIds: string[] }[]> {
    const { rows } = await this.knex.raw<{ rows: { cartId: string; sessionIds: string[] }[] }>(
      `SELECT price.cart_id AS "cartId", array_agg(DISTINCT session.id) AS "sessionIds" FROM ${OPEN_CARTS}
       JOIN cart_payment_collection link ON link.cart_id = cart.id AND link.deleted_at IS NULL
       JOIN payment_session session ON session.payment_collection_id = link.payment_collection_id
         AND session.deleted_at IS NULL AND session.status <> 'canceled' AND NOT ${IS_CANCELLED}
       WHERE price.is_open AND price.deleted_at IS NULL
       GROUP BY price.cart_id ORDER BY price.cart_id LIMIT :limit`,
      { limit },
    )
    return rows
  }

  /**
   * The payment sessions, one of each cart, that were paid with and that no order came of: Medusa has known for a day that
   * they were, whatever became of the price since. Or only the provider knows: the time of the cart's price has been over for
   * a day, and it is still held. Only the minute's job holds such a price, each time that the payment's provider calls the
   * payment made (`holdWhilePaid`); what a shopper does proves the price anew. A hold that has just run out counts too: the
   * job is about to ask again.
   */
  async paidWithoutOrder(): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { sessionId: string }[] }>(
      `SELECT DISTINCT ON (price.cart_id) session.id AS "sessionId" FROM ${OPEN_CARTS}
       JOIN cart_payment_collection link ON link.cart_id = cart.id AND link.deleted_at IS NULL
       JOIN payment_session session ON session.payment_collection_id = link.payment_collection_id
         AND session.deleted_at IS NULL AND NOT ${IS_CANCELLED}
       WHERE price.is_open AND price.deleted_at IS NULL AND (
         (${HAS_PAID} AND coalesce(session.authorized_at, session.created_at) < now() - interval '1 day')
         OR (price.expires_at < now() - interval '1 day' AND price.held_until > now() - interval '5 minutes'))
       ORDER BY price.cart_id, session.created_at DESC`,
    )
    return rows.map(({ sessionId }) => sessionId)
  }

  /** What is known of campaigns, wherever they are sold; read as for one cart (`CartSituations`). */
  async knownOf(
    campaignUids: string[],
  ): Promise<{ events: CampaignEvent[]; products: CampaignProduct[] }> {
    const { rows } = await this.knex.raw<{
      rows: [{ events: CampaignEvent[]; products: ProductRow[] }]
    }>(
      `WITH event AS (
         ${eventsOfCampaigns("told.campaign_uid = ANY(:campaignUids)")}
       ), told AS (
         ${productsTold("told.campaign_uid = ANY(:campaignUids)")}
       )
       SELECT coalesce((SELECT json_agg(${EVENT}) FROM event), CAST('[]' AS json)) AS events,
         coalesce((SELECT json_agg(${PRODUCT}) FROM told), CAST('[]' AS json)) AS products`,
      { campaignUids },
    )
    const [{ events, products }] = rows
    return { events, products: products.map(asProduct) }
  }

  /**
   * Open carts with a payment that was begun and a price whose time is over: what the shopper could still pay with it has to
   * be proven anew. A cart that is just being paid is left alone: a new total would end the payment.
   *
   * @param after id of the cart to go on after; the order is by id, so that one that cannot be locked holds up none
   */
  async cartsWithStalePayments(after: string, limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { cartId: string }[] }>(
      `SELECT DISTINCT price.cart_id AS "cartId" FROM ${OPEN_CARTS}
       WHERE price.is_open AND price.deleted_at IS NULL AND price.expires_at <= now() AND price.cart_id > :after
         AND NOT ${IS_PAID_NOW} AND ${OPEN_SESSION}
       ORDER BY "cartId" LIMIT :limit`,
      { after, limit },
    )
    return rows.map(({ cartId }) => cartId)
  }

  /**
   * Open carts with a line of one of these offers, or with lines that core deleted with the region and nobody restored; but
   * for those that are just being paid.
   *
   * @param after as in `cartsWithStalePayments`
   */
  async cartsOf(offers: OpenOffer[], after: string, limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { cartId: string }[] }>(
      `WITH offer AS (
         SELECT * FROM jsonb_to_recordset(CAST(:offers AS jsonb))
           AS offer ("connectionId" text, "campaignUid" text, "productId" text, "variantId" text)
       )
       SELECT price.cart_id AS "cartId" FROM ${OPEN_CARTS}
       JOIN offer ON offer."connectionId" = price.connection_id AND offer."campaignUid" = price.campaign_uid
         AND offer."productId" = price.product_id AND offer."variantId" = price.variant_id
       WHERE price.is_open AND price.deleted_at IS NULL AND price.cart_id > :after AND NOT ${IS_PAID_NOW}
       UNION
       SELECT price.cart_id FROM svc_line_price price
       JOIN cart_line_item item ON item.id = price.line_item_id AND ${isDropped("price")}
       JOIN cart ON cart.id = price.cart_id AND cart.deleted_at IS NULL AND cart.completed_at IS NULL
       WHERE price.is_open AND price.deleted_at IS NULL AND price.cart_id > :after
         AND price.moving_at < now() - interval '1 minute'
       ORDER BY "cartId" LIMIT :limit`,
      { offers: JSON.stringify(offers), after, limit },
    )
    return rows.map(({ cartId }) => cartId)
  }

  /**
   * Closes proofs that no order can need any more: of lines that were removed, by whatever code, but for those that core has
   * just deleted with the cart's region; of carts that were ordered or are gone. Core marks a cart as ordered before it
   * authorises the payment, and takes that back where it fails.
   *
   * A proof that somebody is writing is left for the next time: whoever waits for another's row while it holds several of
   * its own may wait for ever.
   *
   * @param after of carts behind this id
   */
  async closeGone(after = ""): Promise<void> {
    await this.knex.raw(
      `WITH line AS MATERIALIZED (
         SELECT id, cart_id FROM cart_line_item WHERE deleted_at IS NULL AND id = ANY(ARRAY(
           SELECT price.line_item_id FROM svc_line_price price WHERE ${CLOSABLE}))
       ), gone AS (
         SELECT price.id FROM svc_line_price price
         WHERE ${CLOSABLE} AND price.line_item_id NOT IN (
           -- "IS TRUE" keeps it from being joined.
           SELECT id FROM line WHERE (cart_id IN (
             SELECT id FROM cart WHERE id = ANY(ARRAY(SELECT DISTINCT cart_id FROM line)) AND deleted_at IS NULL
               AND (completed_at IS NULL OR completed_at > now() - interval '2 minutes'))) IS TRUE)
         FOR UPDATE OF price SKIP LOCKED
       )
       UPDATE svc_line_price SET is_open = false WHERE id = ANY(ARRAY(SELECT id FROM gone))`,
      { after },
    )
  }

  /** Which of these carts have a line of one of these connections. */
  async of(connectionIds: string[], cartIds: string[]): Promise<Set<string>> {
    if (connectionIds.length === 0) return new Set()
    const found = await this.knex("svc_line_price")
      .where({ is_open: true, deleted_at: null })
      .whereIn("connection_id", connectionIds)
      .whereIn("cart_id", cartIds)
      .pluck("cart_id")
    return new Set(found)
  }

  /**
   * Nobody looks any more at the prices of carts that have a line of this connection, and for which a payment was begun and
   * not made yet.
   *
   * @returns these carts
   */
  async closeBegun(connectionId: string): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { cart_id: string }[] }>(
      `UPDATE svc_line_price SET is_open = false WHERE id = ANY(ARRAY(
         SELECT price.id FROM ${OPEN_CARTS}
         WHERE price.connection_id = :connectionId AND price.is_open AND price.deleted_at IS NULL AND ${OPEN_SESSION}
           AND NOT ${hasSession("cart.id", HAS_PAID)}))
       RETURNING cart_id`,
      { connectionId },
    )
    return [...new Set(rows.map((row) => row.cart_id))]
  }

  /** Carts that were ordered, or that the plugin has nothing to do with any more: nobody looks at their prices. */
  async close(cartIds: string[]): Promise<void> {
    if (cartIds.length === 0) return
    await this.knex("svc_line_price")
      .whereIn("cart_id", cartIds)
      .whereNull("deleted_at")
      .update({ is_open: false })
  }

  /**
   * A payment of the cart was made, and its order is on its way. Its prices are held meanwhile,
   * so that nobody tries again each minute.
   */
  async holdWhilePaid(cartId: string, holdMs: number): Promise<void> {
    await this.knex.raw(
      `UPDATE svc_line_price price
       SET held_until = now() + :holdMs * interval '1 millisecond', held_quantity = item.quantity,
         raw_held_quantity = ${rawNumberSql("item.quantity")}
       FROM cart_line_item item
       WHERE item.cart_id = :cartId AND item.deleted_at IS NULL
         AND price.cart_id = :cartId AND price.deleted_at IS NULL AND price.line_item_id = item.id`,
      { cartId, holdMs },
    )
  }
}
