/** A store without HTTP that places the orders of `CARTS` and does its background work until it is killed. */
import { resolve } from "node:path"
import { completeCartWorkflow } from "@medusajs/core-flows"
import { WorkflowScheduler } from "@medusajs/framework/orchestration"
import loadMedusa from "@medusajs/medusa/loaders/index"
import express from "express"
import config from "../../medusa-config"
import reportOrders from "../../src/jobs/report-orders"
import { attributeOrderWorkflow } from "../../src/workflows/orders"

const ROOT = resolve(__dirname, "../..")

async function main(): Promise<void> {
  process.chdir(ROOT)
  Object.assign(config.admin ?? {}, { disable: true })
  const { container } = await loadMedusa({ directory: ROOT, expressApp: express() })
  // No job runs by itself: each would wait for the order that is held, and take one more connection of the store's.
  await new WorkflowScheduler().clear()
  process.send?.({ ready: true })
  let orderId = ""
  for (const id of (process.env.CARTS ?? "").split(",")) {
    const { result } = await completeCartWorkflow(container).run({ input: { id } })
    orderId = result.id
  }
  // A bus in Redis hands out one event at a time, and the one before is held: as another process would take this one.
  void attributeOrderWorkflow(container).run({ input: orderId })
  // The job of each minute, now: nobody waits for the second 0.
  await reportOrders(container)
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
