import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE, SvcRefusal } from "../../modules/svc"
import type { ImportRow } from "../../modules/svc/catalog/import-rows"
import { createWorker } from "../shared"
import { wakeCatalog } from "./wake-worker"

/** Products marked in one transaction. It takes about 30 ms, and a pause waits for it at most. */
const PAGE = 1_000
/** An import that could not even mark its products for a day needs a person. */
const GIVE_UP_MS = 24 * 3_600_000

const notRunning = (what: string): SvcRefusal =>
  new SvcRefusal("sync_not_running", `There is no import to ${what}. Start one first.`)

/**
 * Starts a full import: every product for sale in the connection's channel is sent, even where the service should have
 * it. People ask for this when the service shows something else than we know. Returns at once; changes that are made
 * meanwhile are sent before the import's products.
 *
 * @throws SvcRefusal `connection_not_found`, `sync_running`
 */
export async function startImport(
  container: MedusaContainer,
  connectionId: string,
): Promise<ImportRow> {
  const svc = container.resolve(SVC_MODULE)
  const connection = await svc.connection(connectionId)
  const opened = await svc.imports.open(connectionId, connection.sales_channel_id)
  if (!opened) {
    throw new SvcRefusal(
      "sync_running",
      "An import of this connection is under way. Wait for it, or cancel it first.",
    )
  }
  wakeImports(container)
  return opened
}

/**
 * Continues every import that has not marked all its products, from its cursor, also after the process that started it
 * was killed. Never throws: the cursor stays where it is, and the next minute tries again.
 */
async function continueImports(container: MedusaContainer): Promise<void> {
  const logger = container.resolve("logger")
  try {
    const svc = container.resolve(SVC_MODULE)
    for (const row of await svc.imports.unfinished()) {
      try {
        const connection = await svc.connection(row.connection_id)
        while (await svc.imports.advance(row.id, connection.sales_channel_id, PAGE)) {
          wakeCatalog(container)
        }
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        logger.error(`svc: the import ${row.id} could not go on: ${message}`)
        if (Date.now() - row.started_at.getTime() > GIVE_UP_MS)
          await svc.imports.fail(row.id, message)
      }
    }
    wakeCatalog(container)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    logger.error(`svc: imports could not be read: ${message}`)
  }
}

const { wake: wakeImports, work: workImports } = createWorker({
  name: "marking imports",
  debounceMs: 5,
  pass: continueImports,
})

/** Resumes unfinished imports. A second call while one is running waits for the same run. */
export { workImports }

/** Pauses an import. Changes in the store are still sent. @throws SvcRefusal `sync_not_running` */
export async function pauseImport(container: MedusaContainer, connectionId: string): Promise<void> {
  const { rows, latest } = await latestImport(container, connectionId)
  if (!latest || !(await rows.setStatus(latest.id, "running", "paused"))) throw notRunning("pause")
}

/** Continues a paused import. @throws SvcRefusal `sync_not_running` */
export async function resumeImport(
  container: MedusaContainer,
  connectionId: string,
): Promise<void> {
  const { rows, latest } = await latestImport(container, connectionId)
  if (!latest || !(await rows.setStatus(latest.id, "paused", "running"))) throw notRunning("resume")
  wakeImports(container)
}

/** Ends an import; what was sent stays sent. @throws SvcRefusal `sync_not_running` */
export async function cancelImport(
  container: MedusaContainer,
  connectionId: string,
): Promise<void> {
  const { rows, latest } = await latestImport(container, connectionId)
  if (!latest || !(await rows.cancel(latest.id))) throw notRunning("cancel")
}

/** An import as the API answers it. `rate` is products a second; times are ISO 8601 in UTC. */
export type Sync = {
  status: "idle" | ImportRow["status"]
  total: number
  done: number
  failed: number
  rate: number
  eta_seconds: number | null
  started_at: string | null
  finished_at: string | null
}

/**
 * The latest import of a connection. `done` counts the products that are as they should be, `failed` those with a
 * reason of their own; both together reach `total`.
 *
 * @throws SvcRefusal `connection_not_found`
 */
export async function readSync(container: MedusaContainer, connectionId: string): Promise<Sync> {
  const { rows, latest } = await latestImport(container, connectionId)
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
    }
  }
  const { status, total, started_at, finished_at } = latest
  const base = {
    status,
    total,
    started_at: started_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  }
  if (status !== "running" && status !== "paused") {
    const seconds = ((finished_at ?? started_at).getTime() - started_at.getTime()) / 1000
    const { done, failed } = latest
    return { ...base, done, failed, rate: perSecond(done + failed, seconds), eta_seconds: null }
  }
  const progress = await rows.progress(latest.id)
  const failed = Math.min(progress.failed, total)
  const remaining = Math.min(progress.remaining, total - failed)
  const done = total - failed - remaining
  const rate = status === "running" ? perSecond(progress.recent, progress.recentMs / 1000) : 0
  return { ...base, done, failed, rate, eta_seconds: rate > 0 ? Math.ceil(remaining / rate) : null }
}

const perSecond = (count: number, seconds: number): number =>
  seconds > 0 ? Math.round((count / seconds) * 10) / 10 : 0

async function latestImport(container: MedusaContainer, connectionId: string) {
  const svc = container.resolve(SVC_MODULE)
  await svc.connection(connectionId)
  const rows = svc.imports
  return { rows, latest: await rows.latest(connectionId) }
}
