import type { Webhook } from "../../../../../../modules/svc"
import { type ReceivingProblem, readList } from "../../../../../../workflows/webhooks"

/**
 * A subscriber as the API shows it. Built field by field: no key leaves the server, encrypted or not.
 *
 * @param problem what is wrong with it, the worst first
 * @param now by the database's clock, as the times of the row are
 */
export const webhookView = (row: Webhook, problem: ReceivingProblem | null, now: number) => ({
  webhook_uid: row.webhook_uid,
  name: row.name,
  url: row.url,
  topics: readList(row.topics),
  custom_headers: readList(row.custom_headers),
  state: row.state,
  signature_key: {
    configured: row.signature_key !== null,
    fingerprint: row.signature_key_fingerprint,
    updated_at: row.signature_key_updated_at,
  },
  // Also while a pasted key waits for the first delivery that it verifies.
  rotating:
    row.candidate_key !== null ||
    (row.rotating_until !== null && row.rotating_until.getTime() > now),
  last_delivery_at: row.last_delivery_at,
  clock_skew_ms: row.clock_skew_ms,
  last_error: problem && { severity: problem.severity, ...problem.reason },
})
