import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** A sales channel and region of the store, as far as payloads depend on them. */
export type StoreMarket = {
  /** The channel is turned off or was deleted: nothing in it is for sale. */
  channel_open: boolean
  /** Null where the region does not exist any more; then the rest is empty. */
  region_name: string | null
  currency_code: string
  /** Decimal places of the currency. */
  digits: number
  automatic_taxes: boolean
  /** Codes of the region's countries, in alphabetical order. */
  countries: string[]
}

/** Reads where a connection sells. */
export class StoreMarkets {
  constructor(private readonly knex: Knex) {}

  /** Null where there is no such connection. */
  async read(connectionId: string): Promise<StoreMarket | null> {
    const { rows } = await this.knex.raw<{ rows: StoreMarket[] }>(
      `SELECT EXISTS (
           SELECT 1 FROM sales_channel channel
           WHERE channel.id = connection.sales_channel_id AND NOT channel.is_disabled AND channel.deleted_at IS NULL
         ) AS channel_open,
         region.name AS region_name, COALESCE(region.currency_code, '') AS currency_code,
         COALESCE(currency.decimal_digits, 2) AS digits,
         COALESCE(region.automatic_taxes, false) AS automatic_taxes,
         COALESCE((
           SELECT json_agg(country.iso_2 ORDER BY country.iso_2) FROM region_country country
           WHERE country.region_id = region.id AND country.deleted_at IS NULL
         ), '[]') AS countries
       FROM svc_connection connection
       LEFT JOIN region ON region.id = connection.region_id AND region.deleted_at IS NULL
       LEFT JOIN currency ON currency.code = region.currency_code
       WHERE connection.id = :connectionId`,
      { connectionId },
    )
    return rows[0] ?? null
  }
}

/**
 * SQL: what of the store every payload of a row `connection` depends on, as one short text. Medusa tells of most changes of
 * it by an event; of a region or a channel that a module call restores it does not.
 */
export const MARKET_FACTS = `ROW(
  (SELECT channel.is_disabled FROM sales_channel channel
   WHERE channel.id = connection.sales_channel_id AND channel.deleted_at IS NULL),
  (SELECT concat_ws('/', region.name, region.currency_code, region.automatic_taxes) FROM region
   WHERE region.id = connection.region_id AND region.deleted_at IS NULL))`
