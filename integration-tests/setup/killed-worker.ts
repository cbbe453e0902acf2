/**
 * A store without HTTP that works on the catalog and is killed, as by `kill -9`, when it passes the point `KILL_AT`. One
 * that never gets there says so and ends.
 */
import { subscribe } from "node:diagnostics_channel"
import { resolve } from "node:path"
import loadMedusa from "@medusajs/medusa/loaders/index"
import express from "express"
import config from "../../medusa-config"
import { SVC_MODULE } from "../../src/modules/svc"
import { workCatalog } from "../../src/workflows/catalog"

const ROOT = resolve(__dirname, "../..")
const KILL_AT = process.env.KILL_AT ?? ""

async function main(): Promise<void> {
  process.chdir(ROOT)
  Object.assign(config.admin ?? {}, { disable: true })
  // Before the start: the job of the minute may work as soon as there is a store.
  subscribe("svc:point", (passed) => {
    // Told synchronously: nothing that comes after the point is begun.
    if ((passed as { name: string }).name === KILL_AT) process.kill(process.pid, "SIGKILL")
  })
  process.send?.({ ready: true })
  const { container } = await loadMedusa({
    directory: ROOT,
    expressApp: express(),
    // Nobody asks it anything: half of the start is for that.
    skipLoadingEntryPoints: true,
  })
  container.resolve(SVC_MODULE).catalog.pace.most.batchSize = Number(process.env.BATCH)
  await workCatalog(container)
  throw new Error(`It has worked and never passed "${KILL_AT}".`)
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
