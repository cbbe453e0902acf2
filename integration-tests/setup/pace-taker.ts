/**
 * A process that asks for permission for some calls to a connection, as a worker does, and prints when it had them all, in
 * ms since the epoch.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { knex } from "@medusajs/framework/mikro-orm/knex"
import { CatalogPaceRows } from "../../src/modules/svc/catalog/pace-rows"

/** A hold is looked at this often. */
const LOOK_MS = 20

async function main(): Promise<void> {
  const { DATABASE_URL, CONNECTION_ID = "", CALLS_PER_SECOND, CALLS } = process.env
  const database = knex({ client: "pg", connection: DATABASE_URL })
  const pace = new CatalogPaceRows(database, {
    callsPerSecond: Number(CALLS_PER_SECOND),
    batchSize: 100,
  })
  await pace.take(CONNECTION_ID)
  process.send?.({ ready: true })
  for (let calls = 0; calls < Number(CALLS); ) {
    const permission = await pace.take(CONNECTION_ID)
    if (permission.kind === "go") calls += 1
    else await sleep(permission.kind === "held" ? LOOK_MS : permission.ms)
  }
  await database.destroy()
  process.stdout.write(String(Date.now()), () => process.exit(0))
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
