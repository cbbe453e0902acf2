import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import { rawNumber } from "../shared/big-number"

/** Where one line's price came from, as the table has it. */
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
  currency_code: string
  is_tax_inclusive: boolean
  fetched_at: Date
  expires_at: Date
}

export type LinePriceInput = Omit<LinePriceRow, "amount"> & { amount: number }

/** Rows of `svc_line_price`: the proof of each campaign price on a cart's line. */
export class LinePriceRows {
  constructor(private readonly knex: Knex) {}

  async ofCart(cartId: string): Promise<LinePriceRow[]> {
    return this.knex<LinePriceRow & { deleted_at: Date | null }>("svc_line_price")
      .where({ cart_id: cartId })
      .whereNull("deleted_at")
  }

  /** The proofs of the carts that became orders, by order id. */
  async ofOrders(orderIds: string[]): Promise<Map<string, LinePriceRow[]>> {
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

  /** Writes the proofs of lines; a line that has one gets the new one. */
  async record(prices: LinePriceInput[]): Promise<void> {
    if (prices.length === 0) return
    await this.knex("svc_line_price")
      .insert(
        prices.map((price) => ({
          id: generateEntityId(undefined, "svclp"),
          ...price,
          raw_amount: rawNumber(price.amount),
        })),
      )
      .onConflict(this.knex.raw("(line_item_id) WHERE deleted_at IS NULL"))
      .merge()
  }

  /**
   * Counts lines for the order number that touched them last. Lines whose price still holds are not priced anew, so
   * without this they would stay with the number before.
   */
  async assignOrderNumber(lineItemIds: string[], orderNo: string): Promise<void> {
    if (lineItemIds.length === 0) return
    await this.knex("svc_line_price")
      .whereIn("line_item_id", lineItemIds)
      .update({ order_no: orderNo })
  }

  async forget(lineItemIds: string[]): Promise<void> {
    if (lineItemIds.length === 0) return
    await this.knex("svc_line_price").whereIn("line_item_id", lineItemIds).delete()
  }
}
