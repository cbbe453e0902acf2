import { setTimeout as sleep } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { MedusaContainer } from "@medusajs/framework/types"
import { SvcError } from "../../client"
import { canonicalHash } from "../../contract"
import { type Connection, SVC_MODULE, type SvcModuleService, SvcRefusal } from "../../modules/svc"
import type { AttributionRow } from "../../modules/svc/orders"
import {
  EXCLUDED,
  entriesOf,
  FAILED,
  fieldsOf,
  judgeReport,
  type PlacedOrder,
  type ReportFields,
  readReportSettings,
  ruleThatLeavesOut,
  soldBy,
} from "../../modules/svc/orders"
import { backoffMs, retryInMs } from "../../modules/svc/shared/backoff"
import { messageOf } from "../../modules/svc/shared/error-message"
import { pageOf } from "../../modules/svc/shared/page-of"
import { type Reason, reasonFor, reasonOf } from "../../modules/svc/shared/reason"
import { sqlProblem } from "../../modules/svc/shared/sql-error"
import { wakeLedger } from "./keep-ledger"
import { announceOrders } from "./order-events"

/**
 * Calls under way at a time, for each connection and process: with those of the catalog fewer than the client has connections.
 * A call that waited for one would be cut off in the middle, after the service has taken it.
 */
const BATCH = 10
/** Ends a pass that always finds new rows, so that others have their turn; an alarm takes up the rest at once. */
const MAX_BATCHES = 50
/** Under the lease by far, so that a row is judged by whoever sent it. */
const TIMEOUT_MS = 15_000
/** How often a person's report looks whether whoever has the row is done. */
const LOOK_MS = 200
/** What a report waits for comes with an event; this is for events that were lost. */
const LOOK_AGAIN_MS = 15 * 60_000
/** The answer for a number that is converted already, or that belongs to something else (gap 47). */
const CONFLICT = 409
/** The endpoint is not there, or the number that the report names. */
const NOT_THERE = [404, 410]
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
    const held = (await svc.connections.holds.of("orders", [connectionId])).get(connectionId)
    if (held && held.ms > 0) return
    // After a hold one goes alone and finds out whether reports are taken again: the others would wait for what it meets.
    const due = await svc.orders.attributions.claim({ connectionId }, held ? 1 : BATCH)
    if (due.length === 0) return
    await reportRows(container, connectionId, due, "inBackground")
  }
}

/**
 * "Report again": tells the service about one order now, while a person waits; the outcome stands in the row.
 *
 * @returns why an order that was reported before was not told again; it stays reported. Null where it was, and for any other,
 *   whose row says what came of it; it still waits where nothing was decided within 15 s
 * @throws SvcRefusal `not_found`, `order_number_used` where another order has the number, `page_left`, `order_not_reportable` where
 *   the order was cancelled or is gone
 */
export async function reportNow(container: MedusaContainer, id: string): Promise<Reason | null> {
  const svc = container.resolve(SVC_MODULE)
  const { attributions, ledger, placedOrders } = svc.orders
  const row = await attributions.find(id)
  if (!row) throw new SvcRefusal("not_found", `There is no attribution with the id "${id}".`)
  const order = (await placedOrders.read([row.order_id])).get(row.order_id)
  if (!order || order.canceledAt) {
    throw new SvcRefusal(
      "order_not_reportable",
      order ? "The order is cancelled, so it is not reported." : EXCLUDED.order_deleted().message,
    )
  }
  const [connection] = await svc.listSvcConnections({ id: row.connection_id })
  if (pageIsLeft(row, connection)) {
    throw new SvcRefusal("page_left", EXCLUDED.page_left().message)
  }
  const isReported = row.state === "reported"
  const isLeftOut = ruleThatLeavesOut(order, svc.options.excludeEmails) !== null
  const admit = (on?: Knex) => ledger.admit(row.order_id, isLeftOut, on)
  if (isReported) await admit()
  else if (!(await attributions.sendAgain(id, admit))) {
    throw new SvcRefusal(
      "order_number_used",
      row.reason_message ??
        "Another order was reported with this order number already, so this one cannot be.",
    )
  }
  wakeLedger(container)
  if (isReported) {
    return connection ? tellAgain(svc, row, order, connection) : FAILED.connection_not_found()
  }
  const giveUpAt = Date.now() + TIMEOUT_MS
  for (;;) {
    const claimed = await attributions.claim({ id }, 1)
    if (claimed.length > 0) await reportRows(container, row.connection_id, claimed, "now")
    const now = await attributions.find(id)
    // A worker has the row, or another person's report took it over: what comes of that call is the answer.
    const isOpen = now?.state === "waiting" && now.next_attempt_at === null
    if (!isOpen || svc.work.leases.closed || Date.now() > giveUpAt) return null
    await sleep(LOOK_MS)
  }
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

/**
 * Whether the connection has another page by now than the one that gave the order's number. That one would refuse it, or
 * take it for an order of its own.
 */
const pageIsLeft = (row: AttributionRow, connection: Connection | undefined): boolean =>
  connection !== undefined && row.page !== pageOf(connection)

async function reportRows(
  container: MedusaContainer,
  connectionId: string,
  rows: AttributionRow[],
  how: How,
): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  // Of a connection that was deleted nothing is reported.
  const [connection] = await svc.listSvcConnections({ id: connectionId })
  const settings = readReportSettings(connection?.report_settings ?? null)
  const orders = await svc.orders.placedOrders.read([...new Set(rows.map((row) => row.order_id))])
  await Promise.all(
    rows.map(async (row) => {
      const order = orders.get(row.order_id)
      if (order) await reportRow(svc, row, order, { connection, settings, how })
    }),
  )
  const gone = rows.filter((row) => !orders.has(row.order_id)).map((row) => row.order_id)
  await svc.orders.attributions.forgetDeleted(gone)
  announceOrders(
    container,
    rows.map((row) => row.id),
  )
}

async function reportRow(
  svc: SvcModuleService,
  row: AttributionRow,
  order: PlacedOrder,
  {
    connection,
    settings,
    how,
  }: {
    connection: Connection | undefined
    settings: ReturnType<typeof readReportSettings>
    how: How
  },
): Promise<void> {
  const rows = svc.orders.attributions
  const { told, mayHaveTold } = await svc.orders.reportAttempts.toldSoFar(row.id)
  // The process died before the row said so, and an order that was cancelled meanwhile has been told all the same. A
  // person who waits has it told again, where the order stands.
  if (told && how === "inBackground") return rows.markReported(row)
  const verdict = judgeReport({
    facts: order,
    mayHaveTold,
    pageIsLeft: pageIsLeft(row, connection),
    forced: row.forced,
    ...settings,
    excludeEmails: svc.options.excludeEmails,
    now: new Date(),
  })
  if (verdict.kind === "exclude") return rows.markExcluded(row, verdict.reason)
  if (!connection) {
    if (told) return rows.markReported(row)
    const { connection_not_found, connection_not_found_maybe_told } = FAILED
    const reason = mayHaveTold ? connection_not_found_maybe_told() : connection_not_found()
    return fail(svc, row, reason)
  }
  if (verdict.kind === "wait") return rows.markWaiting(row, LOOK_AGAIN_MS, verdict.reason)
  try {
    await tell(svc, row, order, { connection, how })
  } catch (error) {
    // What was told stays told, whatever comes of telling it again.
    return told ? rows.markReported(row) : markFailure(svc, row, error)
  }
  await rows.markReported(row)
}

/** What was told stays told, whatever comes of telling it again: the row is left alone. */
async function tellAgain(
  svc: SvcModuleService,
  row: AttributionRow,
  order: PlacedOrder,
  connection: Connection,
): Promise<Reason | null> {
  try {
    await tell(svc, row, order, { connection, how: "now" })
    return null
  } catch (error) {
    return error instanceof SvcError && error.status === CONFLICT ? null : whyNot(error)
  }
}

/** The store's own `reportFields` failed. */
class FieldsError extends Error {}

/**
 * @param connection as the order's page was compared with: read anew, it might have moved since
 * @throws SvcError, FieldsError, and what the store's own database says
 */
async function tell(
  svc: SvcModuleService,
  row: AttributionRow,
  order: PlacedOrder,
  { connection, how }: { connection: Connection; how: How },
): Promise<void> {
  const { reportFields } = svc.options
  const fields = reportFields
    ? await fieldsOf(reportFields, reportedOrder(row, order)).catch((error: unknown) => {
        throw new FieldsError(messageOf(error))
      })
    : {}
  const { reportAttempts } = svc.orders
  await svc.connections.calls[how](connection, "orders", async (client) => {
    // Written here, behind the hold: a call that was held back is no attempt.
    const attempt = await reportAttempts.begin(row.id)
    // In Medusa an order's id opens the order, with the shopper's name and address: it does not leave the store.
    const key = canonicalHash([row.order_id, row.svc_order_no])
    try {
      await client.processOrder(row.svc_order_no, key, { timeoutMs: TIMEOUT_MS }, fields)
    } catch (error) {
      if (error instanceof SvcError) await reportAttempts.failed(attempt, error)
      throw error
    }
    await reportAttempts.accepted(attempt)
  })
}

/** What follows a report that failed: what may still pass is tried again without an end (gap 53). */
async function markFailure(
  svc: SvcModuleService,
  row: AttributionRow,
  error: unknown,
): Promise<void> {
  const { attributions: rows, reportAttempts } = svc.orders
  const reason = whyNot(error)
  if (error instanceof FieldsError) return rows.markRetry(row, FIELDS_RETRY_MS, reason)
  // Our own rows could not be read or written, which says nothing about the service: it is never given up for that.
  if (!(error instanceof SvcError)) {
    return rows.markRetry(row, backoffMs(row.attempts, Math.random()), reason)
  }
  // Another worker finds out whether the service takes reports again: nothing was tried here.
  if (error.isHeldBack) {
    return rows.markWaiting(row, error.retryAfterMs ?? 0, reason)
  }
  // Good news only where we may have told it ourselves, in a call whose answer was lost, or at the same time. At a first call
  // a person must see it.
  if (error.status === CONFLICT) {
    const { mayHaveTold } = await reportAttempts.toldSoFar(row.id)
    return mayHaveTold ? rows.markReported(row) : fail(svc, row, FAILED.order_conflict(error.said))
  }
  if (error.failure === "dead") return fail(svc, row, reason)
  // Numbers come from a browser. While others are taken, it is this one that the service does not know: it holds no other up,
  // and ends, or it would be tried for ever. Once may be a service whose processes are being replaced.
  const { status, said } = error
  if (status !== null && NOT_THERE.includes(status)) {
    const passed = await reportAttempts.passedBetween(row, NOT_THERE)
    if (passed > 0) await svc.connections.holds.answered(row.connection_id, "orders", true)
    if (passed > 1) {
      return fail(svc, row, reasonFor("svc_rejected", { answer: said ?? String(status) }))
    }
  }
  return rows.markRetry(row, retryInMs(error, row.attempts, Math.random()), reason)
}

/** Its order may have been cancelled while the service was asked: whoever makes the ledger looks (`LedgerWriter`). */
async function fail(svc: SvcModuleService, row: AttributionRow, reason: Reason): Promise<void> {
  await svc.orders.attributions.markFailed(row, reason)
  await svc.orders.ledger.markDirty([row.order_id])
}

function whyNot(error: unknown): Reason {
  if (error instanceof FieldsError) return FAILED.report_fields_failed(error.message)
  return error instanceof SvcError ? reasonOf(error) : FAILED.report_store_error(sqlProblem(error))
}

/** What the store's own code is given: of what was sold, what the ledger will say, which may not be made yet. */
function reportedOrder(row: AttributionRow, order: PlacedOrder): Parameters<ReportFields>[0] {
  const { connection_id, campaign_uid } = row
  const entries = entriesOf(order, new Map(Object.entries(order.shows)))
  return {
    order_id: row.order_id,
    display_id: row.display_id,
    email: order.email,
    currency_code: row.currency_code,
    placed_at: row.placed_at.toISOString(),
    connection_id,
    campaign_uid,
    svc_order_no: row.svc_order_no,
    ...soldBy(entries, { connectionId: connection_id, campaignUid: campaign_uid }),
  }
}
