import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { MarketFit } from "../connections/setup-steps"

/** Most channels that fit a region show it within their first products. */
const LOOKED_AT_FIRST = 50

/** Reads whether a sales channel and a region go together. */
export class MarketFits {
  constructor(private readonly knex: Knex) {}

  async read(pair: { channelId: string; regionId: string }): Promise<MarketFit> {
    const { rows } = await this.knex.raw<{ rows: [MarketFit] }>(
      `SELECT region.currency_code,
         coalesce(NOT channel.is_disabled, false) AS channel_open,
         EXISTS (${PRODUCT}) AS has_products,
         EXISTS (
           SELECT 1 FROM (${PRODUCT} LIMIT ${LOOKED_AT_FIRST}) product
           JOIN product_variant variant ON variant.product_id = product.id AND variant.deleted_at IS NULL
           JOIN product_variant_price_set priced ON priced.variant_id = variant.id AND priced.deleted_at IS NULL
           JOIN price ON price.price_set_id = priced.price_set_id AND ${COUNTS}
         ) AS has_prices
       FROM (SELECT 1) AS pair
       LEFT JOIN sales_channel channel ON channel.id = :channelId AND channel.deleted_at IS NULL
       LEFT JOIN region ON region.id = :regionId AND region.deleted_at IS NULL`,
      pair,
    )
    const [fit] = rows
    const { currency_code: currency, has_products, has_prices } = fit
    if (currency === null || has_prices || !has_products) return fit
    return { ...fit, has_prices: await this.#hasAnyPrice(currency, pair) }
  }

  /** The same of all products: starts from the prices where a currency has few. */
  async #hasAnyPrice(
    currency: string,
    pair: { channelId: string; regionId: string },
  ): Promise<boolean> {
    const { rows } = await this.knex.raw<{ rows: object[] }>(
      // Currency and channel are given as values: the planner knows how many prices and products they have.
      `SELECT 1
       FROM price
       JOIN region ON region.id = :regionId AND ${COUNTS}
       JOIN product_variant_price_set priced ON priced.price_set_id = price.price_set_id AND priced.deleted_at IS NULL
       JOIN product_variant variant ON variant.id = priced.variant_id AND variant.deleted_at IS NULL
       JOIN product ON product.id = variant.product_id AND product.deleted_at IS NULL AND product.status = 'published'
       JOIN product_sales_channel sold ON sold.product_id = product.id AND sold.deleted_at IS NULL
       WHERE price.currency_code = :currency AND sold.sales_channel_id = :channelId
       LIMIT 1`,
      { currency, ...pair },
    )
    return rows.length > 0
  }
}

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
