import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { IN_FLIGHT_MS, type KeyColumns } from "./signature-keys"

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

  #newVersion() {
    return {
      key_version: this.knex.raw("key_version + 1"),
      updated_at: this.knex.fn.now(),
    }
  }
}
