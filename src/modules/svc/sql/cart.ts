import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { Brought } from "../cart-plan"

/** Provenance of one line's price, as the table has it. */
export type LinePriceRow = {
  line_item_id: string
  cart_id: string
  connection_id: string
  campaign_uid: string
  order_no: string
  product_id: string
  variant_id: string
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

/** Why a line costs something else now. */
export type PriceChangeReason = "price_changed" | "campaign_ended" | "price_unavailable"

/** A line before it is priced again; the amount in major units of `currency_code`. */
export type PriceChangeInput = {
  cart_id: string
  line_item_id: string
  variant_id: string | null
  title: string
  old_unit_price: number
  currency_code: string
  reason: PriceChangeReason
  /** The line is taken out: the store has no price for it any more. */
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

  async forgetLinePrices(lineItemIds: string[]): Promise<void> {
    if (lineItemIds.length === 0) return
    await this.knex("svc_line_price").whereIn("line_item_id", lineItemIds).delete()
  }

  /**
   * Lines of a basket whose campaign price has to be proven again: the hold or the campaign is over (gap 45a), or
   * the proof is missing because a process died between the line and its record.
   * Our record decides, not the line's metadata: a shopper can write that. Served by core's index on the line's cart and
   * our unique index on the line.
   */
  async linesToProve(cartId: string): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `SELECT line.id FROM cart_line_item line
       LEFT JOIN svc_line_price price ON price.line_item_id = line.id AND price.deleted_at IS NULL
       WHERE line.cart_id = ? AND line.deleted_at IS NULL AND line.is_custom_price
         AND CASE WHEN price.id IS NULL THEN jsonb_exists(line.metadata, 'svc_campaign_uid')
             ELSE price.expires_at <= now() OR ${CAMPAIGN_OVER} END`,
      [cartId],
    )
    return rows.map((row) => row.id)
  }

  /**
   * Remembers that a line is about to be priced again, until a shopper is told. Of several changes the shopper has seen
   * only the price before the first.
   */
  async recordPriceChange(change: PriceChangeInput): Promise<void> {
    await this.knex("svc_price_change")
      .insert({
        id: generateEntityId(undefined, "svcpc"),
        ...change,
        raw_old_unit_price: bigNumber(change.old_unit_price),
      })
      .onConflict(
        this.knex.raw("(cart_id, line_item_id) WHERE told_at IS NULL AND deleted_at IS NULL"),
      )
      .merge({ reason: change.reason, removed: change.removed, updated_at: new Date() })
  }

  /** Changes of a basket that no shopper was told about. */
  async untoldPriceChanges(cartId: string): Promise<(PriceChangeInput & { id: string })[]> {
    const rows = await this.knex("svc_price_change")
      .where({ cart_id: cartId })
      .whereNull("told_at")
      .whereNull("deleted_at")
    return rows.map((row) => ({ ...row, old_unit_price: Number(row.old_unit_price) }))
  }

  async markPriceChangesTold(ids: string[]): Promise<void> {
    if (ids.length === 0) return
    await this.knex("svc_price_change").whereIn("id", ids).update({ told_at: new Date() })
  }

  /**
   * Open baskets with a line whose campaign is over, oldest first. A placed order's basket keeps its rows: they
   * are the proof of what was charged.
   */
  async cartsPastDeadline(limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { cart_id: string }[] }>(
      `SELECT price.cart_id FROM svc_line_price price
       JOIN cart ON cart.id = price.cart_id AND cart.completed_at IS NULL AND cart.deleted_at IS NULL
       JOIN cart_line_item line ON line.id = price.line_item_id AND line.deleted_at IS NULL
       WHERE price.deleted_at IS NULL AND ${CAMPAIGN_OVER}
       GROUP BY price.cart_id ORDER BY min(price.expires_at) LIMIT ?`,
      [limit],
    )
    return rows.map((row) => row.cart_id)
  }
}
