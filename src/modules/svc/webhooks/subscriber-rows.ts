import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Webhook } from "../models"
import { newId } from "../shared/ulid"
import { GAP, type PullCause } from "../shows/pull-rows"
import type { Heard } from "./receiver-notes"
import { clampMs } from "./refusal-rows"
import { IN_FLIGHT_MS, type KeyColumns } from "./signature-keys"
import { isNotWell, MISSING, NOT_WELL } from "./webhook-problem"

/** Often where deliveries are given up: once they are sent again, what was missed has to be read within a minute. */
const SOON = "15 seconds"
const LATER = "5 minutes"
/** One process asks at a time; a lookup that failed is tried again after this. Longer than a call may take. */
const LEASE = "30 seconds"

/** What the service told of a subscriber; lists that it did not tell stay as they were. */
export type ToldSubscriber = {
  /** As in interface §3.2, or `MISSING`; null where the answer had none. */
  state: string | null
  /** Where it delivers. */
  url?: string
  topics?: string[]
  /** Names only. */
  customHeaders?: string[]
}

/** What a row says of a webhook where there is none. */
const NO_WEBHOOK = {
  webhook_uid: null,
  name: null,
  url: null,
  topics: "[]",
  custom_headers: "[]",
  state: null,
  signature_key: null,
  signature_key_fingerprint: null,
  signature_key_updated_at: null,
  candidate_key: null,
  rotation: null,
  rotating_until: null,
  last_delivery_at: null,
  clock_skew_ms: null,
  refreshed_at: null,
  look_up_at: null,
  applying_paused_at: null,
} as const

/** Whether a row says nothing of a webhook. One whose key was lost still has the key's fingerprint. */
export const isNoWebhook = (row: Webhook): boolean =>
  (row.url ?? row.webhook_uid ?? row.signature_key_fingerprint ?? row.candidate_key) === null

/** Rows of `svc_webhook` where the generated methods do not suffice: the database's clock, and guarded writes. */
export class SubscriberRows {
  constructor(private readonly knex: Knex) {}

  /**
   * Makes the row of each connection that has none. It is there from the first day, because it also says when the listings
   * are read, with or without a webhook.
   */
  async ensure(): Promise<void> {
    const lacking: { id: string }[] = await this.knex("svc_connection AS c")
      .select("c.id")
      .whereNull("c.deleted_at")
      .whereNotExists(
        this.knex("svc_webhook AS w").whereRaw("w.connection_id = c.id AND w.deleted_at IS NULL"),
      )
    if (lacking.length === 0) return
    await this.knex("svc_webhook")
      .insert(lacking.map(({ id }) => ({ id: newId("svcwh"), connection_id: id, ...NO_WEBHOOK })))
      .onConflict(this.knex.raw("(connection_id) WHERE deleted_at IS NULL"))
      .ignore()
  }

  /** Forgets the webhook, its keys too. What is known of the listings stays. */
  async clear(id: string): Promise<void> {
    await this.knex("svc_webhook")
      .where({ id })
      .update({ ...NO_WEBHOOK, ...this.#newVersion() })
  }

  /** Writes columns of keys. Receivers that keep keys in memory notice by the version. */
  async changeKeys(id: string, columns: Partial<KeyColumns>): Promise<void> {
    await this.knex("svc_webhook")
      .where({ id })
      .update({ ...columns, ...this.#newVersion() })
  }

  /**
   * Makes the candidate the current key, because it verified a delivery. Only if it still is the candidate that was
   * read: another delivery may have promoted it already, or a person may have pasted another key. Deliveries signed
   * with the key before it may still be on their way where it was rotated from here.
   *
   * @returns false where it was not the candidate any more
   */
  async promote(
    id: string,
    candidate: string,
    columns: Omit<KeyColumns, "rotation" | "rotating_until">,
  ): Promise<boolean> {
    const promoted = await this.knex("svc_webhook")
      .where({ id, candidate_key: candidate })
      .update({
        ...columns,
        signature_key_updated_at: this.knex.fn.now(),
        rotation: this.knex.raw("CASE WHEN rotating_until > now() THEN 'answered' END"),
        rotating_until: this.knex.raw(
          "CASE WHEN rotating_until > now() THEN now() + ? * interval '1 millisecond' END",
          [IN_FLIGHT_MS],
        ),
        ...this.#newVersion(),
      })
    return promoted === 1
  }

  /**
   * A delivery was kept. Others that were signed with the key before may still be on their way for a moment after the new
   * one was first seen (gap 12).
   *
   * A key that was pasted came without the id of its webhook, whose state nobody could ask for (interface §3.2). Who signs
   * with the key names it (§2.5): it is kept where none is known, or the service knows the known one no more, and its
   * state is looked up next. Not where the webhook was removed meanwhile.
   */
  async heard(
    { connectionId, at, skewMs, isNewKey, subscriberUid }: Heard,
    timeoutMs: number,
  ): Promise<void> {
    const adopts = `:subscriberUid::text <> coalesce(webhook_uid, '') AND signature_key IS NOT NULL
      AND (webhook_uid IS NULL OR state = '${MISSING}')`
    await this.knex
      .raw(
        `UPDATE svc_webhook SET last_delivery_at = greatest(last_delivery_at, :at), clock_skew_ms = :skewMs,
           webhook_uid = CASE WHEN ${adopts} THEN :subscriberUid ELSE webhook_uid END,
           state = CASE WHEN ${adopts} THEN NULL ELSE state END,
           look_up_at = CASE WHEN ${adopts} THEN NULL ELSE look_up_at END,
           rotating_until = CASE WHEN rotation = 'answered' AND :isNewKey
             THEN least(rotating_until, now() + :inFlightMs * interval '1 millisecond') ELSE rotating_until END
         WHERE connection_id = :connectionId AND deleted_at IS NULL`,
        {
          connectionId,
          at,
          skewMs: clampMs(skewMs),
          isNewKey,
          subscriberUid,
          inFlightMs: IN_FLIGHT_MS,
        },
      )
      .timeout(timeoutMs)
  }

  /**
   * Writes what the service told of the subscriber that it was asked for, and asks for the listings where deliveries were
   * given up before and are not any more (interface §3.2), or where the service was not reached for more than ten
   * minutes: then it may not have reached us either, and may have given up on deliveries without a change of its state.
   * All at once, so that whoever is killed leaves nothing undone.
   *
   * @returns the state before, and why the listings are read; null where the row has another subscriber by now, or is
   *   gone: then nothing is written
   */
  async told(
    id: string,
    webhookUid: string,
    { state, url, topics, customHeaders }: ToldSubscriber,
  ): Promise<{ before: string | null; pull: PullCause | null } | null> {
    const { rows } = await this.knex.raw<{
      rows: { before: string | null; pull: PullCause | null }[]
    }>(
      `UPDATE svc_webhook w
       SET state = :state, refreshed_at = now(), look_up_at = now() + :next::interval, updated_at = now(),
         url = coalesce(:url, w.url), topics = coalesce(:topics::jsonb, w.topics),
         custom_headers = coalesce(:customHeaders::jsonb, w.custom_headers),
         wanted = w.wanted + (found.pull IS NOT NULL)::int, cause = coalesce(found.pull, w.cause),
         missed_at = CASE WHEN found.pull IS NULL THEN w.missed_at ELSE now() END,
         next_attempt_at = CASE WHEN found.pull IS NULL THEN w.next_attempt_at END
       FROM (
         SELECT id, state, CASE
           WHEN :isNotWell THEN NULL
           WHEN state = ANY(:notWell) THEN 'recovered'
           WHEN refreshed_at < now() - interval '${GAP}' THEN 'gap'
         END AS pull
         FROM svc_webhook
         WHERE id = :id AND webhook_uid = :webhookUid AND deleted_at IS NULL
         FOR UPDATE
       ) found
       WHERE found.id = w.id
       RETURNING found.state AS before, found.pull`,
      {
        id,
        webhookUid,
        state,
        url: url ?? null,
        topics: topics ? JSON.stringify(topics) : null,
        customHeaders: customHeaders ? JSON.stringify(customHeaders) : null,
        isNotWell: isNotWell(state),
        notWell: [...NOT_WELL],
        next: isNotWell(state) ? SOON : LATER,
      },
    )
    return rows[0] ?? null
  }

  /** Whether the service told a subscriber's state longer ago than this, or never. */
  async isOlderThan(id: string, ms: number): Promise<boolean> {
    const fresh = await this.knex("svc_webhook")
      .where({ id })
      .whereRaw("refreshed_at >= now() - ? * interval '1 millisecond'", [ms])
      .first("id")
    return fresh === undefined
  }

  /** Milliseconds until a subscriber's state is to be looked up, by connection, 0 or less for now. */
  async lookUpInMs(connectionId?: string): Promise<Map<string, number>> {
    const { rows } = await this.knex.raw<{ rows: { connection_id: string; ms: number }[] }>(
      `SELECT w.connection_id,
         coalesce(extract(epoch FROM w.look_up_at - now()) * 1000, 0)::float8 AS ms
       FROM svc_webhook w JOIN svc_connection c ON c.id = w.connection_id AND c.deleted_at IS NULL
       WHERE w.deleted_at IS NULL AND w.webhook_uid IS NOT NULL
         ${connectionId === undefined ? "" : "AND w.connection_id = ?"}`,
      connectionId === undefined ? [] : [connectionId],
    )
    return new Map(rows.map((row) => [row.connection_id, row.ms]))
  }

  /**
   * Takes the lookup of a subscriber's state, so that one of several processes asks.
   *
   * @returns false where none is due
   */
  async takeLookUp(connectionId: string): Promise<boolean> {
    const { rowCount } = await this.knex.raw<{ rowCount: number }>(
      `UPDATE svc_webhook SET look_up_at = now() + interval '${LEASE}'
       WHERE connection_id = ? AND deleted_at IS NULL AND webhook_uid IS NOT NULL
         AND coalesce(look_up_at <= now(), true)`,
      [connectionId],
    )
    return rowCount > 0
  }

  /** Asks no sooner than after this time: the service wants to be left alone. */
  async postponeLookUp(id: string, ms: number): Promise<void> {
    await this.knex("svc_webhook")
      .where({ id })
      .update({
        look_up_at: this.knex.raw("greatest(look_up_at, now() + ? * interval '1 millisecond')", [
          ms,
        ]),
      })
  }

  #newVersion() {
    return {
      key_version: this.knex.raw("key_version + 1"),
      updated_at: this.knex.fn.now(),
    }
  }
}
