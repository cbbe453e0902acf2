import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { ProcessLeases } from "../shared/process-leases"
import type { Reason } from "../shared/reason"
import { LISTING_AGE_MS } from "./listing"
import { IS_SOON } from "./lookup-rows"

/** Why the listings of a connection are read (gap 20), in the order of urgency. */
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

/** After these, deliveries of products may have been missed as well, and no listing has those. */
const MISSED: readonly PullCause[] = ["registered", "started", "gap", "recovered", "late"]
export const mayHaveMissedProducts = (cause: PullCause): boolean => MISSED.includes(cause)

/** A connection whose listings are to be read, taken by this worker. */
export type ClaimedPull = {
  id: string
  connection_id: string
  token: string
  cause: PullCause
  clock_skew_ms: number | null
}

/** After so long without us, the service may have given up on deliveries (interface §6.6). */
export const GAP = "10 minutes"

/** A delivery that comes late has the listings read, and a crowd of them once in this time. */
const LATE_EVERY = "1 minute"

/**
 * What was missed until the listings were asked for is surely in one that is asked for this long after: one that is asked
 * for at once may be as old as a listing gets.
 */
const SURELY_NEWER = `interval '${LISTING_AGE_MS + 5_000} milliseconds'`

/** When a row's listings fall due: as wanted, or to confirm the last ones; null where neither is. */
const DUE_AT = `least(
  CASE WHEN w.pulled_at IS NULL OR w.pulled_at < w.pull_wanted_at THEN w.pull_wanted_at END,
  w.confirm_at)`

/**
 * When listings are read: columns of `svc_webhook`, one row for each connection that receives. A worker holds a lease
 * while it reads and renews it page by page, so that one that is killed is followed by another within seconds.
 */
export class PullRows {
  constructor(
    private readonly knex: Knex,
    private readonly leases: ProcessLeases,
  ) {}

  /**
   * Asks for the listings of these connections, or of all. A cause after which products may have been missed stays until
   * a reading has served it, whatever else asks meanwhile.
   */
  async request(cause: PullCause, connectionIds?: string[]): Promise<void> {
    const wanted = this.knex.raw(
      `CASE WHEN (pulled_at IS NULL OR pulled_at < pull_wanted_at) AND pull_cause = ANY(?) THEN pull_cause ELSE ? END`,
      [[...MISSED], cause],
    )
    await this.knex("svc_webhook")
      .whereNull("deleted_at")
      .modify((rows) => connectionIds && rows.whereIn("connection_id", connectionIds))
      .update({
        pull_wanted_at: this.knex.fn.now(),
        pull_cause: mayHaveMissedProducts(cause) ? cause : wanted,
      })
  }

  /**
   * Asks for the listings of a connection because a delivery came late. A reading that is still to begin serves this one
   * as well; beside that they are read once a minute for this reason.
   */
  async requestLate(connectionId: string): Promise<void> {
    await this.knex.raw(
      `UPDATE svc_webhook w SET pull_wanted_at = found.wanted_at, pull_cause = found.cause
       FROM (
         SELECT id,
           CASE WHEN NOT is_wanted
               THEN greatest(now(), CASE WHEN pull_cause = 'late' THEN pulled_at + interval '${LATE_EVERY}' END)
             WHEN is_read AND pull_wanted_at <= now() THEN now() + interval '${LATE_EVERY}'
             ELSE pull_wanted_at END AS wanted_at,
           CASE WHEN is_wanted AND pull_cause = ANY(:missed) THEN pull_cause ELSE 'late' END AS cause
         FROM svc_webhook, LATERAL (SELECT
           coalesce(pull_wanted_at > coalesce(pulled_at, '-infinity'), false) AS is_wanted,
           coalesce(pull_lease_token IS NOT NULL AND pull_lease_until > now(), false) AS is_read) known
         WHERE connection_id = :connectionId AND deleted_at IS NULL
         FOR UPDATE OF svc_webhook
       ) found
       WHERE found.id = w.id
         AND (found.wanted_at, found.cause) IS DISTINCT FROM (w.pull_wanted_at, w.pull_cause)`,
      { connectionId, missed: [...MISSED] },
    )
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
        pull_wanted_at = CASE WHEN before.gap THEN now() ELSE w.pull_wanted_at END,
        pull_cause = CASE WHEN before.gap THEN 'gap' ELSE w.pull_cause END
      FROM (SELECT id, coalesce(alive_at < now() - interval '${GAP}', false) AS gap FROM svc_webhook) before
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
      `UPDATE svc_webhook w SET pull_wanted_at = now(), pull_cause = found.cause
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
                 AND coalesce(w.pulled_at, w.created_at) < greatest(
                   doubtful.heard_at + :age * interval '1 millisecond', now() - interval '1 hour'))
             THEN 'doubt'
           END AS cause
         FROM svc_webhook w,
           LATERAL (SELECT greatest(w.last_delivery_at, w.pulled_at, w.created_at) AS heard_at) heard
         WHERE w.deleted_at IS NULL
       ) found
       WHERE found.id = w.id AND found.cause IS NOT NULL
         AND (w.pull_wanted_at IS NULL OR w.pulled_at >= w.pull_wanted_at)`,
      { age: LISTING_AGE_MS },
    )
  }

  /** Milliseconds until listings fall due, by connection, 0 or less for now; connections without are left out. */
  async dueInMs(connectionId?: string): Promise<Map<string, number>> {
    const { rows } = await this.knex.raw<{ rows: { connection_id: string; ms: number }[] }>(
      `SELECT w.connection_id,
         (extract(epoch FROM greatest(${DUE_AT}, w.pull_lease_until) - now()) * 1000)::float8 AS ms
       FROM svc_webhook w JOIN svc_connection c ON c.id = w.connection_id AND c.deleted_at IS NULL
       WHERE w.deleted_at IS NULL AND ${DUE_AT} IS NOT NULL
         ${connectionId === undefined ? "" : "AND w.connection_id = ?"}`,
      connectionId === undefined ? [] : [connectionId],
    )
    return new Map(rows.map((row) => [row.connection_id, row.ms]))
  }

  /** Takes a connection's listings where they are due and nobody has them. */
  async claim(connectionId: string, leaseMs: number): Promise<ClaimedPull | null> {
    if (this.leases.closed) return null
    const token = this.leases.newToken()
    const { rows } = await this.knex.raw<{
      rows: (Omit<ClaimedPull, "token" | "cause"> & { cause: PullCause | null; wanted: boolean })[]
    }>(
      `UPDATE svc_webhook w
       SET pull_lease_until = now() + ? * interval '1 millisecond', pull_lease_token = ?
       FROM svc_connection c
       WHERE w.connection_id = ? AND c.id = w.connection_id
         AND w.deleted_at IS NULL AND c.deleted_at IS NULL
         AND ${DUE_AT} <= now() AND (w.pull_lease_until IS NULL OR w.pull_lease_until <= now())
       RETURNING w.id, w.connection_id, w.clock_skew_ms, w.pull_cause AS cause,
         coalesce(w.pulled_at IS NULL OR w.pulled_at < w.pull_wanted_at, false) AS wanted`,
      [leaseMs, token, connectionId],
    )
    const [row] = rows
    if (!row) return null
    const { wanted, cause, ...claimed } = row
    return { ...claimed, token, cause: wanted ? (cause ?? "requested") : "confirm" }
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
  async renew(pull: ClaimedPull, leaseMs: number): Promise<boolean> {
    const renewed = await this.#held(pull).update({
      pull_lease_until: this.knex.raw("now() + ? * interval '1 millisecond'", [leaseMs]),
    })
    return renewed === 1
  }

  /**
   * Where what was missed is looked for, the listings are read a second time, once they are surely newer than that.
   *
   * @param startedAt when the listings were asked for: a request that came later is not served by them
   * @param confirmInMs when they have to be read once more before something is believed; null where nothing is open
   * @returns false where another worker has it by now
   */
  async finish(
    trx: Knex.Transaction,
    pull: ClaimedPull,
    startedAt: Date,
    confirmInMs: number | null,
  ): Promise<boolean> {
    const finished = await this.#held(pull, trx).update({
      pulled_at: startedAt,
      pull_lease_until: null,
      pull_lease_token: null,
      last_error: null,
      confirm_at: this.knex.raw(
        `CASE WHEN pull_cause = ANY(:missed) AND :startedAt < pull_wanted_at + ${SURELY_NEWER}
          THEN least(now() + :confirmInMs::float8 * interval '1 millisecond', pull_wanted_at + ${SURELY_NEWER})
          ELSE greatest(now() + :confirmInMs::float8 * interval '1 millisecond',
            CASE WHEN confirm_at > now() AND confirm_at <= now() + ${SURELY_NEWER} THEN confirm_at END)
          END`,
        { confirmInMs, missed: [...MISSED], startedAt },
      ),
      updated_at: this.knex.fn.now(),
    })
    return finished === 1
  }

  /** The next attempt comes when the lease runs out. */
  async fail(pull: ClaimedPull, retryInMs: number, reason: Reason): Promise<void> {
    await this.#held(pull).update({
      last_error: JSON.stringify({ ...reason, at: new Date().toISOString() }),
      pull_lease_until: this.knex.raw("now() + ? * interval '1 millisecond'", [retryInMs]),
      pull_lease_token: null,
      updated_at: this.knex.fn.now(),
    })
  }

  #held({ id, token }: ClaimedPull, knex = this.knex) {
    return knex("svc_webhook").where({ id, pull_lease_token: token })
  }
}
