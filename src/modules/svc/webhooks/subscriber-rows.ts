import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { IN_FLIGHT_MS, type KeyColumns } from "./signature-keys"
import { NOT_WELL } from "./webhook-problem"

/** Often where deliveries are given up: once they are sent again, what was missed has to be read within a minute. */
const LOOK_UP_AT = `w.refreshed_at + CASE WHEN w.state IN ('${NOT_WELL.join("', '")}')
  THEN interval '15 seconds' ELSE interval '5 minutes' END`

/** Rows of `svc_webhook` where the generated methods do not suffice: the database's clock, and guarded writes. */
export class SubscriberRows {
  constructor(private readonly knex: Knex) {}

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
        rotation: this.knex.raw("CASE WHEN rotating_until > now() THEN 'answered' END"),
        rotating_until: this.knex.raw(
          "CASE WHEN rotating_until > now() THEN now() + ? * interval '1 millisecond' END",
          [IN_FLIGHT_MS],
        ),
        ...this.#newVersion(),
      })
    return promoted === 1
  }

  /** Milliseconds until a subscriber's state is to be looked up, by connection, 0 or less for now. */
  async lookUpInMs(connectionId?: string): Promise<Map<string, number>> {
    const { rows } = await this.knex.raw<{ rows: { connection_id: string; ms: number }[] }>(
      `SELECT w.connection_id,
         coalesce(extract(epoch FROM ${LOOK_UP_AT} - now()) * 1000, 0)::float8 AS ms
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
      `UPDATE svc_webhook w SET refreshed_at = now()
       WHERE w.connection_id = ? AND w.deleted_at IS NULL AND w.webhook_uid IS NOT NULL
         AND coalesce(${LOOK_UP_AT} <= now(), true)`,
      [connectionId],
    )
    return rowCount > 0
  }

  #newVersion() {
    return {
      key_version: this.knex.raw("key_version + 1"),
      updated_at: this.knex.fn.now(),
    }
  }
}
