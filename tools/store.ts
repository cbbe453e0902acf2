/** `npm run store`: the store with the plugin and nothing else, against any service address. */
import { parseArgs } from "node:util"

const USAGE = `Usage: npm run store

Starts a Medusa store with the plugin, and its admin, on 127.0.0.1. It creates the database where there
is none, and migrates it.

DATABASE_URL         a Postgres 15 or newer, for example postgres://user:password@127.0.0.1:5432/my-store
PORT                 9000
REDIS_URL            lets several processes share events, workflows, locks and the cache
MEDUSA_WORKER_MODE   shared (both, the default), server or worker
SVC_...              the plugin's own settings; docs/options.md lists them
`

function wantsHelp(): boolean {
  try {
    const { values } = parseArgs({ options: { help: { type: "boolean", short: "h" } } })
    return values.help === true
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`)
    process.exit(1)
  }
}

if (wantsHelp()) process.stdout.write(USAGE)
// Imported here, because loading Medusa takes seconds that the usage has no need of.
else void import("./store/run-store.js").then(({ runStore }) => runStore())
