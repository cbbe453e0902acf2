import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Reason } from "../shared/reason"

/** What the receiver needs of a connection to verify a delivery. Keys are encrypted. */
export type VerificationRow = {
  page_uid: string
  webhook_id: string | null
  signature_key: string | null
  candidate_key: string | null
  /**
   * A create or rotate call is under way: the service may already sign with a key that has not reached us (gap 12).
   */
  rotating: boolean
  /** A rotation's time is over: the key before it must not verify any more. */
  rotation_over: boolean
}

/** After this long a rotation counts as over, whatever came of it (gap 12). */
const ROTATION_MS = 10 * 60_000
/**
 * Deliveries signed with the old key may still arrive for this long after the new key was first seen (interface
 * §6.6).
 */
const AFTER_ROTATION_MS = 15_000

/**
 * Rows of `svc_webhook` where the generated methods do not suffice: the database's clock, and writes with a
 * condition.
 */
export class SubscriberRows {
  constructor(private readonly knex: Knex) {}

  /** One lookup by two unique keys; null where there is no such connection. */
  async forVerification(connectionId: string): Promise<VerificationRow | null> {
    const row = await this.knex("svc_connection AS c")
      .leftJoin("svc_webhook AS w", (on) =>
        on.on("w.connection_id", "c.id").andOnNull("w.deleted_at"),
      )
      .where("c.id", connectionId)
      .whereNull("c.deleted_at")
      .first<VerificationRow | undefined>(
        "c.page_uid",
        "w.id AS webhook_id",
        "w.signature_key",
        "w.candidate_key",
        this.knex.raw("coalesce(w.rotating_until > now(), false) AS rotating"),
        this.knex.raw("coalesce(w.rotating_until <= now(), false) AS rotation_over"),
      )
    return row ?? null
  }

  /** Ends a rotation: at once (null), or some time after its key was first seen. */
  async endRotation(id: string, inMs: number | null): Promise<void> {
    await this.knex("svc_webhook")
      .where({ id })
      .update({
        rotating_until:
          inMs === null ? null : this.knex.raw("now() + ? * interval '1 millisecond'", [inMs]),
        updated_at: this.knex.fn.now(),
      })
  }

  async beginRotation(id: string): Promise<void> {
    await this.endRotation(id, ROTATION_MS)
  }

  /**
   * Makes the candidate the current key, because it verified a delivery. Only if it still is the candidate that was
   * read: another delivery may have promoted it already, or a person may have pasted another key.
   */
  async promote(
    id: string,
    candidate: string,
    key: { signature_key: string; signature_key_fingerprint: string },
  ): Promise<void> {
    await this.knex("svc_webhook")
      .where({ id, candidate_key: candidate })
      .update({
        ...key,
        candidate_key: null,
        signature_key_updated_at: this.knex.fn.now(),
        // A pasted key has no rotation to end.
        rotating_until: this.knex.raw(
          "CASE WHEN rotating_until > now() THEN now() + ? * interval '1 millisecond' END",
          [AFTER_ROTATION_MS],
        ),
        updated_at: this.knex.fn.now(),
      })
  }

  /** Asks for the listings of these connections, or of all (gap 20). */
  async requestResync(connectionIds?: string[]): Promise<void> {
    await this.knex("svc_webhook")
      .whereNull("deleted_at")
      .modify((rows) => connectionIds && rows.whereIn("connection_id", connectionIds))
      .update({ pull_wanted_at: this.knex.fn.now() })
  }

  /**
   * Connections whose listings are due, leased for `leaseMs`. The table has one row per connection and needs no
   * index.
   */
  async claimPulls(
    leaseMs: number,
  ): Promise<{ id: string; connection_id: string; clock_skew_ms: number | null }[]> {
    return this.knex("svc_webhook")
      .whereIn(
        "id",
        this.knex("svc_webhook AS w")
          .join("svc_connection AS c", "c.id", "w.connection_id")
          .select("w.id")
          .whereNull("w.deleted_at")
          .whereNull("c.deleted_at")
          .whereNotNull("w.pull_wanted_at")
          .whereRaw("(w.pulled_at IS NULL OR w.pulled_at < w.pull_wanted_at)")
          .whereRaw("(w.pull_lease_until IS NULL OR w.pull_lease_until <= now())")
          .forUpdate("w")
          .skipLocked(),
      )
      .update({
        pull_lease_until: this.knex.raw("now() + ? * interval '1 millisecond'", [leaseMs]),
      })
      .returning(["id", "connection_id", "clock_skew_ms"])
  }

  /** @param startedAt when the listings were asked for: a request that came later is not served by them */
  async pulled(id: string, startedAt: Date): Promise<void> {
    await this.knex("svc_webhook").where({ id }).update({
      pulled_at: startedAt,
      pull_lease_until: null,
      last_error: null,
      updated_at: this.knex.fn.now(),
    })
  }

  /** The next attempt comes when the lease runs out. */
  async pullFailed(id: string, retryInMs: number, reason: Reason): Promise<void> {
    await this.knex("svc_webhook")
      .where({ id })
      .update({
        last_error: JSON.stringify({ ...reason, at: new Date().toISOString() }),
        pull_lease_until: this.knex.raw("now() + ? * interval '1 millisecond'", [retryInMs]),
        updated_at: this.knex.fn.now(),
      })
  }

  /**
   * Asks for the listings where no delivery came for suspiciously long (gap 20): 15 minutes while a show is live or
   * about to begin, else 6 hours. Also where two deliveries tied (gap 3).
   */
  async requestResyncWhereSilent(): Promise<void> {
    await this.knex.raw(`
      UPDATE svc_webhook w SET pull_wanted_at = now()
      WHERE w.deleted_at IS NULL
        AND (w.pulled_at IS NULL OR w.pull_wanted_at IS NULL OR w.pulled_at >= w.pull_wanted_at)
        AND (
          greatest(w.last_delivery_at, w.pulled_at, w.created_at) < now() - interval '6 hours'
          OR (
            greatest(w.last_delivery_at, w.pulled_at, w.created_at) < now() - interval '15 minutes'
            AND EXISTS (
              SELECT 1 FROM svc_live_event e
              WHERE e.connection_id = w.connection_id AND e.deleted_at IS NULL
                AND e.deleted_in_svc_at IS NULL
                AND (e.status = 'live' OR (e.status = 'planned'
                  AND e.starts_at BETWEEN now() - interval '2 hours' AND now() + interval '15 minutes'))
            )
          )
          OR (
            coalesce(w.pulled_at, w.created_at) < now() - interval '2 minutes'
            AND EXISTS (
              SELECT 1 FROM svc_live_event e
              WHERE e.connection_id = w.connection_id AND e.deleted_at IS NULL AND e.needs_reread
                AND e.updated_at > coalesce(w.pulled_at, w.created_at)
            )
          )
        )`)
  }
}
