import { randomUUID } from "node:crypto"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** A table with leases, and which of its rows can be leased (an index serves it). */
type Leased = { table: string; open: string }

/**
 * The leases of this process. Its tokens have a common beginning, so that a process that is asked to end can give back
 * whatever it holds: other workers go on at once, instead of when the leases run out.
 */
export class ProcessLeases {
  readonly #process = randomUUID()
  readonly #tables = new Map<string, Leased>()
  #closed = false

  constructor(private readonly knex: Knex) {}

  /** Says that a table, whose rows are of connections, has leases of this process (`WorkRows` does). */
  covers(leased: Leased): void {
    this.#tables.set(leased.table, leased)
  }

  /** A token for one lease, or for all of one run. */
  newToken(): string {
    return `${this.#process}:${randomUUID()}`
  }

  /** True once the process was asked to end: no work is begun any more. */
  get closed(): boolean {
    return this.#closed
  }

  close(): void {
    this.#closed = true
  }

  /**
   * Makes everything due again that this process has leased. The tokens stay: they say that somebody was at work and may
   * have been heard by the service, and an answer that still comes counts until another worker has the row.
   *
   * @param calling connections of which the service has not answered a call. Their leases outlast it: if another worker called at
   *   once, the service might take the older of two payloads last, and nobody would know
   */
  async giveBack(calling: string[] = []): Promise<void> {
    for (const { table, open } of this.#tables.values()) {
      await this.knex(`${table} as work`)
        .whereRaw(open)
        .where("lease_token", "like", `${this.#process}:%`)
        .whereNotIn("connection_id", calling)
        .update({ lease_until: this.knex.fn.now() })
    }
  }
}
