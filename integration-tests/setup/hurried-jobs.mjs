/** Preloaded into a store, it runs the jobs of each minute every five seconds: nobody waits for what they do. */
import { createRequire } from "node:module"

const require = createRequire(import.meta.url)
/** Medusa's engines of one process and of several both ask this one when a job runs next. */
const cron = createRequire(require.resolve("@medusajs/workflow-engine-inmemory"))("cron-parser")
const parse = cron.parseExpression
cron.parseExpression = (schedule, options) =>
  parse(schedule === "* * * * *" ? "*/5 * * * * *" : schedule, options)
