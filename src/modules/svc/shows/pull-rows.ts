import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { ProcessLeases } from "../shared/process-leases"
import type { Reason } from "../shared/reason"
import { type WorkRow, WorkRows } from "../shared/work-rows"
import { LISTING_AGE_MS } from "./listing"
import { IS_SOON } from "./lookup-rows"

/** Why the listings of a connection are read (gap 20), for people. */
export const PULL_CAUSES = {
  requested: "a person asked for it",
  registered: "the webhook was registered",
  started: "the store was started",
  gap: "the store, or the service, was away for more than ten minutes",
  recovered: "the service began to send again",
  late: "a delivery came as late as the service's last attempt, or later",
  silence: "no delivery came for suspiciously long",
  doubt: "deliveries contradict each other",
  confirm: "the last listing said something that has to be seen twice, or may have been too old",
  nightly: "once a day",
} as const
export type PullCause = keyof typeof PULL_CAUSES

/** Deliveries, those of products too, may have been missed: no listing has products. */
const MISSED: readonly PullCause[] = ["registered", "gap", "recovered", "late"]

/** A connection whose listings are to be read, taken by this worker. */
export type ClaimedPull = WorkRow & {
  connection_id: string
  cause: PullCause | null
  /** Since when deliveries may have been missed; null where none may. */
  missed_at: Date | null
  clock_skew_ms: number | null
}

/** After so long without us, the service may have given up on deliveries (interface §6.6). */
export const GAP = "10 minutes"
/**
 * What was missed until the listings were asked for is surely in one that is asked for this long after: one that is asked
 * for at once may be as old as a listing gets.
 */
const SURELY_NEWER_MS = LISTING_AGE_MS + 5_000

/**
 * When listings are read: work on `svc_webhook`, which has a row for each connection. Three times say it: since when
 * something may have been missed, when they are looked at again, and when they were read.
 */
export class PullRows {
  readonly #work: WorkRows<ClaimedPull>

  constructor(
    private readonly knex: Knex,
    leases: ProcessLeases,
  ) {
    this.#work = new WorkRows(knex, leases, {
      name: "svc_webhook",
      open: "work.wanted > work.acknowledged",
      order: "work.next_attempt_at",
      generations: true,
    })
  }

  /** Asks for the listings of these connections, or of all. */
  async request(cause: PullCause, connectionIds?: string[]): Promise<void> {
    await this.knex("svc_webhook")
      .whereNull("deleted_at")
      .modify((rows) => connectionIds && rows.whereIn("connection_id", connectionIds))
      .update({
        wanted: this.knex.raw("wanted + 1"),
        next_attempt_at: null,
        cause,
        ...(MISSED.includes(cause) ? { missed_at: this.knex.fn.now() } : {}),
      })
  }

  /**
   * To be called each minute: says that we are here, and asks for the listings where we were not for more than ten
   * minutes. What was sent meanwhile may have been given up.
   *
   * @returns how many connections were asked for
   */
  async noticeGap(): Promise<number> {
    const { rows } = await this.knex.raw<{ rows: { gap: boolean }[] }>(`
      UPDATE svc_webhook w
      SET alive_at = now(),
        wanted = w.wanted + before.gap::int,
        cause = CASE WHEN before.gap THEN 'gap' ELSE w.cause END,
        missed_at = CASE WHEN before.gap THEN now() ELSE w.missed_at END,
        next_attempt_at = CASE WHEN before.gap THEN NULL ELSE w.next_attempt_at END
      FROM (SELECT id, coalesce(alive_at, created_at) < now() - interval '${GAP}' AS gap FROM svc_webhook) before
      WHERE before.id = w.id AND w.deleted_at IS NULL
      RETURNING before.gap`)
    return rows.filter(({ gap }) => gap).length
  }

  /**
   * Asks for the listings where no delivery came for suspiciously long: 15 minutes while a show is live or about to
   * begin, else 6 hours. Also where deliveries of an event, or of a product of a show that runs or begins soon,
   * contradict each other (gaps 2 and 3), as soon as an answer is surely newer than they are, and then each hour until it
   * is settled. Products are looked up once the listings were read.
   */
  async requestWhereSilent(): Promise<void> {
    await this.knex.raw(
      `UPDATE svc_webhook w SET wanted = w.wanted + 1, next_attempt_at = NULL, cause = found.cause
       FROM (
         SELECT w.id, CASE
           WHEN heard_at < now() - interval '6 hours'
             OR (heard_at < now() - interval '15 minutes' AND EXISTS (
               SELECT 1 FROM svc_live_event e
               WHERE e.connection_id = w.connection_id AND e.deleted_at IS NULL
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
                   AND p.deleted_in_svc_at IS NULL AND p.lookup_at IS NULL AND ${IS_SOON}
               ) doubtful
               WHERE doubtful.heard_at < now() - :age * interval '1 millisecond'
                 AND coalesce(w.read_at, w.created_at) < greatest(
                   doubtful.heard_at + :age * interval '1 millisecond', now() - interval '1 hour'))
             THEN 'doubt'
           END AS cause
         FROM svc_webhook w,
           LATERAL (SELECT greatest(w.last_delivery_at, w.read_at, w.created_at) AS heard_at) heard
         WHERE w.deleted_at IS NULL
       ) found
       WHERE found.id = w.id AND found.cause IS NOT NULL
         AND (w.wanted = w.acknowledged OR w.next_attempt_at > now())`,
      { age: LISTING_AGE_MS },
    )
  }

  /** Milliseconds until listings fall due, by connection, 0 or less for now; connections without are left out. */
  dueInMs(connectionId?: string): Promise<Map<string, number>> {
    return this.#work.dueInMs(connectionId)
  }

  /** Takes a connection's listings where they are due and nobody has them. */
  async claim(connectionId: string, leaseMs: number): Promise<ClaimedPull | null> {
    const [pull] = await this.#work.claim({
      where: "work.connection_id = :connectionId",
      bindings: { connectionId },
      limit: 1,
      leaseMs,
    })
    return pull ?? null
  }

  /** How far the service's clock is known to be from ours, in ms; null where no delivery told. */
  async clockSkew(connectionId: string): Promise<number | null> {
    const row = await this.knex("svc_webhook")
      .where({ connection_id: connectionId })
      .whereNull("deleted_at")
      .first("clock_skew_ms")
    return row?.clock_skew_ms ?? null
  }

  /** @returns false where another worker has it by now */
  renew(pull: ClaimedPull, leaseMs: number): Promise<boolean> {
    return this.#work.renew(pull, leaseMs)
  }

  /**
   * Where what was missed is looked for, the listings are read a second time, once they are surely newer than that.
   *
   * @param startedAt when the listings were asked for: a request that came later is not served by them
   * @param confirmInMs when they have to be read once more before something is believed; null where nothing is open
   * @returns false where another worker has it by now
   */
  finish(
    trx: Knex.Transaction,
    pull: ClaimedPull,
    startedAt: Date,
    confirmInMs: number | null,
  ): Promise<boolean> {
    const newerInMs =
      pull.missed_at && pull.missed_at.getTime() + SURELY_NEWER_MS - startedAt.getTime()
    const waits = [confirmInMs, newerInMs].flatMap((ms) => (ms !== null && ms > 0 ? ms : []))
    const again = waits.length > 0 ? Math.min(...waits) : null
    const claimed = pull.wanted ?? 0
    return this.#work.settle(
      pull,
      {
        read_at: startedAt,
        missed_at: trx.raw("CASE WHEN missed_at > ? THEN missed_at END", [
          new Date(startedAt.getTime() - SURELY_NEWER_MS),
        ]),
        // Where they were asked for meanwhile they are read at once.
        next_attempt_at: trx.raw(
          "CASE WHEN wanted = ? THEN now() + ?::float8 * interval '1 millisecond' END",
          [claimed, again],
        ),
        ...(again === null
          ? {}
          : {
              acknowledged: claimed - 1,
              cause: trx.raw("CASE WHEN wanted > ? THEN cause ELSE 'confirm' END", [claimed]),
            }),
      },
      trx,
    )
  }

  async fail(pull: ClaimedPull, inMs: number, reason: Reason): Promise<void> {
    await this.#work.retry(pull, { inMs, reason })
  }
}
