import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { SecretPlace } from "./secrets"

/** A secret as it is stored: where, and encrypted. */
export type StoredSecret = SecretPlace & { value: string }

/**
 * Every column that holds an encrypted secret. A new one belongs here, or it would be lost when a key is removed. The token in
 * `left_page` is not here: it is needed for some minutes only, until the page is left.
 */
const SECRET_COLUMNS = [
  { table: "svc_connection", column: "api_token" },
  { table: "svc_webhook", column: "signature_key" },
  { table: "svc_webhook", column: "candidate_key" },
] as const

/** The encrypted secrets of all rows, for changing the key that they are encrypted with. */
export class SecretRows {
  constructor(private readonly knex: Knex) {}

  async all(): Promise<StoredSecret[]> {
    const { rows } = await this.knex.raw<{ rows: StoredSecret[] }>(
      SECRET_COLUMNS.map(
        ({ table, column }) =>
          `SELECT '${table}' AS "table", id, '${column}' AS "column", ${column} AS value
           FROM ${table} WHERE ${column} IS NOT NULL AND deleted_at IS NULL`,
      ).join(" UNION ALL "),
    )
    return rows
  }

  /**
   * Writes the same secret under another key, unless somebody changed it meanwhile. A webhook's key has a version that
   * processes keep in memory; it rises, because a candidate is recognised by its encrypted value.
   *
   * @param fingerprint of the secret under the other key, as deliveries that a signature key verifies name it from now on
   * @returns false where another value stands there by now
   */
  async replace(
    { table, id, column, value }: StoredSecret,
    encrypted: string,
    fingerprint: string,
  ): Promise<boolean> {
    const changed = await this.knex(table)
      .where({ id, [column]: value })
      .update({
        [column]: encrypted,
        ...(table === "svc_webhook" ? { key_version: this.knex.raw("key_version + 1") } : {}),
        ...(column === "signature_key" ? { signature_key_fingerprint: fingerprint } : {}),
      })
    return changed === 1
  }
}
