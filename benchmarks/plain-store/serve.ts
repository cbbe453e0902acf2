/** Serves the store of this folder on `PORT`, until its parent ends it. */
import { createServer } from "node:http"
import loadMedusa from "@medusajs/medusa/loaders/index"
import express from "express"

async function main(): Promise<void> {
  process.chdir(__dirname)
  const app = express()
  app.get("/health", (_request, response) => void response.send("OK"))
  await loadMedusa({ directory: __dirname, expressApp: app })
  createServer(app).listen(Number(process.env.PORT), "127.0.0.1")
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
