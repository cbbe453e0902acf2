import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { Difference } from "./listing-writer"
import type { PullCause } from "./pull-causes"

/** Differences kept of one reading; the number of all is kept beside them. */
const KEPT_DIFFERENCES = 200
/** Readings that found nothing are of interest for a day, the others as long as deliveries that need somebody. */
const KEPT_EMPTY = "1 day"
const KEPT = "90 days"

/** What readings of the listings found that no delivery had told. */
export class ReconciliationRows {
  constructor(private readonly knex: Knex) {}

  async add(reading: {
    connectionId: string
    cause: PullCause
    startedAt: Date
    listed: number
    complete: boolean
    differences: Difference[]
  }): Promise<void> {
    await this.knex("svc_reconciliation").insert({
      id: generateEntityId(undefined, "svcrec"),
      connection_id: reading.connectionId,
      cause: reading.cause,
      started_at: reading.startedAt,
      finished_at: this.knex.fn.now(),
      listed: reading.listed,
      complete: reading.complete,
      found: reading.differences.length,
      differences: JSON.stringify(reading.differences.slice(0, KEPT_DIFFERENCES)),
    })
  }

  /** Whether each connection's listings were read to their end the last time. */
  async latestComplete(): Promise<Map<string, boolean>> {
    const { rows } = await this.knex.raw<{ rows: { connection_id: string; complete: boolean }[] }>(
      `SELECT DISTINCT ON (connection_id) connection_id, complete FROM svc_reconciliation
       WHERE deleted_at IS NULL ORDER BY connection_id, started_at DESC`,
    )
    return new Map(rows.map((row) => [row.connection_id, row.complete]))
  }

  async trim(): Promise<void> {
    await this.knex("svc_reconciliation")
      .whereRaw(
        `finished_at < now() - CASE WHEN found = 0 THEN interval '${KEPT_EMPTY}' ELSE interval '${KEPT}' END`,
      )
      .delete()
  }
}
