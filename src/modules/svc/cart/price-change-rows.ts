import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import { rawNumber } from "../shared/big-number"
import type { LineCode } from "./price-policy"

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
  /** Sold at the show's price in the cart's new region. */
  | "region_changed"

/** A line as it was before the change; the amount in major units of `currency_code`. */
type PriceChangeInput = {
  cart_id: string
  line_item_id: string
  variant_id: string | null
  title: string
  old_unit_price: number
  old_quantity: number
  currency_code: string
  reason: PriceChangeReason
  /** The line is removed: it cannot be sold any more. */
  removed: boolean
}

/** A change that no shopper was told about yet. */
type UntoldPriceChange = Omit<PriceChangeInput, "old_quantity"> & {
  id: string
  old_quantity: number | null
}

/** Rows of `svc_price_change`: changes of lines that a shopper must be told about before the order. */
export class PriceChangeRows {
  constructor(private readonly knex: Knex) {}

  /**
   * Records that a line is about to change, until a shopper is told. A further change keeps the line as it was before
   * the first: that is the one that the shopper saw.
   */
  async record(change: PriceChangeInput): Promise<void> {
    await this.knex("svc_price_change")
      .insert({
        id: generateEntityId(undefined, "svcpc"),
        ...change,
        raw_old_unit_price: rawNumber(change.old_unit_price),
        raw_old_quantity: rawNumber(change.old_quantity),
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
   * Changes of a cart that no shopper was told about.
   *
   * @param since changes told from then on are included: a request that came before has not read that answer
   */
  async untold(cartId: string, since: Date | null): Promise<UntoldPriceChange[]> {
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

  async markTold(ids: string[]): Promise<void> {
    if (ids.length === 0) return
    await this.knex("svc_price_change")
      .whereIn("id", ids)
      .whereNull("told_at")
      .update({ told_at: this.knex.raw("clock_timestamp()") })
  }

  /** Lines that kept the show's price in a new region need no word: the answer shows the cart with them. */
  async markRegionChangeTold(cartId: string): Promise<void> {
    await this.knex("svc_price_change")
      .where({ cart_id: cartId, reason: "region_changed", removed: false })
      .whereNull("told_at")
      .update({ told_at: this.knex.raw("clock_timestamp()") })
  }
}
