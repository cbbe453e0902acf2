import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { isSoon } from "./soon"

/** A show whose currency is asked for, by the price of one of its products. */
export type ShowToAsk = {
  id: string
  campaign_uid: string
  product_id: string
  /** Null where the product has none in the show. */
  variant_id: string | null
}

/**
 * So long an answer holds, or that there was none: a merchant who has mended it sees it soon. Some services may know no
 * price before a show begins, so one that runs and has no answer is asked for each minute.
 */
const HOLDS = `CASE WHEN e.price_currency IS NULL AND e.status <> 'planned' THEN interval '1 minute' ELSE interval '10 minutes' END`

const IS_DUE = `e.deleted_at IS NULL AND e.deleted_in_svc_at IS NULL AND e.absent_at IS NULL AND ${isSoon("e")}
  AND (e.price_asked_at IS NULL OR e.price_asked_at < now() - ${HOLDS})`

/** One product of a show that it sells, `e` being the show. */
const PRODUCT = `SELECT p.external_id, p.variants->0->>'external_id' AS variant_id FROM svc_event_product p
  WHERE p.connection_id = e.connection_id AND p.campaign_uid = e.campaign_uid AND p.deleted_at IS NULL
    AND p.deleted_in_svc_at IS NULL AND p.available AND p.external_id IS NOT NULL
  ORDER BY p.id LIMIT 1`

/**
 * In which currency shows sell: `price_currency` of `svc_live_event`. No delivery tells it, only the answer of a price
 * lookup (gap 35), so it is asked for shows that run or begin within a day: a merchant hears of a wrong one before the show,
 * and not from the first shopper.
 */
export class PriceCurrencyRows {
  constructor(private readonly knex: Knex) {}

  /** Takes a show that is due; it is not due again for a while, whatever becomes of the question. */
  async claim(connectionId: string): Promise<ShowToAsk | null> {
    const { rows } = await this.knex.raw<{ rows: ShowToAsk[] }>(
      `UPDATE svc_live_event show SET price_asked_at = now()
       FROM (
         SELECT e.id, product.external_id AS product_id, product.variant_id
         FROM svc_live_event e CROSS JOIN LATERAL (${PRODUCT}) product
         WHERE e.connection_id = :connectionId AND ${IS_DUE}
         ORDER BY e.price_asked_at NULLS FIRST LIMIT 1 FOR UPDATE OF e SKIP LOCKED
       ) due
       WHERE due.id = show.id
       RETURNING show.id, show.campaign_uid, due.product_id, due.variant_id`,
      { connectionId },
    )
    return rows[0] ?? null
  }

  /** @param currency lower case ISO 4217; null where the answer named none */
  async record(id: string, currency: string | null): Promise<void> {
    await this.knex("svc_live_event").where({ id }).update({ price_currency: currency })
  }

  /** Milliseconds until a show falls due, by connection: 0, or left out where none is. The job of the minute asks again. */
  async dueInMs(connectionId?: string): Promise<Map<string, number>> {
    const rows: { connection_id: string }[] = await this.knex("svc_live_event AS e")
      .distinct("e.connection_id")
      .join("svc_connection AS c", "c.id", "e.connection_id")
      .whereNull("c.deleted_at")
      .whereRaw(`${IS_DUE} AND EXISTS (${PRODUCT})`)
      .modify((due) => connectionId !== undefined && due.where("e.connection_id", connectionId))
    return new Map(rows.map(({ connection_id }) => [connection_id, 0]))
  }
}
