import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { isForgotten, isSoon } from "./soon"

/** A show whose currency is asked for, by the price of something that it sells. */
export type ShowToAsk = {
  id: string
  campaign_uid: string
  product_id: string
  /** Null where the product is sold as a whole. */
  variant_id: string | null
}

/** What is kept of an answer that names no currency: then the prices are in the connection's (gap 35). */
const NONE_NAMED = ""

/** Some services may know no price before a show begins, so while it is new on air and unanswered it is asked for soon. */
const NEW_ON_AIR = `(e.price_currency IS NULL AND e.status = 'live' AND e.live_started_at > now() - interval '15 minutes')`

/** Ten seconds less than one and ten minutes, because the job that looks each minute is not exact. */
const HOLDS = `CASE WHEN ${NEW_ON_AIR} THEN interval '50 seconds' ELSE interval '9 minutes 50 seconds' END`

const IS_DUE = `e.deleted_at IS NULL AND e.deleted_in_svc_at IS NULL AND e.absent_at IS NULL AND ${isSoon("e")}
  AND (e.deadline IS NULL OR e.deadline > now())
  AND NOT ${isForgotten("e")}
  AND (e.price_asked_at IS NULL OR e.price_asked_at < now() - ${HOLDS})`

/** Something that a show sells, `e` being the show: not always the same, because the service may have no price for one. */
const SOLD = `SELECT p.external_id AS product_id, variant.id AS variant_id FROM svc_event_product p
    LEFT JOIN LATERAL (
      SELECT sold->>'external_id' AS id FROM jsonb_array_elements(p.variants) sold WHERE sold->>'external_id' IS NOT NULL
    ) variant ON true
  WHERE p.connection_id = e.connection_id AND p.campaign_uid = e.campaign_uid AND p.deleted_at IS NULL
    AND p.deleted_in_svc_at IS NULL AND p.available AND p.external_id IS NOT NULL`

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
         SELECT e.id, sold.product_id, sold.variant_id
         FROM svc_live_event e CROSS JOIN LATERAL (${SOLD} ORDER BY random() LIMIT 1) sold
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
  async record({ id, campaign_uid }: ShowToAsk, currency: string | null): Promise<void> {
    await this.knex("svc_live_event")
      .where({ id, campaign_uid })
      .update({ price_currency: currency ?? NONE_NAMED })
  }

  /** The service fails: none of the connection's shows is asked for until they are due again. */
  async putOff(connectionId: string): Promise<void> {
    await this.knex("svc_live_event AS e")
      .where("e.connection_id", connectionId)
      .whereRaw(IS_DUE)
      .update({ price_asked_at: this.knex.fn.now() })
  }

  /** Milliseconds until a show falls due, by connection: 0, or left out where none is. The job of the minute asks again. */
  async dueInMs(connectionId?: string): Promise<Map<string, number>> {
    const rows: { connection_id: string }[] = await this.knex("svc_live_event AS e")
      .distinct("e.connection_id")
      .join("svc_connection AS c", "c.id", "e.connection_id")
      .where("c.token_refused", false)
      .whereNot("c.status", "undeclared")
      .whereNull("c.deleted_at")
      .whereRaw(`${IS_DUE} AND EXISTS (${SOLD})`)
      .modify((due) => connectionId !== undefined && due.where("e.connection_id", connectionId))
    return new Map(rows.map(({ connection_id }) => [connection_id, 0]))
  }
}

/**
 * SQL: the currency that is known of a show, by its name in the statement; null where none is, and where the answer is so
 * old that nobody asks any more.
 */
export const knownCurrency = (event: string): string =>
  `CASE WHEN ${event}.price_asked_at > now() - interval '1 hour' THEN nullif(${event}.price_currency, '${NONE_NAMED}') END`
