import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import type SvcModuleService from "../../modules/svc/service"
import { HealthRows } from "../../modules/svc/sql/health"

/** One thing that needs somebody, with what to do. `critical`: sales or orders are affected now. */
export type HealthProblem = {
  severity: "warning" | "critical"
  connection_id: string | null
  code: string
  message: string
  fix: string
}

/** Oldest due work in seconds above which a worker is taken for stuck: the job runs each minute. */
const STUCK_AFTER_S = 300

/**
 * The state of the plugin in one document that a monitor can read: `status` is `ok`, `warning` or `critical` by the
 * worst problem. Reads counts only; makes no call to the service.
 */
export async function readHealth(container: MedusaContainer) {
  const svc = container.resolve<SvcModuleService>(SVC_MODULE)
  const rows = new HealthRows(svc.database())
  const [connections, products, orders, deliveries, webhooks] = await Promise.all([
    svc.listSvcConnections({}),
    rows.products(),
    rows.orders(),
    rows.deliveries(),
    svc.listSvcWebhooks({}),
  ])
  const problems: HealthProblem[] = []
  if (!svc.keyring.configured) {
    problems.push({
      severity: connections.some((row) => row.managed_by === "admin") ? "critical" : "warning",
      connection_id: null,
      code: "encryption_key_missing",
      message: "SVC_ENCRYPTION_KEYS is not set: secrets can be neither saved nor read.",
      fix: "Set SVC_ENCRYPTION_KEYS and restart the store; saving a token shows the command that makes a key.",
    })
  }
  for (const connection of connections) {
    const error = connection.last_error as { code: string; message: string; fix: string } | null
    if (error) {
      problems.push({
        severity: connection.status === "broken" ? "critical" : "warning",
        connection_id: connection.id,
        code: error.code,
        message: error.message,
        fix: error.fix,
      })
    }
    const webhook = webhooks.find((row) => row.connection_id === connection.id)
    if (webhook?.state === "disabled" || webhook?.state === "warning") {
      problems.push({
        severity: webhook.state === "disabled" ? "critical" : "warning",
        connection_id: connection.id,
        code: `webhook_${webhook.state}`,
        message:
          webhook.state === "disabled"
            ? "The service has disabled the webhook after an hour of failures: shows are not followed."
            : "The service reports that deliveries have been failing for half an hour.",
        fix:
          webhook.state === "disabled"
            ? "Press Activate in the service's dashboard, then check that the store is reachable from outside."
            : "Check that the store is reachable from outside.",
      })
    }
  }
  const stuck: [string, number | null][] = [
    ["products", products.oldest_due_s],
    ["orders", orders.oldest_due_s],
    ["deliveries", deliveries.oldest_due_s],
  ]
  for (const [what, seconds] of stuck) {
    if (seconds !== null && seconds > STUCK_AFTER_S) {
      problems.push({
        severity: "critical",
        connection_id: null,
        code: "worker_stuck",
        message: `Work on ${what} has been due for ${Math.round(seconds / 60)} minutes and nothing takes it.`,
        fix: "Check that a process runs in worker or shared mode (MEDUSA_WORKER_MODE).",
      })
    }
  }
  if (orders.failed > 0) {
    problems.push({
      severity: "warning",
      connection_id: null,
      code: "orders_failed",
      message: `${orders.failed} placed ${orders.failed === 1 ? "order" : "orders"} could not be reported to the service.`,
      fix: 'Open "Orders", read the reason and press "Report again".',
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
    })),
    products,
    orders,
    deliveries,
  }
}
