import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { Brought } from "../cart-plan"
import type { LineCode } from "../price-policy"

/** Provenance of one line's price, as the table has it. */
export type LinePriceRow = {
  line_item_id: string
  cart_id: string
  connection_id: string
  campaign_uid: string
  order_no: string
  product_id: string
  variant_id: string
  region_id: string | null
  amount: string
  catalog_amount: string | null
  currency_code: string
  is_tax_inclusive: boolean
  source: "lookup" | "webhook"
  fetched_at: Date
  expires_at: Date
}

export type LinePriceInput = Omit<LinePriceRow, "amount" | "catalog_amount"> & {
  amount: number
  catalog_amount: number | null
}

/** Why a line is not what it was. Stable: storefronts read it. */
export type PriceChangeReason =
  | Extract<
      LineCode,
      | "campaign_ended"
      | "channel_mismatch"
      | "currency_mismatch"
      | "not_available"
      | "not_for_sale"
      | "out_of_stock"
      | "price_unavailable"
      | "quantity_limited"
    >
  | "price_changed"
  /** Sold at the show's price in the basket's new region. */
  | "region_changed"

/** A line of a basket at a campaign's price, by our own record or, where that is missing, by its metadata. */
export type ShowLine = {
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
  /** From the line's metadata, which shoppers can write: only where there is no record. */
  claimed_campaign_uid: string | null
  /** Its price has to be proven again. */
  due: boolean
  /** Core took it out when the region changed. */
  dropped: boolean
}

/** A line before it changes; the amount in major units of `currency_code`. */
export type PriceChangeInput = {
  cart_id: string
  line_item_id: string
  variant_id: string | null
  title: string
  old_unit_price: number
  old_quantity: number
  currency_code: string
  reason: PriceChangeReason
  /** The line is taken out: it cannot be sold any more. */
  removed: boolean
}

export type OrderNumberRow = {
  id: string
  cart_id: string
  connection_id: string
  campaign_uid: string
  order_no: string
  used_at: Date
  order_id: string | null
  brought: Brought | null
}

/** Medusa keeps a big number twice: the number, and its exact text. */
const bigNumber = (value: number | null) =>
  value === null ? null : JSON.stringify({ value: String(value), precision: 20 })

/**
 * Whether nothing may be sold any more at the campaign of a row `price`: the connection was deleted, or every event of
 * the campaign that we know of is past its deadline, cancelled or deleted. A campaign that no delivery told of is not.
 */
const CAMPAIGN_OVER = `(
  NOT EXISTS (
    SELECT 1 FROM svc_connection connection
    WHERE connection.id = price.connection_id AND connection.deleted_at IS NULL)
  OR (SELECT bool_and(event.deleted_in_svc_at IS NOT NULL OR event.status = 'cancelled'
        OR coalesce(event.deadline <= now(), false))
      FROM svc_live_event event
      WHERE event.connection_id = price.connection_id AND event.campaign_uid = price.campaign_uid
        AND event.deleted_at IS NULL))`

/**
 * Whether the basket of a row `price` is, or was about to be, in another region than the price was proven in. Rows from
 * before this was kept say nothing.
 */
const MOVED = "coalesce(price.region_id <> cart.region_id, false)"

/** Whether a payment session was opened for the basket within the last ten minutes. */
const BEING_PAID = `EXISTS (
  SELECT 1 FROM cart_payment_collection link
  JOIN payment_session session ON session.payment_collection_id = link.payment_collection_id
  WHERE link.cart_id = cart.id AND link.deleted_at IS NULL
    AND session.deleted_at IS NULL AND session.created_at > now() - interval '10 minutes')`

/** What we know of a basket: its order numbers and where its prices came from. */
export class CartRows {
  constructor(private readonly knex: Knex) {}

  /** Order numbers of a basket, the one that counts first. Served by the unique index on cart and number. */
  async orderNumbers(cartId: string): Promise<OrderNumberRow[]> {
    return this.knex<OrderNumberRow>("svc_cart_order_number")
      .where({ cart_id: cartId })
      .whereNull("deleted_at")
      .orderBy("used_at", "desc")
  }

  /**
   * Remembers an order number; the latest one counts. False when the basket's order was placed meanwhile: from
   * then on its numbers are frozen.
   */
  async recordOrderNumber(input: {
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

  /** Remembers what a number's checkout brought into its basket, for the next time its link is followed (gap 44). */
  async recordBrought(cartId: string, orderNo: string, brought: Brought): Promise<void> {
    if (Object.keys(brought).length === 0) return
    await this.knex("svc_cart_order_number")
      .where({ cart_id: cartId, order_no: orderNo })
      .whereNull("deleted_at")
      .whereNull("order_id")
      .update({
        brought: this.knex.raw("COALESCE(brought, '{}'::jsonb) || ?::jsonb", [
          JSON.stringify(brought),
        ]),
      })
  }

  async linePrices(cartId: string): Promise<LinePriceRow[]> {
    return this.knex<LinePriceRow>("svc_line_price")
      .where({ cart_id: cartId })
      .whereNull("deleted_at")
  }

  /** Provenance of the baskets that became orders, by order. */
  async linePricesOfOrders(orderIds: string[]): Promise<Map<string, LinePriceRow[]>> {
    const rows = await this.knex<LinePriceRow>("svc_line_price as price")
      .join("svc_attribution as attribution", "attribution.cart_id", "price.cart_id")
      .whereIn("attribution.order_id", orderIds)
      .whereNull("price.deleted_at")
      .distinct("attribution.order_id", "price.*")
    const byOrder = new Map<string, LinePriceRow[]>()
    for (const { order_id, ...price } of rows) {
      byOrder.set(order_id, [...(byOrder.get(order_id) ?? []), price])
    }
    return byOrder
  }

  async recordLinePrices(prices: LinePriceInput[]): Promise<void> {
    if (prices.length === 0) return
    await this.knex("svc_line_price")
      .insert(
        prices.map((price) => ({
          id: generateEntityId(undefined, "svclp"),
          ...price,
          raw_amount: bigNumber(price.amount),
          raw_catalog_amount: bigNumber(price.catalog_amount),
        })),
      )
      .onConflict(this.knex.raw("(line_item_id) WHERE deleted_at IS NULL"))
      .merge()
  }

  /** A line whose price still holds counts for the order number that touched it last, as one that is priced anew does. */
  async claimLines(lineItemIds: string[], orderNo: string): Promise<void> {
    if (lineItemIds.length === 0) return
    await this.knex("svc_line_price")
      .whereIn("line_item_id", lineItemIds)
      .update({ order_no: orderNo })
  }

  async forgetLinePrices(lineItemIds: string[]): Promise<void> {
    if (lineItemIds.length === 0) return
    await this.knex("svc_line_price").whereIn("line_item_id", lineItemIds).delete()
  }

  /**
   * The lines of a basket that a campaign prices, and those that core took out because the basket's region changed.
   * Due is a line whose hold or campaign is over (gap 45a), whose basket has moved to another region, or whose proof is
   * missing because a process died between the line and its record.
   * Our record decides, not the line's metadata: a shopper can write that. Served by core's index on the line's cart and
   * our indexes on the line and the cart.
   */
  async showLines(cartId: string): Promise<ShowLine[]> {
    const columns = `line.id, line.variant_id, line.product_id, line.title, line.quantity, line.unit_price,
      coalesce(price.currency_code, cart.currency_code) AS currency_code,
      price.campaign_uid, price.connection_id, price.order_no`
    const { rows } = await this.knex.raw<{ rows: ShowLine[] }>(
      `SELECT ${columns}, line.metadata->>'svc_campaign_uid' AS claimed_campaign_uid,
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
   * Before a basket's region changes: marks its lines as moved, so that those which core takes out are known, whatever
   * region it ends in; and forgets those that the shopper removed, so that they are not taken for such.
   *
   * @returns whether a campaign prices any line of the basket
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
   * Remembers that a line is about to change, until a shopper is told. Of several changes the shopper has seen only the
   * line before the first.
   */
  async recordPriceChange(change: PriceChangeInput): Promise<void> {
    await this.knex("svc_price_change")
      .insert({
        id: generateEntityId(undefined, "svcpc"),
        ...change,
        raw_old_unit_price: bigNumber(change.old_unit_price),
        raw_old_quantity: bigNumber(change.old_quantity),
      })
      .onConflict(
        this.knex.raw("(cart_id, line_item_id) WHERE told_at IS NULL AND deleted_at IS NULL"),
      )
      .merge({ reason: change.reason, removed: change.removed, updated_at: new Date() })
  }

  /** The database's clock, which `told_at` is written by. */
  async now(): Promise<Date> {
    const { rows } = await this.knex.raw<{ rows: [{ now: Date }] }>(
      "SELECT date_trunc('milliseconds', clock_timestamp()) AS now",
    )
    return rows[0].now
  }

  /**
   * Changes of a basket that no shopper was told about.
   * @param since those told from then on count too: whoever asked before has not read that answer
   */
  async untoldPriceChanges(
    cartId: string,
    since: Date | null,
  ): Promise<
    (Omit<PriceChangeInput, "old_quantity"> & { id: string; old_quantity: number | null })[]
  > {
    const rows = await this.knex("svc_price_change")
      .where({ cart_id: cartId })
      .where((untold) => {
        untold.whereNull("told_at")
        if (since) untold.orWhere("told_at", ">=", since)
      })
      .whereNull("deleted_at")
    return rows.map((row) => ({
      ...row,
      old_unit_price: Number(row.old_unit_price),
      old_quantity: row.old_quantity === null ? null : Number(row.old_quantity),
    }))
  }

  async markPriceChangesTold(ids: string[]): Promise<void> {
    if (ids.length === 0) return
    await this.knex("svc_price_change")
      .whereIn("id", ids)
      .whereNull("told_at")
      .update({ told_at: this.knex.raw("clock_timestamp()") })
  }

  /** Lines that went along to a new region at the show's price need no word where the basket is shown with them. */
  async markRegionChangeTold(cartId: string): Promise<void> {
    await this.knex("svc_price_change")
      .where({ cart_id: cartId, reason: "region_changed", removed: false })
      .whereNull("told_at")
      .update({ told_at: this.knex.raw("clock_timestamp()") })
  }

  /**
   * Open baskets with a line whose campaign is over or that core took out with the region, oldest first. A placed
   * order's basket keeps its rows: they are the proof of what was charged. One whose payment began a moment ago, at a
   * price that held then, is left alone: a new total would end a payment that the shopper is just making.
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
