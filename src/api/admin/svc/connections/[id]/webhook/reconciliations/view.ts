import type { Reconciliation } from "../../../../../../../modules/svc"
import { type Difference, PULL_CAUSES } from "../../../../../../../workflows/shows"

/** What one reading of the listings found. */
export const reconciliationView = (row: Reconciliation) => ({
  id: row.id,
  connection_id: row.connection_id,
  /** A key of the causes, and what it means in English. Written by us alone. */
  cause: row.cause as keyof typeof PULL_CAUSES,
  because: Object.hasOwn(PULL_CAUSES, row.cause)
    ? PULL_CAUSES[row.cause as keyof typeof PULL_CAUSES]
    : row.cause,
  started_at: row.started_at,
  finished_at: row.finished_at,
  listed: row.listed,
  complete: row.complete,
  found: row.found,
  differences: (Array.isArray(row.differences) ? row.differences : []) as Difference[],
})
