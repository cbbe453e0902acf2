import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { SELLS } from "../cart/campaign-state"
import { eventsOfCampaigns } from "../shows/merged"

/** SQL: the cart of the row `number` met the service last before `:before`, and was never ordered. */
const IS_OLD = `number.deleted_at IS NULL AND number.used_at < :before
  AND NOT EXISTS (
    SELECT 1 FROM svc_cart_order_number later
    WHERE later.cart_id = number.cart_id AND later.deleted_at IS NULL
      AND (later.used_at >= :before OR later.order_id IS NOT NULL))
  AND NOT EXISTS (
    SELECT 1 FROM order_cart link
    WHERE link.cart_id = number.cart_id AND link.deleted_at IS NULL)`

/** SQL: the cart of the row `number` has a line at a price that we proved. */
const AT_SHOW_PRICE = `EXISTS (
  SELECT 1 FROM svc_line_price price
  JOIN cart_line_item item ON item.id = price.line_item_id AND item.is_custom_price AND item.deleted_at IS NULL
  JOIN cart ON cart.id = price.cart_id AND cart.completed_at IS NULL AND cart.deleted_at IS NULL
  WHERE price.cart_id = number.cart_id AND price.deleted_at IS NULL)`

/** SQL: the show of the row `price` is over. One of which nobody told is not. */
const IS_OVER = `EXISTS (
  SELECT 1 FROM (${eventsOfCampaigns(
    "told.connection_id = price.connection_id AND told.campaign_uid = price.campaign_uid",
  )}) event
  WHERE NOT ${SELLS})`

/**
 * SQL: an order of the cart of the row `number` counts for the maximum per customer of a show that still sells (gap 45). A
 * shoppable without a deadline sells for years.
 */
const COUNTS_FOR_MAXIMUM = `EXISTS (
  SELECT 1 FROM svc_line_price price
  JOIN svc_event_product told
    ON told.connection_id = price.connection_id AND told.campaign_uid = price.campaign_uid
    AND told.external_id = price.product_id AND told.max_qty_per_customer IS NOT NULL
    AND told.deleted_in_svc_at IS NULL AND told.deleted_at IS NULL
  WHERE price.cart_id = number.cart_id AND price.deleted_at IS NULL AND NOT ${IS_OVER})`

/** Carts that campaigns met: what is forgotten of them, and how many they were (`svc_forgotten_carts`). */
export class MetCarts {
  constructor(private readonly knex: Knex) {}

  /**
   * Carts that would be forgotten (`prune`) but still have a line at a show's price: it has to go back to the catalog price
   * first, or nobody would know any more that the price was only the show's.
   *
   * @param after id of the cart to go on after
   */
  async abandoned(before: Date, after: string, limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { cart_id: string }[] }>(
      `SELECT DISTINCT number.cart_id FROM svc_cart_order_number number
       WHERE ${IS_OLD} AND ${AT_SHOW_PRICE} AND number.cart_id > :after
       ORDER BY number.cart_id LIMIT :limit`,
      { before, after, limit },
    )
    return rows.map((row) => row.cart_id)
  }

  /**
   * Forgets order numbers, price proofs and price changes of carts that met the service last before a moment and were never
   * ordered; a batch of carts. A cart that an order was made from keeps its rows: they are the proof of what was charged.
   * So does one that has a line at a show's price.
   *
   * @returns as `#forget`
   */
  async prune(before: Date, limit: number): Promise<number> {
    return this.#forget(`${IS_OLD} AND NOT ${AT_SHOW_PRICE}`, before, limit)
  }

  /**
   * Forgets the same of carts that became an order before a moment, where nothing of the order is waiting: it was
   * reported or needs no report, and its ledger is made. What was sold at which proven price stays with the order
   * (`svc_show_order_line`), and the ledger is made from Medusa's rows alone. What counts for a maximum per customer stays as
   * long as its show sells. A batch of carts.
   *
   * @returns as `#forget`
   */
  async pruneOrdered(before: Date, limit: number): Promise<number> {
    return this.#forget(
      `number.used_at < :before AND number.deleted_at IS NULL
       AND EXISTS (
         SELECT 1 FROM svc_show_order sale WHERE sale.cart_id = number.cart_id AND ${IS_SETTLED})
       AND NOT EXISTS (
         SELECT 1 FROM svc_cart_order_number later
         WHERE later.cart_id = number.cart_id AND later.deleted_at IS NULL AND later.used_at >= :before)
       AND NOT EXISTS (
         SELECT 1 FROM order_cart link
         WHERE link.cart_id = number.cart_id AND link.deleted_at IS NULL AND NOT EXISTS (
           SELECT 1 FROM svc_show_order sale WHERE sale.order_id = link.order_id AND ${IS_SETTLED}))
       AND NOT ${COUNTS_FOR_MAXIMUM}`,
      before,
      limit,
    )
  }

  /**
   * Chooses and deletes in one statement, so that only what was there when the carts were chosen is deleted: an order that was
   * placed by then keeps its cart's numbers, and what is written later stays. A cart one of whose numbers somebody is
   * writing is left for the next time. A proof or a change that somebody writes meanwhile is known by its new `updated_at`.
   *
   * Accepted: an order that is placed while the statement runs is not seen, because Medusa's row that links it to its cart
   * (`order_cart`) locks none of ours. Its cart's numbers go, and it is not reported. That takes a cart which met the service
   * last weeks ago, has no line at a show's price any more and is ordered in these milliseconds.
   *
   * @param which SQL: the rows `number` of carts that are forgotten, those before `:before`
   * @returns how many carts were chosen; 0 where none of them could be forgotten
   */
  async #forget(which: string, before: Date, limit: number): Promise<number> {
    const { rows } = await this.knex.raw<{ rows: [{ chosen: number; forgotten: number }] }>(
      `WITH chosen AS MATERIALIZED (
         SELECT number.cart_id FROM svc_cart_order_number number
         WHERE ${which}
         GROUP BY number.cart_id LIMIT :limit
       ), seen AS MATERIALIZED (
         SELECT number.id, number.cart_id, number.updated_at
         FROM svc_cart_order_number number JOIN chosen ON chosen.cart_id = number.cart_id
         WHERE number.deleted_at IS NULL
       ), free AS MATERIALIZED (
         SELECT number.id FROM svc_cart_order_number number
         JOIN seen ON seen.id = number.id AND seen.updated_at = number.updated_at
         FOR UPDATE OF number SKIP LOCKED
       ), old AS MATERIALIZED (
         SELECT seen.cart_id FROM seen LEFT JOIN free ON free.id = seen.id
         GROUP BY seen.cart_id HAVING bool_and(free.id IS NOT NULL)
       ), numbers AS (
         DELETE FROM svc_cart_order_number number USING seen JOIN old ON old.cart_id = seen.cart_id
         WHERE number.id = seen.id
         RETURNING number.cart_id, number.connection_id, number.campaign_uid, number.created_at
       ), met AS (
         SELECT cart_id, connection_id, campaign_uid, min(created_at) AS met_at FROM numbers GROUP BY 1, 2, 3
       ), counted AS (
         INSERT INTO svc_forgotten_carts (id, connection_id, campaign_uid, currency_code, met_at, carts)
         SELECT 'svcfor_' || gen_random_uuid(), met.connection_id, met.campaign_uid, cart.currency_code,
           date_bin('15 minutes', met.met_at, TIMESTAMPTZ 'epoch'), count(*)
         FROM met JOIN cart ON cart.id = met.cart_id
         GROUP BY 2, 3, 4, 5
         ORDER BY 2, 3, 4, 5
         ON CONFLICT (campaign_uid, connection_id, currency_code, met_at) WHERE deleted_at IS NULL
         DO UPDATE SET carts = svc_forgotten_carts.carts + EXCLUDED.carts
       ), proofs AS (${forgetUnchanged("svc_line_price")}
       ), changes AS (${forgetUnchanged("svc_price_change")}
       )
       SELECT (SELECT count(*) FROM chosen)::int AS chosen, (SELECT count(*) FROM old)::int AS forgotten`,
      { before, limit },
    )
    const [{ chosen, forgotten }] = rows
    return forgotten === 0 ? 0 : chosen
  }
}

/** SQL: deletes the rows of `old` carts that nobody has written since the statement began. */
const forgetUnchanged = (table: "svc_line_price" | "svc_price_change"): string =>
  `DELETE FROM ${table} kept USING ${table} seen JOIN old ON old.cart_id = seen.cart_id
   WHERE kept.id = seen.id AND kept.updated_at = seen.updated_at AND seen.deleted_at IS NULL`

/** SQL: nothing is left to do for the order of the row `sale`, which was placed before `:before`. */
const IS_SETTLED = `sale.placed_at < :before AND NOT sale.dirty AND sale.deleted_at IS NULL
  AND NOT EXISTS (
    SELECT 1 FROM svc_attribution report
    WHERE report.order_id = sale.order_id AND report.state = 'waiting' AND report.deleted_at IS NULL)`
