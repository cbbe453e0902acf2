/** Starts the bare store on `PORT`; a process of its own, for `benchmarks/webhooks.ts`. */
import { createServer } from "node:http"
import loadMedusa from "@medusajs/medusa/loaders/index"
import express from "express"

async function start(): Promise<void> {
  const app = express()
  app.get("/health", (_request, response) => void response.send("OK"))
  await loadMedusa({ directory: __dirname, expressApp: app })
  createServer(app).listen(Number(process.env.PORT), "127.0.0.1")
}

start().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
