import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { ProcessLeases } from "../shared/process-leases"
import { type Reason, reasonOfRow } from "../shared/reason"
import { type ClaimedWork, ConnectionWork } from "./connection-work"
import { LISTING_AGE_MS, type ListingTime, listingTime } from "./listing"
import { IS_SOON } from "./lookup-rows"
import type { PullCause } from "./pull-causes"

/** As `askForWork` locks rows of many connections: two statements wait for each other's rows only one way round. */
const IN_ORDER = "ORDER BY w.connection_id FOR UPDATE OF w"
/** After so long without us, the service may have given up on deliveries (interface §6.6). */
export const GAP = "10 minutes"
/**
 * What was missed until the listings were asked for is surely in one that is asked for this long after: one that is asked
 * for at once may be as old as a listing gets.
 */
const SURELY_NEWER_MS = LISTING_AGE_MS + 5_000

/**
 * When listings are read. Three times say it: since when something may have been missed, when they are looked at again, and
 * when they were read.
 */
export class PullRows {
  readonly work: ConnectionWork

  constructor(
    private readonly knex: Knex,
    leases: ProcessLeases,
  ) {
    this.work = new ConnectionWork(knex, leases, "listings")
  }

  /** Asks for the listings of these connections, or of all. */
  request(cause: PullCause, connectionIds?: string[], on?: Knex): Promise<void> {
    return this.work.request(connectionIds, cause, on)
  }

  /**
   * To be called each minute by processes that receive: says that we are here, and asks for the listings where we were not
   * for more than ten minutes. What was sent meanwhile may have been given up.
   */
  async noticeGap(): Promise<void> {
    await this.knex.raw(`
      UPDATE svc_connection_work w
      SET alive_at = now(),
        wanted = w.wanted + before.gap::int,
        cause = CASE WHEN before.gap THEN 'gap' ELSE w.cause END,
        missed_at = CASE WHEN before.gap THEN now() ELSE w.missed_at END,
        next_attempt_at = CASE WHEN before.gap THEN NULL ELSE w.next_attempt_at END
      FROM (SELECT w.id, coalesce(w.alive_at, w.created_at) < now() - interval '${GAP}' AS gap
        FROM svc_connection_work w WHERE w.kind = 'listings' AND w.deleted_at IS NULL ${IN_ORDER}) before
      WHERE before.id = w.id`)
  }

  /**
   * Asks for the listings where no delivery came for suspiciously long: 15 minutes while a show is live or about to
   * begin, else 6 hours. Also where deliveries of an event, or of a product of a show that runs or begins soon,
   * contradict each other (gaps 2 and 3), as soon as an answer is surely newer than they are, and then each hour until it
   * is settled. Products are looked up once the listings were read.
   */
  async requestWhereSilent(): Promise<void> {
    await this.knex.raw(
      `UPDATE svc_connection_work w SET wanted = w.wanted + 1, next_attempt_at = NULL, cause = found.cause
       FROM (
         SELECT w.id, why.cause
         FROM svc_connection_work w
           LEFT JOIN svc_webhook hook ON hook.connection_id = w.connection_id AND hook.deleted_at IS NULL,
           LATERAL (SELECT greatest(hook.last_delivery_at, w.read_at, w.created_at) AS heard_at) heard,
           LATERAL (SELECT CASE
           WHEN heard_at < now() - interval '6 hours'
             OR (heard_at < now() - interval '15 minutes' AND EXISTS (
               SELECT 1 FROM svc_live_event e
               WHERE e.connection_id = w.connection_id AND e.deleted_at IS NULL AND e.shown
                 AND e.deleted_in_svc_at IS NULL AND e.absent_at IS NULL
                 AND (e.status = 'live' OR (e.status = 'planned'
                   AND e.starts_at BETWEEN now() - interval '2 hours' AND now() + interval '15 minutes'))))
             THEN 'silence'
           WHEN EXISTS (
               SELECT 1 FROM (
                 SELECT coalesce(e.heard_at, e.updated_at) AS heard_at FROM svc_live_event e
                 WHERE e.connection_id = w.connection_id AND e.deleted_at IS NULL AND e.needs_reread
                   AND e.absent_at IS NULL
                 UNION ALL
                 SELECT coalesce(p.heard_at, p.updated_at) FROM svc_event_product p
                 WHERE p.connection_id = w.connection_id AND p.deleted_at IS NULL AND p.needs_reread
                   AND p.deleted_in_svc_at IS NULL AND NOT p.needs_lookup AND ${IS_SOON}
               ) doubtful
               WHERE doubtful.heard_at < now() - :age * interval '1 millisecond'
                 AND coalesce(w.read_at, w.created_at) < greatest(
                   doubtful.heard_at + :age * interval '1 millisecond', now() - interval '1 hour'))
             THEN 'doubt'
           END AS cause) why
         WHERE w.kind = 'listings' AND w.deleted_at IS NULL AND why.cause IS NOT NULL
           AND (w.wanted = w.acknowledged OR w.next_attempt_at > now())
         ${IN_ORDER}
       ) found
       WHERE found.id = w.id`,
      { age: LISTING_AGE_MS },
    )
  }

  /** How the last reading went, by connection: what stood in its way, and whether it came to the end of the lists. */
  async lastReadings(): Promise<Map<string, { problem: Reason | null; isWhole: boolean | null }>> {
    const rows = await this.knex("svc_connection_work")
      .where({ kind: "listings" })
      .whereNull("deleted_at")
    return new Map(
      rows.map((row) => [
        row.connection_id,
        { problem: reasonOfRow(row), isWhole: row.read_whole },
      ]),
    )
  }

  /** When, and of which moment, what the service is asked for now will be. */
  async time(connectionId: string): Promise<ListingTime> {
    const {
      rows: [now],
    } = await this.knex.raw<{ rows: [{ at: Date; skew: number | null }] }>(
      `SELECT asked.at, hook.clock_skew_ms AS skew FROM (SELECT now() AS at) asked
         LEFT JOIN svc_webhook hook ON hook.connection_id = ? AND hook.deleted_at IS NULL`,
      [connectionId],
    )
    return listingTime(now.at.getTime(), now.skew)
  }

  /**
   * Where what was missed is looked for, the listings are read a second time, once they are surely newer than that.
   *
   * @param reading when the listings were asked for: a request that came later is not served by them; and whether each was
   *   read to its end
   * @param confirmInMs when they have to be read once more before something is believed; null where nothing is open
   * @returns false where another worker has it by now
   */
  finish(
    trx: Knex.Transaction,
    pull: ClaimedWork,
    { startedAt, isWhole }: { startedAt: Date; isWhole: boolean },
    confirmInMs: number | null,
  ): Promise<boolean> {
    const newerInMs =
      pull.missed_at && pull.missed_at.getTime() + SURELY_NEWER_MS - startedAt.getTime()
    const waits = [confirmInMs, newerInMs].flatMap((ms) => (ms !== null && ms > 0 ? ms : []))
    const againInMs = waits.length > 0 ? Math.min(...waits) : null
    const confirms = trx.raw("CASE WHEN wanted > ? THEN cause ELSE 'confirm' END", [pull.wanted])
    const columns = {
      read_at: startedAt,
      read_whole: isWhole,
      ...stillMissed(trx, startedAt),
      ...(againInMs === null ? {} : { cause: confirms }),
    }
    return this.work.settle(pull, againInMs, columns, trx)
  }

  /**
   * The listings could not be read, and are tried again. Lookups of products look for what was missed until they are surely
   * newer than that.
   *
   * @returns false where another worker has it by now
   */
  retry(
    trx: Knex.Transaction,
    pull: ClaimedWork,
    startedAt: Date,
    again: { inMs: number; reason: Reason },
  ): Promise<boolean> {
    return this.work.retry(pull, again.inMs, again.reason, stillMissed(trx, startedAt), trx)
  }
}

/** What is asked for at this moment is surely newer than what was missed before. */
const stillMissed = (trx: Knex.Transaction, startedAt: Date) => ({
  missed_at: trx.raw("CASE WHEN missed_at > ? THEN missed_at END", [
    new Date(startedAt.getTime() - SURELY_NEWER_MS),
  ]),
})
