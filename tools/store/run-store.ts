/**
 * A Medusa store that runs the plugin from its sources, in this process: what `medusa start` does,
 * without a compile step, with the admin from a cached bundle, and on the loopback address only.
 */
import { createServer, type Server } from "node:http"
import { serve } from "@medusajs/admin-bundler"
import type { MedusaContainer } from "@medusajs/framework/types"
import loadMedusa from "@medusajs/medusa/loaders/index"
import express, { type Express, type Request, type Response } from "express"
import config from "../../medusa-config"
import { ROOT, reportProgress } from "../child"
import { isPortFree } from "../ports"
import { adminBundle } from "./admin-bundle"
import { migrateIfNeeded } from "./migrations"
import { StartError } from "./start-error"

export type StoreOptions = {
  /** Runs when Medusa is loaded and before the first request; the demo seeds itself here. */
  prepare?: (container: MedusaContainer) => Promise<unknown>
  /** Folder of pictures that products name as `/pictures/…`: the admin asks for them here, the shop at its own address. */
  pictures?: string
}

/** The plugin's module, as far as a test sets it; the tools share no code with the plugin. */
type LooksUpPrices = { cart: { priceLookup: { settings: { timeoutMs: number } } } }

const HOST = "127.0.0.1"
const ADMIN_PATH = "/app"
const STOP_WITHIN_MS = 8_000

function readPort(): number {
  const port = Number(process.env.PORT || 9000)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new StartError(`PORT is "${process.env.PORT}"; it must be a number from 1 to 65535.`)
  }
  return port
}

function readDatabaseUrl(): string {
  const url = process.env.DATABASE_URL
  if (!url || !URL.canParse(url)) {
    throw new StartError(
      "DATABASE_URL is not set. Point it at a Postgres 15 or newer, for example\n" +
        "  DATABASE_URL=postgres://user:password@127.0.0.1:5432/my-store npm run store\n" +
        "or run npm run demo, which brings its own.",
    )
  }
  return url
}

const waitingPage = (message: string) =>
  `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>Admin</title>
<style>body{font:16px/1.5 system-ui;display:grid;place-items:center;min-height:90vh;color-scheme:light dark}</style>
<p role="status">${message}</p>`

/** The admin is built while the store starts; until then its address says so. */
function serveAdmin(app: Express, bundle: Promise<string>) {
  let state: { handle: express.RequestHandler } | { error: string } | undefined
  bundle.then(
    async (outDir) => {
      const handle = await serve({ outDir })
      state = { handle: handle as unknown as express.RequestHandler }
    },
    (error: Error) => {
      state = { error: error.message }
      process.stderr.write(`The admin could not be built.\n${error.message}\n`)
    },
  )
  app.use(ADMIN_PATH, (request: Request, response: Response, next) => {
    if (state && "handle" in state) return state.handle(request, response, next)
    if (state) return response.status(500).send("The admin could not be built; see the log.")
    response.status(503).set("Retry-After", "2").send(waitingPage("The admin is being built…"))
  })
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, HOST, resolve)
  })
}

async function close(server: Server) {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  setTimeout(() => server.closeAllConnections(), 2_000).unref()
  await closed
}

/** What a signal does. While the store is coming up there is nothing to take leave of. */
let stop: () => void = () => process.exit(0)

async function start(options: StoreOptions) {
  const port = readPort()
  const databaseUrl = readDatabaseUrl()
  if (!(await isPortFree(port))) {
    throw new StartError(
      `Port ${port} of ${HOST} is taken. Stop the program that uses it, or choose another: ` +
        `PORT=${port + 1} npm run store`,
    )
  }

  const runsServer = process.env.MEDUSA_WORKER_MODE !== "worker"
  const app = express()
  app.get("/health", (_request, response) => void response.send("OK"))
  if (runsServer) serveAdmin(app, adminBundle())
  if (options.pictures) app.use("/pictures", express.static(options.pictures))
  // Medusa would serve the admin from a folder of its own choice, or compile it on demand.
  Object.assign(config.admin ?? {}, { disable: true })

  reportProgress("database")
  await migrateIfNeeded(databaseUrl)
  reportProgress("Medusa")
  const { container, shutdown } = await loadMedusa({ directory: ROOT, expressApp: app })
  // For tests: on a busy machine an answer may take longer than a shopper waits.
  const { LOOKUP_MS } = process.env
  const { priceLookup } = container.resolve<LooksUpPrices>("svc").cart
  if (LOOKUP_MS) priceLookup.settings.timeoutMs = Number(LOOKUP_MS)
  if (options.prepare) {
    reportProgress("catalog")
    await options.prepare(container)
  }
  reportProgress("admin")

  const server = createServer(app)
  await listen(server, port)
  process.stdout.write(
    `The store is ready: http://${HOST}:${port}${runsServer ? ADMIN_PATH : ""}\n`,
  )

  stop = () => {
    stop = () => undefined
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref()
    void close(server)
      .then(shutdown)
      .finally(() => process.exit(0))
  }
}

export function runStore(options: StoreOptions = {}): void {
  process.chdir(ROOT)
  process.on("SIGINT", () => stop())
  process.on("SIGTERM", () => stop())
  start(options).catch((error: Error) => {
    process.stderr.write(`${error instanceof StartError ? error.message : error.stack}\n`)
    process.exit(1)
  })
}
