import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** Rows of `svc_price_change`: changes of lines that a shopper must be told about before the order. */
export class PriceChangeRows {
  constructor(private readonly knex: Knex) {}

  /** `answered_at`: an answer has carried these changes; `told_at`: the shopper has agreed to them. */
  async mark(column: "answered_at" | "told_at", ids: string[]): Promise<void> {
    if (ids.length === 0) return
    await this.knex("svc_price_change")
      .whereIn("id", ids)
      .whereNull(column)
      .update({ [column]: this.knex.raw("clock_timestamp()") })
  }
}
