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

/**
 * Reads which sales channels and regions go together. Each question stops at the first product that answers it with yes.
 * A channel without a price in a currency, in a store that has some, is read once for each region of that currency.
 */
export class MarketFits {
  constructor(private readonly knex: Knex) {}

  /** Every pair of the store, or the one that is asked for. */
  async read(pair: { channelId: string; regionId: string } | null): Promise<FittingMarket[]> {
    const { rows } = await this.knex.raw<{ rows: FittingMarket[] }>(
      `SELECT channel.id AS sales_channel_id, region.id AS region_id, region.currency_code,
         NOT channel.is_disabled AS channel_open,
         EXISTS (${PRODUCT}) AS has_products,
         -- Where nothing at all has a price there, no product is looked at.
         EXISTS (SELECT 1 FROM price WHERE ${COUNTS}) AND EXISTS (${PRODUCT}
           AND EXISTS (
             SELECT 1 FROM product_variant variant
             JOIN product_variant_price_set priced ON priced.variant_id = variant.id AND priced.deleted_at IS NULL
             JOIN price ON price.price_set_id = priced.price_set_id
             WHERE variant.product_id = product.id AND variant.deleted_at IS NULL AND ${COUNTS})
         ) AS has_prices
       FROM sales_channel channel
       CROSS JOIN region
       WHERE channel.deleted_at IS NULL AND region.deleted_at IS NULL
         AND (:channelId::text IS NULL OR channel.id = :channelId)
         AND (:regionId::text IS NULL OR region.id = :regionId)
       ORDER BY channel.id, region.id`,
      { channelId: pair?.channelId ?? null, regionId: pair?.regionId ?? null },
    )
    return rows
  }
}

/** SQL: a row `price` is one that a shopper pays in a row `region`. */
const COUNTS = `price.currency_code = region.currency_code AND price.price_list_id IS NULL AND price.deleted_at IS NULL
  AND (price.rules_count = 0 OR EXISTS (
    SELECT 1 FROM price_rule rule
    WHERE rule.price_id = price.id AND rule.attribute = 'region_id' AND rule.value = region.id
      AND rule.deleted_at IS NULL))`

/** SQL: the published products of a row `channel`. */
const PRODUCT = `SELECT 1 FROM product_sales_channel sold
  JOIN product ON product.id = sold.product_id AND product.deleted_at IS NULL AND product.status = 'published'
  WHERE sold.sales_channel_id = channel.id AND sold.deleted_at IS NULL`
