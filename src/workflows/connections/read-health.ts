import type { MedusaContainer } from "@medusajs/framework/types"
import { connectionState, SVC_MODULE } from "../../modules/svc"
import type { HealthCode } from "../../modules/svc/connections/health-codes"
import { keyProblems, keysInUse } from "../../modules/svc/connections/key-use"
import { type Reason, type ReasonParams, readReason } from "../../modules/svc/shared/reason"
import { readReceivingProblems } from "../webhooks"

/** One thing that a person has to do something about. `critical`: sales or orders are affected now. */
type HealthProblem = {
  severity: "warning" | "critical"
  connection_id: string | null
  code: string
  message: string
  fix: string
  params?: ReasonParams
}

type HealthReason = Reason & { code: HealthCode }

const NOT_IMPORTED: HealthReason = {
  code: "catalog_not_imported",
  message: "The service knows no product of this store yet.",
  fix: "Start an import.",
}

/** If the oldest due work waits for more seconds than this, no worker is running: the job runs each minute. */
const STUCK_AFTER_S = 300

/**
 * The state of the plugin in one document that a monitor can read: `status` is `ok`, `warning` or `critical` by the
 * worst problem. Reads counts only; makes no call to the service.
 */
export async function readHealth(container: MedusaContainer) {
  const svc = container.resolve(SVC_MODULE)
  const [connections, products, holds, orders, deliveries, imported, secrets] = await Promise.all([
    svc.listSvcConnections({}, { take: null }),
    svc.counts.products(),
    svc.pace.held(),
    svc.counts.orders(),
    svc.counts.deliveries(),
    svc.counts.connectionsWithProducts(),
    svc.secrets.all(),
  ])
  const receiving = await readReceivingProblems(
    svc,
    connections.map(({ id }) => id),
  )
  const problems: HealthProblem[] = []
  const tell = (
    severity: HealthProblem["severity"],
    connectionId: string | null,
    { code, message, fix, params }: Reason,
  ) =>
    problems.push({
      severity,
      connection_id: connectionId,
      code,
      message,
      fix,
      ...(params ? { params } : {}),
    })
  const tellOwn = (
    severity: HealthProblem["severity"],
    connectionId: string | null,
    reason: HealthReason,
  ) => tell(severity, connectionId, reason)

  if (!svc.keyring.configured) {
    tellOwn(connections.some((row) => row.managed_by === "admin") ? "critical" : "warning", null, {
      code: "encryption_key_missing",
      message: "SVC_ENCRYPTION_KEYS is not set: secrets can be neither saved nor read.",
      fix: "Set SVC_ENCRYPTION_KEYS and restart the store; saving a token shows the command that makes a key.",
    })
  }
  const keys = keysInUse(svc.keyring, secrets)
  for (const { severity, reason } of keyProblems(keys)) tellOwn(severity, null, reason)
  for (const problem of svc.coreTableProblems) tell("critical", null, problem)
  for (const { id, status, last_error } of connections) {
    const failure = readReason(last_error)
    if (failure) tell(status === "broken" ? "critical" : "warning", id, failure)
    const hold = holds.get(id)
    // A service that asks for a moment's patience gets it, and nobody has to do anything.
    const isBrief = hold?.reason.code === "slow_down" && hold.ms <= STUCK_AFTER_S * 1_000
    // A refused token stands in both places.
    if (hold && !isBrief && hold.reason.code !== failure?.code) tell("warning", id, hold.reason)
    for (const { severity, reason } of receiving.get(id) ?? []) tell(severity, id, reason)
    if (!imported.has(id)) tellOwn("warning", id, NOT_IMPORTED)
  }
  const stuck: [string, number | null][] = [
    ["products", products.oldest_due_s],
    ["orders", orders.oldest_due_s],
    ["deliveries", deliveries.oldest_due_s],
  ]
  for (const [what, seconds] of stuck) {
    if (seconds === null || seconds <= STUCK_AFTER_S) continue
    const minutes = Math.round(seconds / 60)
    tellOwn("critical", null, {
      code: "worker_stuck",
      message: `Work on ${what} has been due for ${minutes} minutes and nothing takes it.`,
      fix: "Check that a process runs in worker or shared mode (MEDUSA_WORKER_MODE).",
      params: { minutes },
    })
  }
  if (orders.failed > 0) {
    tellOwn("warning", null, {
      code: "orders_failed",
      message: `${orders.failed} placed ${orders.failed === 1 ? "order" : "orders"} could not be reported to the service.`,
      fix: 'Open "Orders", read the reason and press "Report again".',
      params: { count: orders.failed },
    })
  }
  if (orders.delayed > 0) {
    tellOwn("warning", null, {
      code: "orders_delayed",
      message: `${orders.delayed} placed ${orders.delayed === 1 ? "order has" : "orders have"} not been reported for over an hour, because the store itself fails.`,
      fix: 'Open "Orders" and read the reason. They are reported by themselves once it is mended.',
      params: { count: orders.delayed },
    })
  }
  if (products.failed > 0) {
    tellOwn("warning", null, {
      code: "products_failed",
      message: `${products.failed} ${products.failed === 1 ? "product was" : "products were"} refused by the service or given up.`,
      fix: 'Open "Products", read the reason and press "Send now".',
      params: { count: products.failed },
    })
  }
  const status = problems.some((problem) => problem.severity === "critical")
    ? ("critical" as const)
    : problems.length > 0
      ? ("warning" as const)
      : ("ok" as const)
  return {
    status,
    problems,
    connections: connections.map((connection) => ({
      id: connection.id,
      name: connection.name,
      status: connection.status,
      state: connectionState(connection),
    })),
    products,
    orders,
    deliveries,
    encryption_keys: keys,
  }
}

export type Health = Awaited<ReturnType<typeof readHealth>>
