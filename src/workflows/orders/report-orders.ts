import type { MedusaContainer } from "@medusajs/framework/types"
import { SvcError } from "../../client"
import { refusalCode, SVC_MODULE, type SvcModuleService, SvcRefusal } from "../../modules/svc"
import { afterFailedReport } from "../../modules/svc/orders/after-report"
import type { AttributionRow } from "../../modules/svc/orders/attribution-rows"
import { judgeReport, type OrderFacts } from "../../modules/svc/orders/judge-report"
import { EXCLUDED, FAILED } from "../../modules/svc/orders/reasons"
import { fieldsOf } from "../../modules/svc/orders/report-fields"
import type { ReportSettings } from "../../modules/svc/orders/report-settings"
import { backoffMs } from "../../modules/svc/shared/backoff"
import { messageOf } from "../../modules/svc/shared/error-message"
import { sqlProblem } from "../../modules/svc/shared/sql-error"
import { wakeLedger } from "./keep-ledger"
import { announceOrders } from "./order-events"
import { loadReportSettings } from "./settings"

/** Calls under way at a time, for each connection and process. */
const BATCH = 20
/** Ends a pass that always finds new rows, so that others have their turn; an alarm takes up the rest at once. */
const MAX_BATCHES = 50
/** Under the lease by far, so that a row is judged by whoever sent it. */
const TIMEOUT_MS = 15_000
/** What a report waits for comes with an event; this is for events that were lost. */
const LOOK_AGAIN_MS = 15 * 60_000
/** The store's own code failed: it may be corrected at the next start. */
const FIELDS_RETRY_MS = 5 * 60_000

/**
 * Reports what is due at one connection, until nothing is. Any number of processes may run this at once: each claims rows
 * of its own, calls the service outside any transaction, and completes under its lease. A process that dies leaves its
 * rows due when the lease ends; the service is told the same number again under the same idempotency key (gap 47).
 */
export async function reportDueOrders(
  container: MedusaContainer,
  connectionId: string,
): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    if (svc.leases.closed) return
    const due = await svc.attributions.claimDue(connectionId, BATCH, svc.leases.newToken())
    if (due.length === 0) return
    await reportRows(container, due, "inBackground")
  }
}

/**
 * "Report again": tells the service about one order now, while a person waits; the outcome stands in the row.
 *
 * @throws SvcRefusal `not_found`, `order_number_used` where another order has the number, `order_not_reportable` where the order was
 *   cancelled or is gone
 */
export async function reportNow(container: MedusaContainer, id: string): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const [row] = await svc.listSvcAttributions({ id })
  if (!row) throw new SvcRefusal("not_found", `There is no attribution with the id "${id}".`)
  const placed = (await svc.placedOrders.read([row.order_id])).get(row.order_id)
  if (!placed || placed.facts.canceledAt) {
    const { message } = placed ? EXCLUDED.order_cancelled() : EXCLUDED.order_deleted()
    throw new SvcRefusal("order_not_reportable", message)
  }
  if (!(await svc.attributions.sendAgain(id))) {
    throw new SvcRefusal(
      "order_number_used",
      row.reason_message ??
        "Another order was reported with this order number already, so this one cannot be.",
    )
  }
  await svc.ledger.admit(row.order_id)
  wakeLedger(container)
  const claimed = await svc.attributions.claimOne(id, svc.leases.newToken())
  if (claimed) await reportRows(container, [claimed], "now")
}

/** Milliseconds until a report falls due, by connection. */
export async function dueReports(
  container: MedusaContainer,
  connectionId?: string,
): Promise<Map<string, number>> {
  return container.resolve(SVC_MODULE).attributions.dueInMs(connectionId)
}

/** Who waits for the call: nobody, or a person. */
type How = "inBackground" | "now"

async function reportRows(
  container: MedusaContainer,
  rows: AttributionRow[],
  how: How,
): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const settings = await loadReportSettings(svc)
  const placed = await svc.placedOrders.read([...new Set(rows.map((row) => row.order_id))])
  await Promise.all(
    rows.map((row) => reportRow(svc, row, placed.get(row.order_id)?.facts ?? null, settings, how)),
  )
  const gone = rows.filter((row) => !placed.has(row.order_id)).map((row) => row.order_id)
  await svc.attributions.forgetDeleted(gone)
  await announceOrders(
    container,
    rows.map((row) => row.id),
  )
}

async function reportRow(
  svc: SvcModuleService,
  row: AttributionRow,
  facts: OrderFacts | null,
  settings: (connectionId: string) => ReportSettings,
  how: How,
): Promise<void> {
  const rows = svc.attributions
  if (await wasTold(svc, row)) return rows.markReported(row)
  const verdict = judgeReport({
    facts,
    hasShowLines: Number(row.units) > 0,
    // What was told once is told again as a person asks, whatever the rules say by now.
    forced: row.forced || row.state === "reported",
    settings: settings(row.connection_id),
    now: new Date(),
  })
  if (verdict.kind === "wait") return rows.markWaiting(row, LOOK_AGAIN_MS, verdict.reason)
  if (verdict.kind === "exclude") return rows.markExcluded(row, verdict.reason)

  let fields: Record<string, unknown>
  try {
    fields = await fieldsOf(svc.options.reportFields, reportedOrder(row, facts))
  } catch (error) {
    const problem = messageOf(error)
    return rows.markDelayed(row, FIELDS_RETRY_MS, FAILED.report_fields_failed(problem))
  }
  await tell(svc, row, fields, how)
}

/**
 * Whether the service accepted an earlier call and the process died before the row said so. It is not told a second time,
 * and an order that was cancelled meanwhile has been told all the same. A person's "Report again" is a call in any case.
 */
async function wasTold(svc: SvcModuleService, row: AttributionRow): Promise<boolean> {
  // The claim has counted this attempt already.
  if (row.state !== "waiting" || row.forced || row.attempts <= 1) return false
  return svc.reportAttempts.wereAccepted(row.id)
}

async function tell(
  svc: SvcModuleService,
  row: AttributionRow,
  fields: Record<string, unknown>,
  how: How,
): Promise<void> {
  const rows = svc.attributions
  const made: { attempt: { id: string; mayHaveTold: boolean } | null } = { attempt: null }
  try {
    await svc.calls[how](row.connection_id, async (client) => {
      // Written here, behind the breaker: a call that was held back is no attempt.
      const attempt = await svc.reportAttempts.begin(row)
      made.attempt = attempt
      const key = `${row.order_id}:${row.svc_order_no}`
      await client.processOrder(row.svc_order_no, key, { timeoutMs: TIMEOUT_MS }, fields)
      await svc.reportAttempts.accepted(attempt.id)
    })
    await rows.markReported(row)
  } catch (error) {
    const { attempt } = made
    if (attempt && error instanceof SvcError) await svc.reportAttempts.failed(attempt.id, error)
    // What was told stays told, whatever came of telling it again.
    if (row.state === "reported") return rows.release(row)
    if (refusalCode(error) === "connection_not_found") {
      return rows.markFailed(row, FAILED.connection_not_found())
    }
    // Our own rows could not be read or written, which says nothing about the service: it is never given up for that.
    if (!(error instanceof SvcError)) {
      const inMs = backoffMs(row.attempts, Math.random())
      return rows.markDelayed(row, inMs, FAILED.report_store_error(sqlProblem(error)))
    }
    const after = afterFailedReport({
      error,
      mayHaveTold: attempt?.mayHaveTold ?? false,
      attempts: row.attempts,
      failingForMs: row.failing_since ? Date.now() - row.failing_since.getTime() : 0,
      random: Math.random(),
    })
    if (after.kind === "reported") await rows.markReported(row)
    else if (after.kind === "retry") await rows.markRetry(row, after.inMs, after.reason)
    else await rows.markFailed(row, after.reason)
  }
}

const reportedOrder = (row: AttributionRow, facts: OrderFacts | null) => ({
  order_id: row.order_id,
  display_id: row.display_id,
  email: facts?.email ?? null,
  currency_code: row.currency_code,
  placed_at: row.placed_at.toISOString(),
  connection_id: row.connection_id,
  campaign_uid: row.campaign_uid,
  svc_order_no: row.svc_order_no,
  units: Number(row.units),
  gross: Number(row.gross),
})
