import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { IDS, IS_GONE } from "./product-changes"

/** What an event names where all products of connections may show it. */
export type MarketChange =
  | { kind: keyof typeof MARKETS; ids: string[] }
  /** Nobody can tell whose it is; what a product belongs to, where settings ask for it. */
  | { kind: "everything" | "groups" }

const OF_COUNTRIES = (taxRegions: string) =>
  `region_id IN (
     SELECT region_id FROM region_country
     WHERE deleted_at IS NULL AND iso_2 IN (SELECT country_code FROM tax_region WHERE id IN (${taxRegions})))`
const OF_RATES = (rates: string) =>
  OF_COUNTRIES(`SELECT tax_region_id FROM tax_rate WHERE id IN (${rates})`)

/**
 * SQL: from what changed to the connections whose market it is. `row` is the table that the id is of, where Medusa may
 * delete such rows for good: every connection is concerned then.
 */
const MARKETS = {
  region: { connections: "region_id = ANY(:ids)" },
  sales_channel: { connections: "sales_channel_id = ANY(:ids)" },
  location_link: {
    connections:
      "sales_channel_id IN (SELECT sales_channel_id FROM sales_channel_stock_location WHERE id = ANY(:ids))",
  },
  /** Of a region or a currency. */
  price_preference: {
    connections: `region_id IN (
      SELECT region.id FROM price_preference preference JOIN region ON preference.value = CASE preference.attribute
        WHEN 'region_id' THEN region.id WHEN 'currency_code' THEN region.currency_code END
      WHERE preference.id = ANY(:ids))`,
    row: "price_preference",
  },
  /** Of a country. */
  tax_region: { connections: OF_COUNTRIES(IDS), row: "tax_region" },
  tax_rate: { connections: OF_RATES(IDS), row: "tax_rate" },
  tax_rate_rule: {
    connections: OF_RATES("SELECT tax_rate_id FROM tax_rate_rule WHERE id = ANY(:ids)"),
    row: "tax_rate_rule",
  },
} satisfies Record<string, { connections: string; row?: string }>

export const MARKET_KINDS = Object.keys(MARKETS) as (keyof typeof MARKETS)[]

/** Finds the connections that a change of a whole market concerns. */
export class MarketChanges {
  constructor(private readonly knex: Knex) {}

  async connectionsOf(change: MarketChange): Promise<string[]> {
    const [where, bindings] = conditionOf(change)
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `SELECT id FROM svc_connection WHERE deleted_at IS NULL AND (${where})`,
      bindings,
    )
    return rows.map((row) => row.id)
  }
}

function conditionOf(change: MarketChange): [string, Record<string, string[]>] {
  if (!("ids" in change)) return [change.kind === "everything" ? "true" : USES_GROUPS, {}]
  const { kind, ids } = change
  const market: { connections: string; row?: string } = MARKETS[kind]
  const where = market.row ? `${market.connections} OR ${IS_GONE(market.row)}` : market.connections
  return [where, { ids }]
}

/** SQL: whether a connection's settings look at collections, categories, tags or types (`catalog/settings.ts`). */
const USES_GROUPS = `(
  jsonb_typeof(catalog -> 'include') = 'object' OR jsonb_typeof(catalog -> 'exclude') = 'object')`
