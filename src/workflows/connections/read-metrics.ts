import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import { type Metric, opensMetrics, prometheusText } from "../../modules/svc/connections"
import { refusalsByReason } from "../webhooks"
import { readHealth } from "./read-health"

const STATUS = { ok: 0, warning: 1, critical: 2 }

/**
 * The state of the plugin for Prometheus; null where no token is set, "forbidden" where another one was given. Reads what
 * the health document reads.
 */
export async function readMetrics(
  container: MedusaContainer,
  authorization: string | undefined,
): Promise<string | "forbidden" | null> {
  const svc = container.resolve(SVC_MODULE)
  const { monitoringToken } = svc.options
  if (!monitoringToken) return null
  if (!opensMetrics(authorization, monitoringToken)) return "forbidden"
  const [health, refused, holds, connections] = await Promise.all([
    readHealth(container),
    refusalsByReason(svc),
    svc.connections.holds.list(),
    svc.listSvcConnections({}, { take: null }),
  ])
  const { products, orders, deliveries } = health
  return prometheusText([
    gauge("svc_health_status", "Health: 0 ok, 1 warning, 2 critical.", STATUS[health.status]),
    gauge(
      "svc_queue_depth",
      "Rows that wait: products to send, orders to report, deliveries to apply.",
      by("queue", {
        products: products.pending,
        orders: orders.waiting,
        deliveries: deliveries.received,
      }),
    ),
    gauge(
      "svc_queue_lag_seconds",
      "For how long the oldest due row has waited for a worker.",
      by("queue", {
        products: products.oldest_due_s ?? 0,
        orders: orders.oldest_due_s ?? 0,
        deliveries: deliveries.oldest_due_s ?? 0,
      }),
    ),
    gauge(
      "svc_oldest_unreported_order_seconds",
      "Age of the oldest order that waits to be reported; 0 where none does.",
      orders.oldest_waiting_s ?? 0,
    ),
    gauge(
      "svc_needs_attention",
      "Rows that a person has to look at.",
      by("what", {
        products_failed: products.failed,
        products_invalid: products.invalid,
        orders_failed: orders.failed,
        orders_duplicate: orders.duplicate,
        deliveries_quarantined: deliveries.quarantined,
        deliveries_failed: deliveries.failed,
        deliveries_unknown: deliveries.unknown,
      }),
    ),
    {
      name: "svc_deliveries_refused_total",
      help: "Requests at the webhook that were not taken, by answer; rate() of status 401 is the 401 rate.",
      type: "counter",
      samples: refused.map(({ connection_id, reason, status, count }) => ({
        labels: { connection: connection_id, reason, status: String(status) },
        value: count,
      })),
    },
    gauge(
      "svc_endpoint_held",
      "1 while an endpoint of a connection is left alone after failures; endpoint all: the token is refused.",
      holds
        .filter(({ until }) => until !== null)
        .map(({ connection_id, endpoint }) => ({
          labels: { connection: connection_id, endpoint },
          value: 1,
        })),
    ),
    gauge(
      "svc_connection_active",
      "0 while a connection's token is refused or its declaration is gone.",
      connections.map(({ id, name, status, token_refused }) => ({
        labels: { connection: id, name },
        value: token_refused || status === "undeclared" ? 0 : 1,
      })),
    ),
    gauge(
      "svc_secrets",
      "Stored secrets by the id of the key that they are encrypted with.",
      health.encryption_keys.map(({ id, active, configured, secrets }) => ({
        labels: { key: id, active: String(active), configured: String(configured) },
        value: secrets,
      })),
    ),
  ])
}

const gauge = (name: string, help: string, value: number | Metric["samples"]): Metric => ({
  name,
  help,
  type: "gauge",
  samples: typeof value === "number" ? [{ value }] : value,
})

/** A sample for each of some numbers. */
const by = (label: string, numbers: Record<string, number>): Metric["samples"] =>
  Object.entries(numbers).map(([name, value]) => ({ labels: { [label]: name }, value }))
