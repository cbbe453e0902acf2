import { randomUUID } from "node:crypto"
import type { MedusaContainer } from "@medusajs/framework/types"
import { SvcError } from "../../client"
import { refusalCode, SVC_MODULE, type SvcModuleService, SvcRefusal } from "../../modules/svc"
import type { AttributionRow } from "../../modules/svc/orders/attribution-rows"
import { afterFailure } from "../../modules/svc/shared/backoff"
import type { Reason } from "../../modules/svc/shared/reason"
import { attributeOrderWorkflow } from "./attribute-order"

const BATCH = 20
/** Ends a run that keeps finding new rows; the job of the next minute continues. */
const MAX_BATCHES = 50
/** Far shorter than the lease, so that whoever sent a row also records what came of it. */
const TIMEOUT_MS = 15_000
const SWEEP = 100
/**
 * "This order number is converted already": what a service without idempotency answers when a process died between
 * its answer and our record (gap 47). Our unique row has kept every other order from using the number.
 */
const CONFLICT = 409

const DISCONNECTED: Reason = {
  code: "connection_not_found",
  message: "The connection of this order's show was deleted before the order was reported.",
  fix: "Nothing to do, unless the order should count for the show: the service has to be told by hand then.",
}

/**
 * Reports what is due, until nothing is. Any number of processes may run this at once: each claims rows of its own,
 * calls the service outside any transaction, and completes under its lease. A process that dies leaves its rows due
 * when the lease ends; the service is told the same number again under the same idempotency key (gap 47).
 */
export async function reportDueOrders(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const due = await svc.attributions.claimDue(BATCH, randomUUID())
    if (due.length === 0) return
    await Promise.all(due.map((row) => report(svc, row, "call")))
  }
}

/**
 * "Report again": tells the service about one order now, while a person waits; the outcome stands in the row.
 *
 * @throws SvcRefusal `order_number_used` where another order has the number
 */
export async function reportNow(container: MedusaContainer, id: string): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  if (!(await svc.attributions.sendAgain(id))) {
    throw new SvcRefusal(
      "order_number_used",
      "Another order was reported with this order number already, so this one cannot be.",
    )
  }
  const row = await svc.attributions.claimOne(id, randomUUID())
  if (row) await report(svc, row, "callNow")
}

/** Milliseconds until a report that waits falls due; null when none waits. */
export async function nextReport(container: MedusaContainer): Promise<number | null> {
  const svc = container.resolve(SVC_MODULE)
  return svc.attributions.nextInMs()
}

async function report(
  svc: SvcModuleService,
  row: AttributionRow,
  call: "call" | "callNow",
): Promise<void> {
  const rows = svc.attributions
  try {
    await svc[call](row.connection_id, (client) =>
      client.processOrder(row.svc_order_no, `${row.order_id}:${row.svc_order_no}`, {
        timeoutMs: TIMEOUT_MS,
      }),
    )
    await rows.markReported(row)
  } catch (error) {
    if (error instanceof SvcError && error.status === CONFLICT) return rows.markReported(row)
    if (refusalCode(error) === "connection_not_found") return rows.markFailed(row, DISCONNECTED)
    const verdict = afterFailure({
      error: error instanceof SvcError ? error : connectionGone(error),
      attempts: row.attempts,
      failingForMs: row.failing_since ? Date.now() - row.failing_since.getTime() : 0,
      random: Math.random(),
    })
    if (verdict.kind === "retry") await rows.markRetry(row, verdict.inMs, verdict.reason)
    else await rows.markFailed(row, verdict.reason)
  }
}

/** The connection was deleted or cannot be read. The service is not at fault, so it is tried again for 24 hours. */
const connectionGone = (error: unknown): SvcError =>
  new SvcError({
    code: "svc_unreachable",
    failure: "retry",
    message: error instanceof Error ? error.message : "The connection could not be read.",
  })

/** Finds orders that no event told us about: the event was lost, or the process died before it was handled. */
export async function sweepOrders(container: MedusaContainer): Promise<number> {
  const svc = container.resolve(SVC_MODULE)
  const missed = await svc.placedOrders.withoutAttribution(SWEEP)
  for (const orderId of missed) await attributeOrderWorkflow(container).run({ input: orderId })
  return missed.length
}
