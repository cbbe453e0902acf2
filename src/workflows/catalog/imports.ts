import type { MedusaContainer } from "@medusajs/framework/types"
import { refusalOf, SVC_MODULE } from "../../modules/svc"
import type { WalkRow } from "../../modules/svc/catalog"
import { catalogReason } from "../../modules/svc/catalog"
import type { Reason } from "../../modules/svc/shared/reason"
import { wakeCatalog } from "./worker"

/**
 * Starts a full import: every product of the connection's channel is compared with what the service has, and sent where
 * it differs. Returns at once; changes that are made meanwhile are sent before the import's products.
 *
 * @param force sends every product, also where the service should have an equal one: for a service that lost its data
 * @throws SvcRefusal `connection_not_found`, `sync_running`
 */
export async function startImport(
  container: MedusaContainer,
  connectionId: string,
  { force = false }: { force?: boolean } = {},
): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  await svc.connection(connectionId)
  const opened = await svc.catalog.walks.openImport(connectionId, force)
  if (!opened) throw refusalOf("sync_running")
  wakeCatalog(container, [connectionId])
}

/**
 * Pauses an import (changes in the store are still sent), continues a paused one, or ends it: what was sent stays sent.
 *
 * @throws SvcRefusal `sync_not_running`
 */
export async function changeImport(
  container: MedusaContainer,
  connectionId: string,
  action: "pause" | "resume" | "cancel",
): Promise<void> {
  const { walks, latest } = await latestImport(container, connectionId)
  if (!latest || !(await walks[action](latest.id))) throw refusalOf("sync_not_running")
  if (action === "resume") wakeCatalog(container, [connectionId])
  if (action === "cancel") await walks.tidy()
}

/** An import as the API answers it. `rate` is products a second; times are ISO 8601 in UTC. */
export type Sync = {
  status: "idle" | WalkRow["status"]
  total: number
  done: number
  failed: number
  rate: number
  eta_seconds: number | null
  started_at: string | null
  finished_at: string | null
  /** Why the import failed, or why nothing is sent at the moment, and when it is tried again. */
  reason: Reason | null
  next_attempt_at: string | null
}

/**
 * The latest import of a connection. `done` counts the products that are as they should be, `failed` those with a
 * reason of their own; both together reach `total`.
 *
 * @throws SvcRefusal `connection_not_found`
 */
export async function readSync(container: MedusaContainer, connectionId: string): Promise<Sync> {
  const svc = container.resolve(SVC_MODULE)
  const { latest } = await latestImport(container, connectionId)
  const hold = (await svc.connections.holds.of("products", [connectionId])).get(connectionId)
  const held = {
    reason: hold?.reason ?? null,
    next_attempt_at: hold?.until?.toISOString() ?? null,
  }
  if (!latest) {
    return {
      status: "idle",
      total: 0,
      done: 0,
      failed: 0,
      rate: 0,
      eta_seconds: null,
      started_at: null,
      finished_at: null,
      ...held,
    }
  }
  const { status, started_at, finished_at, done, failed } = latest
  const settled = done + failed
  const total = finished_at ? Math.max(latest.total, settled) : expectedTotal(latest)
  const since = latest.resumed_at ?? started_at
  const until = finished_at ?? new Date()
  const before = finished_at ? 0 : latest.settled_before
  const seconds = (until.getTime() - (finished_at ? started_at : since).getTime()) / 1000
  const rate = status === "paused" ? 0 : perSecond(settled - before, seconds)
  const remaining = total - settled
  return {
    status,
    total,
    done,
    failed,
    rate,
    eta_seconds: status === "running" && rate > 0 ? Math.ceil(remaining / rate) : null,
    started_at: started_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
    // What holds up everything now comes before what ended an import some time ago.
    ...(status === "failed" && held.reason === null ? failedBy(latest) : held),
  }
}

/** Products whose answers are on their way while others, that are left out, are settled already. */
const ON_THEIR_WAY = 500

/**
 * How many an import will have settled. What the connection leaves out is not known before it was looked at: the rest is
 * taken to be as what was. Pure.
 */
export function expectedTotal(
  seen: Pick<WalkRow, "total" | "done" | "failed" | "left_out">,
): number {
  const settled = seen.done + seen.failed
  const ahead = Math.max(0, seen.total - settled - seen.left_out)
  const share = (settled + ON_THEIR_WAY) / (settled + ON_THEIR_WAY + seen.left_out)
  return settled + Math.round(ahead * share)
}

/** It is not tried again: a person starts another. */
const failedBy = ({ error }: WalkRow) => ({
  reason: catalogReason("import_failed", { problem: error ?? "" }),
  next_attempt_at: null,
})

const perSecond = (count: number, seconds: number): number =>
  seconds > 0 && count > 0 ? Math.round((count / seconds) * 10) / 10 : 0

async function latestImport(container: MedusaContainer, connectionId: string) {
  const svc = container.resolve(SVC_MODULE)
  await svc.connection(connectionId)
  return { walks: svc.catalog.walks, latest: await svc.catalog.walks.latestImport(connectionId) }
}
