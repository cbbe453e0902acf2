import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Family } from "../../../contract"
import { LISTING_AGE_MS } from "./listing"
import type { ShowsTransaction } from "./projection-rows"
import type { ProductVariant } from "./read-write"
import { isSoon } from "./soon"

/** A product whose price is looked up, taken by this worker. */
export type OpenProduct = {
  id: string
  kind: Family
  uid: string
  campaign_uid: string
  external_id: string | null
  variants: ProductVariant[]
  data: Record<string, unknown>
  /** The last that was told of it, in ms since the epoch by the service's clock. */
  latest: number
  available: boolean
  /** It was told that the show does not sell it any more, and that it is back may have been missed. */
  mayBeBack: boolean
}

/** A delivery told that the show does not sell it any more. */
const TOLD_GONE = "(p.deleted_in_svc_at IS NOT NULL OR NOT p.available)"
/** What is gone is looked up only where it may be back: see `want`. A delivery that tells it anew settles that. */
const IS_OPEN = "(p.deleted_in_svc_at IS NULL OR p.needs_reread)"

/** Whether a product `p` is in a show that runs, or begins within a day. */
export const IS_SOON = `EXISTS (SELECT 1 FROM svc_live_event e
  WHERE e.connection_id = p.connection_id AND e.campaign_uid = p.campaign_uid
    AND e.deleted_at IS NULL AND e.deleted_in_svc_at IS NULL AND e.absent_at IS NULL
    AND ${isSoon("e")})`

/**
 * Which products of shows are to be looked up: `lookup_at` of `svc_event_product`. A product is marked as the listings
 * were read, and stays marked until the service has answered for it: however many there are, whatever fails meanwhile,
 * and whoever is killed.
 */
export class LookupRows {
  constructor(private readonly knex: Knex) {}

  /**
   * Marks products of which the deliveries left it open what is right.
   *
   * @param missed also those of shows that run or begin soon, because their deliveries may have been missed. Those that
   *   were told to be removed or unavailable are doubtful until the service has answered for them: they may be back. Not
   *   where that was told just now, because the answer may be from a cache, nor where the product is in the show by the
   *   other topic family (gap 6)
   */
  async want(trx: ShowsTransaction, missed: boolean): Promise<void> {
    await trx.raw(
      `UPDATE svc_event_product p SET lookup_at = now(), needs_reread = p.needs_reread OR ${TOLD_GONE}
       WHERE p.connection_id = :connectionId AND p.deleted_at IS NULL
         AND ((p.deleted_in_svc_at IS NULL AND p.needs_reread) OR (:missed AND ${IS_SOON}
           AND (NOT ${TOLD_GONE} OR (coalesce(p.heard_at, p.updated_at) < now() - :age * interval '1 millisecond'
             AND NOT EXISTS (SELECT 1 FROM svc_event_product other
             WHERE other.connection_id = p.connection_id AND other.campaign_uid = p.campaign_uid
               AND other.uid = p.uid AND other.kind <> p.kind AND other.deleted_at IS NULL
               AND other.deleted_in_svc_at IS NULL)))))`,
      { connectionId: trx.connectionId, missed, age: LISTING_AGE_MS },
    )
  }

  /**
   * Takes products that are due, those of shows that run or begin soon first. They are due again when the lease runs out,
   * unless they were settled. In no order beside that: the same ones that fail do not always come first.
   */
  async claim(
    connectionId: string,
    options: { limit: number; leaseMs: number },
  ): Promise<OpenProduct[]> {
    // As an array the rows are chosen once; as a joined table Postgres might choose them again for each row.
    const { rows } = await this.knex.raw<{
      rows: (Omit<OpenProduct, "latest"> & { latest: Date })[]
    }>(
      `UPDATE svc_event_product product SET lookup_at = now() + :leaseMs * interval '1 millisecond'
       WHERE product.id = ANY(ARRAY(
         SELECT p.id FROM svc_event_product p
         WHERE p.connection_id = :connectionId AND p.lookup_at <= now()
           AND p.deleted_at IS NULL AND ${IS_OPEN}
         ORDER BY ${IS_SOON} DESC, random() LIMIT :limit FOR UPDATE SKIP LOCKED
       ))
       RETURNING product.id, product.kind, product.uid, product.campaign_uid, product.external_id,
         product.variants, product.data, greatest(product.occurred_at, product.told_at) AS latest, product.available,
         product.needs_reread AND (product.deleted_in_svc_at IS NOT NULL OR NOT product.available) AS "mayBeBack"`,
      { connectionId, ...options },
    )
    return rows.map(({ latest, ...row }) => ({ ...row, latest: latest.getTime() }))
  }

  /**
   * The service answered for them. One that was marked again meanwhile stays due, and doubtful.
   *
   * @param gone those for which it has no price: they are gone, as they were told to be
   */
  async settle(trx: ShowsTransaction, answered: string[], gone: string[]): Promise<void> {
    if (answered.length === 0) return
    await trx.raw(
      `UPDATE svc_event_product p SET lookup_at = NULL,
         needs_reread = p.needs_reread AND NOT (p.id = ANY(:gone) AND ${TOLD_GONE}),
         updated_at = CASE WHEN p.id = ANY(:gone) THEN now() ELSE p.updated_at END
       WHERE p.id = ANY(:answered) AND p.lookup_at > now()`,
      { answered, gone },
    )
  }

  /** Puts off all that is due: the service fails. */
  async postpone(trx: ShowsTransaction, ms: number): Promise<void> {
    await trx("svc_event_product")
      .where({ connection_id: trx.connectionId })
      .whereRaw("lookup_at <= now()")
      .update({ lookup_at: trx.raw("now() + ? * interval '1 millisecond'", [ms]) })
  }

  /** Milliseconds until products fall due, by connection, 0 or less for now; connections without are left out. */
  async dueInMs(connectionId?: string): Promise<Map<string, number>> {
    const { rows } = await this.knex.raw<{ rows: { connection_id: string; ms: number }[] }>(
      `SELECT p.connection_id, (extract(epoch FROM min(p.lookup_at) - now()) * 1000)::float8 AS ms
       FROM svc_event_product p JOIN svc_connection c ON c.id = p.connection_id AND c.deleted_at IS NULL
       WHERE p.lookup_at IS NOT NULL AND p.deleted_at IS NULL AND ${IS_OPEN}
         ${connectionId === undefined ? "" : "AND p.connection_id = ?"}
       GROUP BY p.connection_id`,
      connectionId === undefined ? [] : [connectionId],
    )
    return new Map(rows.map((row) => [row.connection_id, row.ms]))
  }
}
