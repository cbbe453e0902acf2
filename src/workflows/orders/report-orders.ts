import type { MedusaContainer } from "@medusajs/framework/types"
import { SvcError } from "../../client"
import { refusalCode, SVC_MODULE, type SvcModuleService, SvcRefusal } from "../../modules/svc"
import type { AttributionRow } from "../../modules/svc/orders"
import {
  afterFailedReport,
  EXCLUDED,
  FAILED,
  fieldsOf,
  judgeReport,
  type OrderFacts,
  type ReportFields,
} from "../../modules/svc/orders"
import { backoffMs } from "../../modules/svc/shared/backoff"
import { messageOf } from "../../modules/svc/shared/error-message"
import { reasonOf } from "../../modules/svc/shared/reason"
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
    if ((await svc.connections.holds.heldForMs("orders", connectionId)).size > 0) return
    const due = await svc.orders.attributions.claimDue(connectionId, BATCH)
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
  const placed = (await svc.orders.placedOrders.read([row.order_id])).get(row.order_id)
  if (!placed || placed.facts.canceledAt) {
    const { message } = placed ? EXCLUDED.order_cancelled() : EXCLUDED.order_deleted()
    throw new SvcRefusal("order_not_reportable", message)
  }
  if (!(await svc.orders.attributions.sendAgain(id))) {
    throw new SvcRefusal(
      "order_number_used",
      row.reason_message ??
        "Another order was reported with this order number already, so this one cannot be.",
    )
  }
  await svc.orders.ledger.admit(row.order_id)
  wakeLedger(container)
  const claimed = await svc.orders.attributions.claimOne(id)
  if (claimed) await reportRows(container, [claimed], "now")
}

/** Milliseconds until a report falls due, by connection. */
export async function dueReports(
  container: MedusaContainer,
  connectionId?: string,
): Promise<Map<string, number>> {
  const svc = container.resolve(SVC_MODULE)
  const [due, held] = await Promise.all([
    svc.orders.attributions.dueInMs(connectionId),
    svc.connections.holds.heldForMs("orders", connectionId),
  ])
  for (const [id, ms] of due) due.set(id, Math.max(ms, held.get(id) ?? ms))
  return due
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
  const placed = await svc.orders.placedOrders.read([...new Set(rows.map((row) => row.order_id))])
  await Promise.all(
    rows.map((row) => reportRow(svc, row, placed.get(row.order_id)?.facts ?? null, settings, how)),
  )
  const gone = rows.filter((row) => !placed.has(row.order_id)).map((row) => row.order_id)
  await svc.orders.attributions.forgetDeleted(gone)
  await announceOrders(
    container,
    rows.map((row) => row.id),
  )
}

async function reportRow(
  svc: SvcModuleService,
  row: AttributionRow,
  facts: OrderFacts | null,
  settings: Awaited<ReturnType<typeof loadReportSettings>>,
  how: How,
): Promise<void> {
  const rows = svc.orders.attributions
  const told = await toldSoFar(svc, row)
  if (told === "accepted") return rows.markReported(row)
  const verdict = judgeReport({
    facts,
    mayHaveTold: told === "unknown",
    // What was told once is told again as a person asks, whatever the rules say by now.
    forced: row.forced || row.state === "reported",
    ...settings(row.connection_id),
    excludeEmails: svc.options.excludeEmails,
    now: new Date(),
  })
  if (verdict.kind === "wait") return rows.markWaiting(row, LOOK_AGAIN_MS, verdict.reason)
  if (verdict.kind === "exclude") return rows.markExcluded(row, verdict.reason)

  let fields: Record<string, unknown> = {}
  try {
    const { reportFields } = svc.options
    if (reportFields) fields = await fieldsOf(reportFields, await reportedOrder(svc, row, facts))
  } catch (error) {
    const problem = messageOf(error)
    return rows.markDelayed(row, FIELDS_RETRY_MS, FAILED.report_fields_failed(problem))
  }
  await tell(svc, row, fields, how)
}

/**
 * What earlier calls came to. One that was accepted is not made a second time: the process died before the row said so, and
 * an order that was cancelled meanwhile has been told all the same. A person's "Report again" is a call in any case.
 */
async function toldSoFar(
  svc: SvcModuleService,
  row: AttributionRow,
): Promise<"accepted" | "unknown" | "no"> {
  // The claim has counted this attempt already.
  if (row.state !== "waiting" || row.forced || row.attempts <= 1) return "no"
  return svc.orders.reportAttempts.toldSoFar(row.id)
}

async function tell(
  svc: SvcModuleService,
  row: AttributionRow,
  fields: Record<string, unknown>,
  how: How,
): Promise<void> {
  const rows = svc.orders.attributions
  const made: { attempt: { id: string; mayHaveTold: boolean } | null } = { attempt: null }
  try {
    await svc.connections.calls[how](row.connection_id, "orders", async (client) => {
      // Written here, behind the hold: a call that was held back is no attempt.
      const attempt = await svc.orders.reportAttempts.begin(row)
      made.attempt = attempt
      const key = `${row.order_id}:${row.svc_order_no}`
      await client.processOrder(row.svc_order_no, key, { timeoutMs: TIMEOUT_MS }, fields)
      await svc.orders.reportAttempts.accepted(attempt.id)
    })
    await rows.markReported(row)
  } catch (error) {
    const { attempt } = made
    if (attempt && error instanceof SvcError)
      await svc.orders.reportAttempts.failed(attempt.id, error)
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
    // Another worker finds out whether the service takes reports again: nothing was tried here.
    if (error.code === "svc_paused") {
      return rows.markWaiting(row, error.retryAfterMs ?? 0, reasonOf(error))
    }
    const after = afterFailedReport({
      error,
      mayHaveTold: attempt?.mayHaveTold ?? false,
      attempts: row.attempts,
      random: Math.random(),
    })
    if (after.kind === "reported") await rows.markReported(row)
    else if (after.kind === "retry") await rows.markRetry(row, after.inMs, after.reason)
    else await rows.markFailed(row, after.reason)
  }
}

/** What the store's own code is given: of what was sold, what the ledger will say, which may not be made yet. */
async function reportedOrder(
  svc: SvcModuleService,
  row: AttributionRow,
  facts: OrderFacts | null,
): Promise<Parameters<ReportFields>[0]> {
  return {
    order_id: row.order_id,
    display_id: row.display_id,
    email: facts?.email ?? null,
    currency_code: row.currency_code,
    placed_at: row.placed_at.toISOString(),
    connection_id: row.connection_id,
    campaign_uid: row.campaign_uid,
    svc_order_no: row.svc_order_no,
    ...(await svc.orders.ledger.soldIn(row.order_id, {
      connectionId: row.connection_id,
      campaignUid: row.campaign_uid,
    })),
  }
}
