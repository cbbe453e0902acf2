import { createHash } from "node:crypto"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { isStatementNameRefused } from "./sql-error"

/**
 * One SQL statement that each database connection plans once instead of each time. Planning a statement that reads twenty
 * tables takes Postgres several times as long as running it, while a shopper waits.
 *
 * A pooler that hands each statement to another server connection may not know prepared statements: the first error of
 * that kind turns them off for this process, and the statement runs as any other.
 */
export class Prepared<Row> {
  static #supported = true
  readonly #sql: string
  readonly #name: string

  constructor(sql: string) {
    this.#sql = sql
    // Another text needs another name: a connection keeps what it has planned.
    this.#name = `svc-${createHash("sha256").update(sql).digest("hex").slice(0, 16)}`
  }

  async run(knex: Knex, bindings: Readonly<Record<string, Knex.RawBinding>>): Promise<Row[]> {
    if (!Prepared.#supported) return this.#query(knex, bindings, {})
    try {
      return await this.#query(knex, bindings, { name: this.#name })
    } catch (error) {
      if (!isStatementNameRefused(error)) throw error
      Prepared.#supported = false
      return this.#query(knex, bindings, {})
    }
  }

  async #query(
    knex: Knex,
    bindings: Readonly<Record<string, Knex.RawBinding>>,
    options: Readonly<Record<string, string>>,
  ): Promise<Row[]> {
    const { rows } = await knex.raw<{ rows: Row[] }>(this.#sql, bindings).options(options)
    return rows
  }
}
