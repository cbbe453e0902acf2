/** Preloaded into a store, it runs the jobs of each minute every two seconds: nobody waits for what they do. */
import { createRequire } from "node:module"

const medusa = createRequire(createRequire(import.meta.url).resolve("@medusajs/medusa"))
const engine = createRequire(medusa.resolve("@medusajs/workflow-engine-inmemory"))
/** Medusa's engines of one process and of several both ask this one when a job runs next. */
const cron = engine("cron-parser")
const parse = cron.parseExpression
cron.parseExpression = (schedule, options) =>
  parse(schedule === "* * * * *" ? "*/2 * * * * *" : schedule, options)
