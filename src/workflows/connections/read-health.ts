import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import { keyProblems, keysInUse } from "../../modules/svc/connections"
import { THRESHOLD } from "../../modules/svc/shared/holds"
import { SILENT_AFTER_MS } from "../../modules/svc/shared/job-schedule"
import {
  type Reason,
  type ReasonParams,
  readReason,
  reasonFor,
} from "../../modules/svc/shared/reason"
import { settingUnreadable } from "../../modules/svc/shared/stored-settings"
import { readCatalogSettings } from "../catalog"
import { readReportSettings } from "../orders"
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

const CLOSED = new Set(["svc_forbidden", "svc_endpoint_closed"])
/** If the oldest due work waits for more seconds than this, no worker is running: the job runs each minute. */
const STUCK_AFTER_S = 300
/** Payments that a problem names at most. */
const NAMED = 5

/**
 * The state of the plugin in one document that a monitor can read: `status` is `ok`, `warning` or `critical` by the
 * worst problem. Reads counts only; makes no call to the service.
 */
export async function readHealth(container: MedusaContainer) {
  const svc = container.resolve(SVC_MODULE)
  const { counts } = svc.connections
  const [
    connections,
    products,
    unread,
    holds,
    orders,
    deliveries,
    imports,
    secrets,
    paid,
    silentMs,
  ] = await Promise.all([
    svc.listSvcConnections({}, { take: null }),
    counts.products(),
    counts.unreadStores(),
    svc.connections.holds.list(),
    counts.orders(),
    counts.deliveries(),
    counts.imports(),
    svc.connections.secrets.all(),
    svc.cart.expiring.paidWithoutOrder(),
    svc.work.jobs.silentMs(),
  ])
  const receiving = await readReceivingProblems(svc, connections)
  const problems: HealthProblem[] = []
  const tell = (
    severity: HealthProblem["severity"],
    connectionId: string | null,
    { code, message, fix, params }: Reason,
  ) => {
    const said = { code, message, fix, ...(params ? { params } : {}) }
    problems.push({ severity, connection_id: connectionId, ...said })
  }

  // Where there are secrets the key that they need is missing, and another one does not help.
  if (!svc.keyring.configured && secrets.length === 0) {
    tell("warning", null, reasonFor("encryption_key_missing"))
  }
  const keys = keysInUse(svc.keyring, secrets)
  for (const { severity, reason } of keyProblems(keys)) tell(severity, null, reason)
  for (const problem of svc.startProblems) tell("critical", null, problem)
  for (const { id, token_refused, last_error, catalog, report_settings } of connections) {
    for (const { unreadable } of [
      readCatalogSettings(catalog),
      readReportSettings(report_settings),
    ]) {
      if (unreadable) tell("critical", id, settingUnreadable(unreadable))
    }
    const failure = readReason(last_error)
    if (failure) tell(token_refused ? "critical" : "warning", id, failure)
    const unreadStore = unread.get(id)
    if (unreadStore) tell("warning", id, unreadStore)
    const received = receiving.get(id) ?? []
    const held = holds.filter((hold) => hold.connection_id === id)
    const pace = held.find(({ endpoint }) => endpoint === "products" || endpoint === "all")
    for (const hold of held) {
      const { reason, ms } = hold
      // Besides what products wait for, what its owner has to mend, an endpoint that is not open to us, and what goes on.
      const goesOn = CLOSED.has(reason.code) || hold.failures >= THRESHOLD
      if (hold !== pace && !goesOn) continue
      // A service that asks for a moment's patience gets it, and nobody has to do anything.
      const isBrief = reason.code === "slow_down" && ms <= STUCK_AFTER_S * 1_000
      // A refused token stands in both places, a setting is told above, and that this store is a copy below.
      const isTold =
        reason.code === failure?.code ||
        reason.code === "setting_unreadable" ||
        received.some((problem) => problem.reason.code === reason.code)
      if (!isBrief && !isTold) tell("warning", id, reason)
    }
    for (const { severity, reason } of received) {
      // A refused token is one line, whatever was asked with it.
      if (reason.code !== failure?.code) tell(severity, id, reason)
    }
    if (!imports.begun.has(id)) tell("warning", id, reasonFor("catalog_not_imported"))
  }
  // Before anything is due: what would notice that it is due does not run either.
  if (connections.length > 0 && silentMs > SILENT_AFTER_MS) {
    const minutes = Math.round(silentMs / 60_000)
    tell("warning", null, reasonFor("jobs_not_run", { minutes }))
  }
  const stuck: [string, number | null][] = [
    ["products", products.oldest_due_s],
    ["orders", orders.oldest_due_s],
    ["deliveries", deliveries.oldest_due_s],
  ]
  for (const [what, seconds] of stuck) {
    if (seconds === null || seconds <= STUCK_AFTER_S) continue
    const minutes = Math.round(seconds / 60)
    tell("critical", null, reasonFor("worker_stuck", { what, minutes }))
  }
  const unwell = [
    ["orders_failed", orders.failed],
    ["orders_delayed", orders.delayed],
    ["orders_not_booked", orders.not_booked],
    ["products_failed", products.failed],
  ] as const
  for (const [code, count] of unwell)
    if (count > 0) tell("warning", null, reasonFor(code, { count }))
  if (paid.length > 0) {
    const payments = paid.slice(0, NAMED).join(", ")
    tell("warning", null, reasonFor("paid_without_order", { count: paid.length, payments }))
  }
  const worst = (["critical", "warning"] as const).find((level) =>
    problems.some(({ severity }) => severity === level),
  )
  return {
    status: worst ?? ("ok" as const),
    problems,
    connections: connections.map(({ id, name, status }) => ({ id, name, status })),
    products,
    orders,
    deliveries,
    encryption_keys: keys,
  }
}

export type Health = Awaited<ReturnType<typeof readHealth>>
