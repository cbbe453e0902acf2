import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** Where prices are read for: a guest of this region pays in this currency. */
export type PriceMarket = { region_id: string; currency_code: string }

/** What a guest pays for one price set in one market. Amounts are decimal strings. */
export type FoundPrice = {
  amount: string
  /** The price has a rule for the region: the region's preference tells whether tax is in it, else the currency's. */
  regional: boolean
}

/** The best price of a kind: of the price lists that are open, or of the variant itself. */
export type PriceCandidate = FoundPrice & { list_type: string | null }

/** Rates of a country, in percent as decimal strings; `reference` is null for the country's default. */
export type TaxRate = {
  country_code: string
  rate: string
  reference: "product" | "product_type" | null
  reference_id: string | null
}

/**
 * Reads prices and tax rates for several markets at once. Medusa's pricing module answers for one context at a time and
 * takes most of the time of a page with three variants a product; the rules are few for a guest (no customer, so no
 * customer group), and a test holds the answers against Medusa's own over generated price lists.
 */
export class StorePrices {
  constructor(private readonly knex: Knex) {}

  /**
   * @returns for each market, in their order, the price by price set; sets without a price are left out
   */
  async read(markets: PriceMarket[], priceSetIds: string[]): Promise<Map<string, FoundPrice>[]> {
    const found = markets.map(() => new Map<string, FoundPrice>())
    if (priceSetIds.length === 0 || markets.length === 0) return found
    const { rows } = await this.knex.raw<{
      rows: { prices: [number, string, string, string | null, boolean][] | null }[]
    }>(
      // As `calculatePrices` of Medusa's pricing module: prices of open lists whose rules the region meets, and the
      // variant's own; of each kind the one with the most rules, then the lowest.
      `WITH market AS MATERIALIZED (
         SELECT region_id, currency_code, n FROM unnest(CAST(:regions AS text[]), CAST(:currencies AS text[]))
           WITH ORDINALITY AS given (region_id, currency_code, n)
       ), open_list AS MATERIALIZED (
         SELECT market.n, list.id, list.type, list.rules_count
         FROM market CROSS JOIN price_list list
         WHERE list.status = 'active' AND list.deleted_at IS NULL
           AND (list.starts_at IS NULL OR list.starts_at <= now()) AND (list.ends_at IS NULL OR list.ends_at >= now())
           AND (list.rules_count = 0 OR list.rules_count = (
             SELECT count(*) FROM price_list_rule rule
             WHERE rule.price_list_id = list.id AND rule.deleted_at IS NULL
               AND rule.attribute = 'region_id' AND rule.value @> to_jsonb(market.region_id)))
       ), best AS (
         SELECT DISTINCT ON (market.n, price.price_set_id, price.price_list_id IS NOT NULL)
           market.n, price.price_set_id, price.amount, open_list.type, price.rules_count > 0 AS regional
         FROM price
         JOIN market ON market.currency_code = price.currency_code
         LEFT JOIN open_list ON open_list.id = price.price_list_id AND open_list.n = market.n
         WHERE price.price_set_id = ANY(:sets) AND price.deleted_at IS NULL
           AND (price.min_quantity IS NULL OR price.min_quantity <= 1)
           AND (price.price_list_id IS NULL OR open_list.id IS NOT NULL)
           AND (price.rules_count = 0 OR price.rules_count = (
             SELECT count(*) FROM price_rule rule
             WHERE rule.price_id = price.id AND rule.deleted_at IS NULL
               AND rule.attribute = 'region_id' AND rule.value = market.region_id))
         ORDER BY market.n, price.price_set_id, price.price_list_id IS NOT NULL,
           price.rules_count + COALESCE(open_list.rules_count, 0) DESC, price.amount
       )
       SELECT json_agg(json_build_array(n, price_set_id, amount::text, type, regional)) AS prices FROM best`,
      {
        regions: markets.map((market) => market.region_id),
        currencies: markets.map((market) => market.currency_code),
        sets: priceSetIds,
      },
    )
    const candidates = markets.map(() => new Map<string, PriceCandidate[]>())
    for (const [n, set, amount, list_type, regional] of rows[0]?.prices ?? []) {
      const ofMarket = candidates[n - 1]
      const known = ofMarket?.get(set)
      if (known) known.push({ amount, list_type, regional })
      else ofMarket?.set(set, [{ amount, list_type, regional }])
    }
    for (const [n, ofMarket] of candidates.entries()) {
      for (const [set, some] of ofMarket) {
        const price = lowestOf(some)
        if (price) found[n]?.set(set, price)
      }
    }
    return found
  }

  /** The rates of some countries that products of these ids and types may have. */
  async taxRates(countryCodes: string[], referenceIds: string[]): Promise<TaxRate[]> {
    if (countryCodes.length === 0) return []
    const { rows } = await this.knex.raw<{ rows: TaxRate[] }>(
      `SELECT place.country_code, rate.rate::text AS rate, NULL AS reference, NULL AS reference_id
       FROM tax_region place
       JOIN tax_rate rate ON rate.tax_region_id = place.id AND rate.is_default AND rate.deleted_at IS NULL
       WHERE place.country_code = ANY(:countryCodes) AND place.province_code IS NULL AND place.deleted_at IS NULL
         AND rate.rate IS NOT NULL
       UNION ALL
       SELECT place.country_code, rate.rate::text, rule.reference, rule.reference_id
       FROM tax_rate_rule rule
       JOIN tax_rate rate ON rate.id = rule.tax_rate_id AND rate.deleted_at IS NULL
       JOIN tax_region place ON place.id = rate.tax_region_id AND place.deleted_at IS NULL
       WHERE rule.reference_id = ANY(:referenceIds) AND rule.deleted_at IS NULL
         AND rule.reference IN ('product', 'product_type')
         AND place.country_code = ANY(:countryCodes) AND place.province_code IS NULL AND rate.rate IS NOT NULL`,
      { countryCodes, referenceIds },
    )
    return rows
  }
}

/**
 * Of a list's price and the variant's own, what Medusa charges: an overriding list's price, the lower one during a sale,
 * else the variant's own.
 */
export function lowestOf(candidates: PriceCandidate[]): FoundPrice | null {
  const listed = candidates.find((candidate) => candidate.list_type !== null)
  const own = candidates.find((candidate) => candidate.list_type === null)
  if (!listed) return own ?? null
  if (listed.list_type !== "sale" || !own) return listed
  return Number(listed.amount) <= Number(own.amount) ? listed : own
}
