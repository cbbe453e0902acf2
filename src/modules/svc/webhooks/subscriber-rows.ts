import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { isNamed, type Subscriber } from "../../../contract"
import type { Webhook } from "../models"
import { newId } from "../shared/ulid"
import { askForWork } from "../shows/connection-work"
import type { PullCause } from "../shows/pull-causes"
import { GAP } from "../shows/pull-rows"
import type { Heard } from "./receiver-notes"
import { clampMs } from "./refusal-rows"
import { ASKING_MS, IN_FLIGHT_MS, type KeyColumns, ROTATION_MS } from "./signature-keys"
import { isNotWell, MISSING, NOT_WELL } from "./webhook-problem"

/** Rows of `svc_webhook` where the generated methods do not suffice: the database's clock, and guarded writes. */
export class SubscriberRows {
  constructor(private readonly knex: Knex) {}

  /** Makes the row of a webhook that a connection gets now. To be called under its lock. */
  async add(connectionId: string, url: string | null): Promise<Webhook> {
    const none = { topics: "[]", custom_headers: "[]" }
    const [row] = await this.knex("svc_webhook")
      .insert({ id: newId("svcwh"), connection_id: connectionId, url, ...none })
      .returning<Webhook[]>("*")
    if (!row) throw new Error("The database did not answer with the row.")
    return row
  }

  /** Forgets the webhook, its keys too, and what was refused of it: the next one has refused nothing. */
  async remove(id: string): Promise<void> {
    await this.knex.transaction(async (trx) => {
      const [row] = await trx("svc_webhook").where({ id }).delete().returning("connection_id")
      if (row) await trx("svc_refused_delivery").where(row).delete()
    })
  }

  /** Writes columns of keys, and whose they are. Receivers that keep keys in memory notice by the version. */
  async changeKeys(
    id: string,
    columns: Partial<KeyColumns & Pick<Webhook, "webhook_uid" | "subscriber_uid">>,
  ): Promise<void> {
    await this.knex("svc_webhook")
      .where({ id })
      .update({ ...columns, ...this.#newVersion() })
  }

  /**
   * Makes the candidate the current key, because it verified a delivery. Only if it still is the candidate that was
   * read: another delivery may have promoted it already, or a person may have pasted another key. Deliveries signed
   * with the key before it may still be on their way where it was rotated from here.
   *
   * Others may have been refused while it was not known here, so the listings are read (gap 20): asked for at once, or a
   * process that is killed would leave nobody who asks.
   */
  async promote(
    id: string,
    candidate: string,
    columns: Omit<KeyColumns, "rotation" | "rotating_until">,
  ): Promise<void> {
    await this.knex.transaction(async (trx) => {
      const promoted = await trx("svc_webhook")
        .where({ id, candidate_key: candidate })
        .update({
          ...columns,
          rotation: trx.raw("CASE WHEN rotating_until > now() THEN 'answered' END"),
          rotating_until: trx.raw(
            "CASE WHEN rotating_until > now() THEN now() + ? * interval '1 millisecond' END",
            [IN_FLIGHT_MS],
          ),
          ...this.#newVersion(),
        })
        .returning<{ connection_id: string }[]>("connection_id")
      for (const { connection_id: connectionId } of promoted) {
        await askForWork(trx, "listings", [connectionId], "recovered")
      }
    })
  }

  /**
   * A delivery was kept.
   *
   * A key that was pasted came without the id of its webhook, whose state nobody could ask for (interface §3.2). Who signs
   * with the key names it (§2.5): it is kept where none is known, or the service knows the known one no more, and its
   * state is looked up next: both at once, or nobody would ever ask. Not where the webhook was removed meanwhile.
   *
   * Where the answer to a rotation was lost, and the key that we have verifies what can only have been signed after it, the
   * rotation was none: a key that a person pastes must not end the one that works.
   */
  async heard(
    { connectionId, at, skewMs, currentKeyVersion, subscriberUid }: Heard,
    timeoutMs: number,
  ): Promise<void> {
    await this.knex.transaction(async (trx) => {
      const { rows } = await trx
        .raw<{ rows: { adopts: boolean | null }[] }>(
          `UPDATE svc_webhook w SET last_delivery_at = greatest(last_delivery_at, :at), clock_skew_ms = :skewMs,
             subscriber_uid = coalesce(:subscriberUid, subscriber_uid),
             webhook_uid = CASE WHEN before.adopts THEN :subscriberUid ELSE webhook_uid END,
             state = CASE WHEN before.adopts THEN NULL ELSE state END,
             rotation = CASE WHEN rotation = 'asked' AND key_version = :currentKeyVersion
               AND rotating_until - interval '${ROTATION_MS - ASKING_MS - IN_FLIGHT_MS} milliseconds' < :at THEN NULL ELSE rotation END
           FROM (
             SELECT id, :subscriberUid::text <> coalesce(webhook_uid, '') AND signature_key IS NOT NULL
               AND (webhook_uid IS NULL OR state = '${MISSING}') AS adopts
             FROM svc_webhook WHERE connection_id = :connectionId AND deleted_at IS NULL FOR UPDATE
           ) before
           WHERE before.id = w.id RETURNING before.adopts`,
          { connectionId, at, skewMs: clampMs(skewMs), currentKeyVersion, subscriberUid },
        )
        .timeout(timeoutMs)
      if (rows[0]?.adopts) await askForWork(trx, "subscriber", [connectionId])
    })
  }

  /**
   * Writes what the service told of the subscriber that it was asked for, and asks for the listings where deliveries were
   * given up before and are not any more (interface §3.2), or where the service was not reached for more than ten
   * minutes: then it may not have reached us either, and may have given up on deliveries without a change of its state.
   * All at once, so that whoever is killed leaves nothing undone.
   *
   * @param subscriber as the service shows it, null where it does not know it; what it did not tell stays as it was
   * @returns the state before, and why the listings are read; null where the row has another subscriber by now, or is
   *   gone: then nothing is written
   */
  async told(
    id: string,
    webhookUid: string,
    subscriber: Subscriber | null,
  ): Promise<{ before: string | null; pull: PullCause | null } | null> {
    const { url = null, topics, customHeaders } = subscriber ?? {}
    // One that leads to us under another name: what comes of it is no stranger's, whether it is signed with our key or not.
    const other = subscriber && !isNamed(subscriber, webhookUid) ? subscriber.webhookUid : null
    const state = subscriber ? (subscriber.state ?? null) : MISSING
    // Names of headers only: their values may be secrets.
    const names = customHeaders?.map(({ name }) => name)
    return this.knex.transaction(async (trx) => {
      const { rows } = await trx.raw<{
        rows: { connection_id: string; before: string | null; pull: PullCause | null }[]
      }>(
        `UPDATE svc_webhook w
         SET state = :state, refreshed_at = now(), updated_at = now(),
           url = coalesce(:url, w.url), topics = coalesce(:topics::jsonb, w.topics),
           custom_headers = coalesce(:customHeaders::jsonb, w.custom_headers),
           subscriber_uid = coalesce(:other, w.subscriber_uid)
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
         RETURNING w.connection_id, found.state AS before, found.pull`,
        {
          id,
          webhookUid,
          state,
          url,
          topics: topics ? JSON.stringify(topics) : null,
          other,
          customHeaders: names ? JSON.stringify(names) : null,
          isNotWell: isNotWell(state),
          notWell: [...NOT_WELL],
        },
      )
      const [told] = rows
      if (told?.pull) await askForWork(trx, "listings", [told.connection_id], told.pull)
      return told ?? null
    })
  }

  #newVersion() {
    return {
      key_version: this.knex.raw("key_version + 1"),
      updated_at: this.knex.fn.now(),
    }
  }
}
