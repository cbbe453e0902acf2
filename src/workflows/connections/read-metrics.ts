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
  const [health, connections, refused, unreported, holds] = await Promise.all([
    readHealth(container),
    svc.listSvcConnections({}, { take: null }),
    refusalsByReason(svc),
    svc.connections.counts.oldestUnreportedSeconds(),
    svc.connections.holds.list(),
  ])
  const { products, orders, deliveries } = health
  const each = (read: (connection: (typeof connections)[number]) => number) =>
    connections.map((connection) => ({
      labels: { connection: connection.id, name: connection.name },
      value: read(connection),
    }))
  const metrics: Metric[] = [
    {
      name: "svc_health_status",
      help: "Health: 0 ok, 1 warning, 2 critical.",
      type: "gauge",
      samples: [{ value: STATUS[health.status] }],
    },
    {
      name: "svc_queue_depth",
      help: "Rows that wait: products to send, orders to report, deliveries to apply.",
      type: "gauge",
      samples: [
        { labels: { queue: "products" }, value: products.pending },
        { labels: { queue: "orders" }, value: orders.waiting },
        { labels: { queue: "deliveries" }, value: deliveries.received },
      ],
    },
    {
      name: "svc_queue_lag_seconds",
      help: "For how long the oldest due row has waited for a worker.",
      type: "gauge",
      samples: [
        { labels: { queue: "products" }, value: products.oldest_due_s ?? 0 },
        { labels: { queue: "orders" }, value: orders.oldest_due_s ?? 0 },
        { labels: { queue: "deliveries" }, value: deliveries.oldest_due_s ?? 0 },
      ],
    },
    {
      name: "svc_oldest_unreported_order_seconds",
      help: "Age of the oldest order that waits to be reported; 0 where none does.",
      type: "gauge",
      samples: [{ value: unreported ?? 0 }],
    },
    {
      name: "svc_needs_attention",
      help: "Rows that a person has to look at.",
      type: "gauge",
      samples: [
        { labels: { what: "products_failed" }, value: products.failed },
        { labels: { what: "products_invalid" }, value: products.invalid },
        { labels: { what: "orders_failed" }, value: orders.failed },
        { labels: { what: "orders_duplicate" }, value: orders.duplicate },
        { labels: { what: "deliveries_quarantined" }, value: deliveries.quarantined },
        { labels: { what: "deliveries_failed" }, value: deliveries.failed },
        { labels: { what: "deliveries_unknown" }, value: deliveries.unknown },
      ],
    },
    {
      name: "svc_deliveries_refused_total",
      help: "Requests at the webhook that were not taken, by answer; rate() of status 401 is the 401 rate.",
      type: "counter",
      samples: refused.map(({ connection_id, reason, status, count }) => ({
        labels: { connection: connection_id, reason, status: String(status) },
        value: count,
      })),
    },
    {
      name: "svc_endpoint_held",
      help: "1 while an endpoint of a connection is left alone after failures; endpoint all: the token is refused.",
      type: "gauge",
      samples: holds
        .filter(({ until }) => until !== null)
        .map(({ connection_id, endpoint }) => ({
          labels: { connection: connection_id, endpoint },
          value: 1,
        })),
    },
    {
      name: "svc_connection_active",
      help: "1 while a connection's token is not refused and it is declared or managed here.",
      type: "gauge",
      samples: each(({ status }) => (status === "active" ? 1 : 0)),
    },
    {
      name: "svc_secrets",
      help: "Stored secrets by the id of the key that they are encrypted with.",
      type: "gauge",
      samples: health.encryption_keys.map(({ id, active, configured, secrets }) => ({
        labels: { key: id, active: String(active), configured: String(configured) },
        value: secrets,
      })),
    },
  ]
  return prometheusText(metrics)
}
