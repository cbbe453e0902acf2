import { randomUUID } from "node:crypto"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** Tables with leases: how the columns are called, and which rows can be leased (the condition of an index). */
const LEASED = [
  { table: "svc_catalog_item", prefix: "", leasable: "wanted > acknowledged" },
  { table: "svc_catalog_import", prefix: "", leasable: "status = 'running'" },
  { table: "svc_attribution", prefix: "", leasable: "state = 'waiting'" },
  { table: "svc_webhook", prefix: "pull_", leasable: "TRUE" },
] as const

/**
 * The leases of this process. Its tokens have a common beginning, so that a process that is asked to end can give back
 * whatever it holds: other workers go on at once, instead of when the leases run out.
 */
export class ProcessLeases {
  readonly #process = randomUUID()
  #closed = false

  constructor(private readonly knex: Knex) {}

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

  /** Makes everything due again that this process has leased. Whoever completes it later finds the token gone. */
  async giveBack(): Promise<void> {
    for (const { table, prefix, leasable } of LEASED) {
      await this.knex(table)
        .whereRaw(leasable)
        .where(`${prefix}lease_token`, "like", `${this.#process}:%`)
        .update({ [`${prefix}lease_token`]: null, [`${prefix}lease_until`]: null })
    }
  }
}
