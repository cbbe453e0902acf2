import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** A sales channel and a region, and whether what the one sells has a price in the other's currency. */
export type FittingMarket = {
  sales_channel_id: string
  region_id: string
  currency_code: string
  channel_open: boolean
  has_products: boolean
  has_prices: boolean
}

/** Most channels that fit a region show it within their first products. */
const LOOKED_AT_FIRST = 50

/**
 * Reads which sales channels and regions go together. The first products of a channel answer for most pairs. What they
 * leave open is read by one statement for all pairs together, which starts from the prices where a currency has few.
 */
export class MarketFits {
  constructor(private readonly knex: Knex) {}

  /** Every pair of the store, or the one that is asked for. */
  async read(pair: { channelId: string; regionId: string } | null): Promise<FittingMarket[]> {
    const { rows } = await this.knex.raw<{ rows: FittingMarket[] }>(
      `SELECT channel.id AS sales_channel_id, region.id AS region_id, region.currency_code,
         NOT channel.is_disabled AS channel_open,
         EXISTS (${PRODUCT}) AS has_products,
         EXISTS (
           SELECT 1 FROM (${PRODUCT} LIMIT ${LOOKED_AT_FIRST}) product
           JOIN product_variant variant ON variant.product_id = product.id AND variant.deleted_at IS NULL
           JOIN product_variant_price_set priced ON priced.variant_id = variant.id AND priced.deleted_at IS NULL
           JOIN price ON price.price_set_id = priced.price_set_id AND ${COUNTS}
         ) AS has_prices
       FROM sales_channel channel
       CROSS JOIN region
       WHERE channel.deleted_at IS NULL AND region.deleted_at IS NULL
         AND (:channelId::text IS NULL OR channel.id = :channelId)
         AND (:regionId::text IS NULL OR region.id = :regionId)
       ORDER BY channel.id, region.id`,
      { channelId: pair?.channelId ?? null, regionId: pair?.regionId ?? null },
    )
    const open = rows.filter(({ has_products, has_prices }) => has_products && !has_prices)
    const found = await this.#priced(open)
    return rows.map((row) => ({ ...row, has_prices: row.has_prices || found.has(keyOf(row)) }))
  }

  /** Those of some pairs in which at least one of all products has a price. */
  async #priced(pairs: FittingMarket[]): Promise<Set<string>> {
    if (pairs.length === 0) return new Set()
    const distinct = (values: string[]) => [...new Set(values)]
    const { rows } = await this.knex.raw<{
      rows: Pick<FittingMarket, "sales_channel_id" | "region_id">[]
    }>(
      // Currencies and channels are given as values: the planner knows how many prices and products they have.
      `SELECT DISTINCT sold.sales_channel_id, region.id AS region_id
       FROM price
       JOIN region ON region.id = ANY(:regionIds) AND ${COUNTS}
       JOIN product_variant_price_set priced ON priced.price_set_id = price.price_set_id AND priced.deleted_at IS NULL
       JOIN product_variant variant ON variant.id = priced.variant_id AND variant.deleted_at IS NULL
       JOIN product ON product.id = variant.product_id AND product.deleted_at IS NULL AND product.status = 'published'
       JOIN product_sales_channel sold ON sold.product_id = product.id AND sold.deleted_at IS NULL
       WHERE price.currency_code = ANY(:currencies) AND sold.sales_channel_id = ANY(:channelIds)`,
      {
        regionIds: distinct(pairs.map(({ region_id }) => region_id)),
        currencies: distinct(pairs.map(({ currency_code }) => currency_code)),
        channelIds: distinct(pairs.map(({ sales_channel_id }) => sales_channel_id)),
      },
    )
    return new Set(rows.map(keyOf))
  }
}

const keyOf = (pair: Pick<FittingMarket, "sales_channel_id" | "region_id">): string =>
  `${pair.sales_channel_id} ${pair.region_id}`

/** SQL: a row `price` is one that a shopper pays in a row `region`. */
const COUNTS = `price.currency_code = region.currency_code AND price.price_list_id IS NULL AND price.deleted_at IS NULL
  AND (price.rules_count = 0 OR EXISTS (
    SELECT 1 FROM price_rule rule
    WHERE rule.price_id = price.id AND rule.attribute = 'region_id' AND rule.value = region.id
      AND rule.deleted_at IS NULL))`

/** SQL: the published products of a row `channel`. */
const PRODUCT = `SELECT product.id FROM product_sales_channel sold
  JOIN product ON product.id = sold.product_id AND product.deleted_at IS NULL AND product.status = 'published'
  WHERE sold.sales_channel_id = channel.id AND sold.deleted_at IS NULL`
