/** `npm run demo`: store, sandbox and storefront, connected, on a Postgres of their own. */
import "../tools/no-telemetry"
import { existsSync } from "node:fs"
import { join, relative } from "node:path"
import { type RunningChild, startChild } from "../tools/child"
import { startPostgres } from "../tools/postgres"
import { closingWords } from "./start-up/closing-words"
import {
  connect,
  importCatalog,
  PAGE,
  readMarkets,
  receivedProducts,
  registerWebhook,
} from "./start-up/connect"
import { playEvening } from "./start-up/evening"
import { step } from "./start-up/progress"
import { emptyDatabase, forgetEarlierRuns } from "./start-up/reset"
import {
  assertPortsFree,
  encryptionKeys,
  HOME,
  HOST,
  readSettings,
  type Settings,
  USAGE,
} from "./start-up/settings"
import { showState, startShow } from "./start-up/show"
import { logIn } from "./start-up/store-api"
import { startStorefront } from "./storefront/serve"

/** Also a shop that somebody tries beside the demo's own: a regular expression, as Medusa reads it. */
const ANY_SHOP_HERE = String.raw`/^http:\/\/(localhost|127\.0\.0\.1):\d+$/`

/** What has been started, last first: the order in which it is ended. */
const running: { stop: () => Promise<void> }[] = []
const children: RunningChild[] = []
const stopping = new AbortController()

async function stopAll() {
  for (let part = running.pop(); part; part = running.pop()) {
    await part.stop().catch((error: Error) => console.error(error.message))
  }
}

let ending: Promise<void> | undefined

function end(code: number): Promise<void> {
  if (!ending) {
    stopping.abort()
    ending = stopAll().then(() => process.exit(code))
  }
  return ending
}

/** npm passes a Ctrl-C on that the terminal has sent already; that is not a second wish. */
const IMPATIENT_AFTER_MS = 1_000

function endOnSignal() {
  let asked = 0
  const onSignal = () => {
    if (asked === 0) {
      asked = Date.now()
      process.stdout.write("\nStopping…\n")
      void end(0)
    } else if (Date.now() - asked > IMPATIENT_AFTER_MS) {
      for (const each of children) each.kill()
    }
  }
  process.on("SIGINT", onSignal)
  process.on("SIGTERM", onSignal)
  process.on("SIGHUP", onSignal)
}

/** Has a part stopped in its turn, from the moment in which it begins to come up. */
function stopInTurn<Part extends { stop: () => Promise<void> }>(
  coming: Promise<Part>,
): Promise<Part> {
  running.push({
    stop: () =>
      coming.then(
        (part) => part.stop(),
        () => undefined,
      ),
  })
  return coming
}

/** Starts a program, ends everything when it dies, and stops it in its turn. */
async function child(options: Parameters<typeof startChild>[0]): Promise<void> {
  const started = await stopInTurn(startChild({ ...options, signal: stopping.signal }))
  children.push(started)
  void started.ended.then(({ code, expected }) => {
    if (expected || ending) return
    console.error(`\n${started.name} ended (code ${code}).\n${started.output()}`)
    void end(1)
  })
}

async function database({ databaseUrl, reset }: Settings): Promise<string> {
  if (databaseUrl) {
    if (reset) await emptyDatabase(databaseUrl)
    return databaseUrl
  }
  const postgres = await stopInTurn(startPostgres({ directory: HOME, signal: stopping.signal }))
  return `${postgres.url}/demo`
}

async function start(settings: Settings) {
  const { ports } = settings
  const url = {
    store: `http://${HOST}:${ports.store}`,
    sandbox: `http://${HOST}:${ports.sandbox}`,
    storefront: `http://${HOST}:${ports.storefront}`,
  }
  await assertPortsFree(ports)
  if (settings.reset) {
    await step("Forgetting earlier runs", () => forgetEarlierRuns(HOME))
  }

  const firstStart = !existsSync(join(HOME, "sandbox.json"))
  const keys = await encryptionKeys()
  const databaseUrl = await step("Database", async (detail) => {
    // Said aloud, because the variable may have been set for something else.
    if (settings.databaseUrl)
      detail(`that of DATABASE_URL, at ${new URL(settings.databaseUrl).host}`)
    return await database(settings)
  })

  const sandboxReady = child({
    name: "The sandbox",
    script: "sandbox/cli/bin.ts",
    args: ["--port", String(ports.sandbox), "--file", join(HOME, "sandbox.json")],
    readyUrl: `${url.sandbox}/_sandbox/health`,
    logFile: join(HOME, "logs", "sandbox.log"),
  })
  // Awaited below; without this a failure in the meantime would count as unhandled.
  sandboxReady.catch(() => undefined)
  await step("Store, admin and catalog", async (detail) => {
    const patience = firstStart ? ", the first start takes a minute or two" : ""
    await child({
      name: "The store",
      script: "demo/demo-store.ts",
      env: {
        DATABASE_URL: databaseUrl,
        PORT: String(ports.store),
        STORE_CORS: ANY_SHOP_HERE,
        ADMIN_CORS: url.store,
        AUTH_CORS: ANY_SHOP_HERE,
        SVC_ENCRYPTION_KEYS: keys,
        SVC_ALLOW_INSECURE_URLS: "true",
        SVC_BACKEND_URL: url.store,
      },
      // Answers 503 while the admin is being built, and not at all before the store is up.
      readyUrl: `${url.store}/app`,
      logFile: join(HOME, "logs", "store.log"),
      timeoutMs: 900_000,
      onProgress: (part) => detail(part + patience),
    })
    detail("")
  })
  await step("Sandbox", () => sandboxReady)

  const store = await logIn(url.store)
  const markets = await readMarkets(store)
  await step("Storefront", async () => {
    const storefront = await startStorefront({
      port: ports.storefront,
      storeUrl: url.store,
      sandboxUrl: url.sandbox,
      pageUid: PAGE.uid,
      markets,
    })
    running.push({ stop: () => storefront.close() })
  })

  const [home] = markets
  if (!home) throw new Error("The demo has no market.")
  const connectionId = await step("Connection to the sandbox, and its webhook", async () => {
    const id = await connect(store, home, url)
    await registerWebhook(store, id, url.sandbox)
    // As the admin's form does it for a new connection: without it the checklist would have this step left to do.
    await store.post(`/admin/svc/connections/${id}/setup/storefront`, {})
    return id
  })
  if ((await receivedProducts(url.sandbox)) === 0) {
    await step("Import", (detail) => importCatalog(store, connectionId, detail))
  }
  const showRuns = await step("Show", async (detail) => {
    const state = await showState(url.sandbox)
    if (settings.evening) {
      await playEvening(store, url, home, detail)
      return state === "running"
    }
    if (state === "none" || (state === "over" && settings.newShow)) {
      await startShow(store, url.sandbox)
      detail("live now")
      return true
    }
    detail(state === "running" ? "as you left it" : "ended")
    return state === "running"
  })
  const logs = join(relative(process.cwd(), HOME), "logs")
  process.stdout.write(closingWords(url, { showRuns, evening: settings.evening, logs }))
  process.send?.({ ready: true })
}

async function main() {
  const settings = readSettings(process.argv.slice(2))
  if (!settings) {
    process.stdout.write(USAGE)
    return
  }
  endOnSignal()
  process.stdout.write("\nHede & Havn, a shop with live shows\n\n")
  await start(settings)
}

main().catch(async (error: Error) => {
  if (!ending) console.error(`\n${error.message}`)
  await end(1)
})
