import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Family } from "../../../contract"
import type { ProcessLeases } from "../shared/process-leases"
import type { Reason } from "../shared/reason"
import { type ClaimedWork, ConnectionWork } from "./connection-work"
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
const OPEN = `p.connection_id = :connectionId AND p.needs_lookup AND p.deleted_at IS NULL
  AND (p.deleted_in_svc_at IS NULL OR p.needs_reread)`
/** The service fails, or answers for none of what was asked: it is left alone for a while. */
const PAUSE_MS = 60_000

/** Whether a product `p` is in a show that runs, or begins within a day. */
export const IS_SOON = `EXISTS (SELECT 1 FROM svc_live_event e
  WHERE e.connection_id = p.connection_id AND e.campaign_uid = p.campaign_uid
    AND e.shown AND e.deleted_at IS NULL AND e.deleted_in_svc_at IS NULL AND e.absent_at IS NULL
    AND ${isSoon("e")})`

/** Products that a worker looks up, and the work that they are. */
export type ClaimedLookups = { work: ClaimedWork; products: OpenProduct[] }

/**
 * Which products of shows are to be looked up. A product is marked as the listings were read, and stays marked until the
 * service has answered for it: however many there are, whatever fails meanwhile, and whoever is killed.
 */
export class LookupRows {
  readonly work: ConnectionWork

  constructor(
    private readonly knex: Knex,
    leases: ProcessLeases,
  ) {
    this.work = new ConnectionWork(knex, leases, "prices")
  }

  /**
   * Marks products of which the deliveries left it open what is right.
   *
   * @param missed also those of shows that run or begin soon, because their deliveries may have been missed. Those that
   *   were told to be removed or unavailable are doubtful until the service has answered for them: they may be back. Not
   *   where that was told just now, because the answer may be from a cache, nor in a topic family that the product has left
   *   (gap 6)
   */
  async want(trx: ShowsTransaction, missed: boolean): Promise<void> {
    const { connectionId } = trx
    const { rowCount } = await trx.raw<{ rowCount: number }>(
      `UPDATE svc_event_product p SET needs_lookup = true, needs_reread = p.needs_reread OR ${TOLD_GONE}
       WHERE p.connection_id = :connectionId AND p.deleted_at IS NULL
         AND ((p.deleted_in_svc_at IS NULL AND p.needs_reread) OR (:missed AND p.shown AND ${IS_SOON}
           AND (NOT ${TOLD_GONE} OR coalesce(p.heard_at, p.updated_at) < now() - :age * interval '1 millisecond')))`,
      { connectionId, missed, age: LISTING_AGE_MS },
    )
    if (rowCount > 0) await this.work.request([connectionId], undefined, trx)
  }

  /**
   * Takes the work of a connection where it is due, and products of it: those of shows that run or begin soon first, and in
   * no order beside that, so that the same ones that fail do not always come first.
   */
  async claim(
    connectionId: string,
    options: { limit: number; leaseMs: number },
  ): Promise<ClaimedLookups | null> {
    const work = await this.work.claim(connectionId, options.leaseMs)
    if (!work) return null
    const { rows } = await this.knex.raw<{
      rows: (Omit<OpenProduct, "latest"> & { latest: Date })[]
    }>(
      `SELECT p.id, p.kind, p.uid, p.campaign_uid, p.external_id, p.variants, p.data,
         greatest(p.occurred_at, p.told_at) AS latest, p.available, p.needs_reread AND ${TOLD_GONE} AS "mayBeBack"
       FROM svc_event_product p WHERE ${OPEN} ORDER BY ${IS_SOON} DESC, random() LIMIT :limit`,
      { connectionId, limit: options.limit },
    )
    const products = rows.map(({ latest, ...row }) => ({ ...row, latest: latest.getTime() }))
    return { work, products }
  }

  /**
   * The service answered for some of them. Where products were marked again meanwhile all stay marked, and doubtful.
   *
   * @param gone those for which it has no price: they are gone, as they were told to be
   * @param failed why it is asked for nothing more for a minute; null where it answered
   * @returns whether there are more that can be asked for at once
   */
  async settle(
    trx: ShowsTransaction,
    { work }: ClaimedLookups,
    { answered, gone, failed }: { answered: string[]; gone: string[]; failed: Reason | null },
  ): Promise<boolean> {
    await trx.raw(
      `UPDATE svc_event_product p SET needs_lookup = false,
         needs_reread = p.needs_reread AND NOT (p.id = ANY(:gone) AND ${TOLD_GONE}),
         updated_at = CASE WHEN p.id = ANY(:gone) THEN now() ELSE p.updated_at END
       WHERE p.id = ANY(:answered)
         AND EXISTS (SELECT 1 FROM svc_connection_work w WHERE w.id = :work AND w.wanted = :wanted)`,
      { answered, gone, work: work.id, wanted: work.wanted },
    )
    if (failed) {
      await this.work.retry(work, PAUSE_MS, failed, {}, trx)
      return false
    }
    const { connectionId } = trx
    const { rows } = await trx.raw<{ rows: unknown[] }>(
      `SELECT 1 FROM svc_event_product p WHERE ${OPEN} LIMIT 1`,
      { connectionId },
    )
    await this.work.settle(work, rows.length > 0 ? 0 : null, {}, trx)
    return rows.length > 0
  }
}
