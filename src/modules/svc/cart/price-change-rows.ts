import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** Rows of `svc_price_change`: changes of lines that a shopper must be told about before the order. */
export class PriceChangeRows {
  constructor(private readonly knex: Knex) {}

  /** An answer has carried these changes. */
  async markAnswered(ids: string[]): Promise<void> {
    if (ids.length === 0) return
    await this.knex("svc_price_change")
      .whereIn("id", ids)
      .whereNull("answered_at")
      .update({ answered_at: this.knex.raw("clock_timestamp()") })
  }

  /** The shopper has agreed to these changes. */
  async markTold(ids: string[]): Promise<void> {
    if (ids.length === 0) return
    await this.knex("svc_price_change")
      .whereIn("id", ids)
      .whereNull("told_at")
      .update({ told_at: this.knex.raw("clock_timestamp()") })
  }
}
