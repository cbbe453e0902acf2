import type { Sync } from "../../../../../../workflows/catalog"

/** The latest full import of a connection. `rate` is products a second; times are ISO 8601 in UTC. */
export const syncView = (sync: Sync) => ({
  status: sync.status,
  total: sync.total,
  done: sync.done,
  failed: sync.failed,
  rate: sync.rate,
  eta_seconds: sync.eta_seconds,
  started_at: sync.started_at,
  finished_at: sync.finished_at,
  reason: sync.reason,
  next_attempt_at: sync.next_attempt_at,
})
