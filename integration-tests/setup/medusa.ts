/** A real Medusa application with the plugin, for one test file. */
import { execFileSync } from "node:child_process"
import { randomInt, randomUUID } from "node:crypto"
import { container, logger, MedusaAppLoader } from "@medusajs/framework"
import { asValue } from "@medusajs/framework/awilix"
import { WorkflowScheduler } from "@medusajs/framework/orchestration"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, generateJwtToken, Modules } from "@medusajs/framework/utils"
import {
  clearInstances,
  configLoaderOverride,
  initDb,
  type MedusaSuiteOptions,
  migrateDatabase,
  startApp,
  TestDatabaseUtils,
} from "@medusajs/test-utils"
import axios, { type AxiosInstance, type AxiosResponse } from "axios"
import { SVC_MODULE } from "../../src/modules/svc"
import { markChanged, workCatalog } from "../../src/workflows/catalog"
import { workLedger, workReports } from "../../src/workflows/orders"
import { workPulls } from "../../src/workflows/shows"
import { refreshWebhooks, workInbox } from "../../src/workflows/webhooks"
import { ROOT } from "../../tools/child"
import { firstOwnPort } from "../../tools/ports"
import { documented } from "./documented-answers"
import { eventually } from "./market"
import { type Moment, type Snapshot, takeSnapshot } from "./snapshot"
import { TEST_ENCRYPTION_KEYS } from "./store-process"
import { createDatabase, dropDatabase, type Template } from "./test-database"

/** `freePort`, synchronous, because a test file is described synchronously. */
function freePortNow(): number {
  const program = `
    let port = ${firstOwnPort() + randomInt(400)}
    const find = () => {
      const server = require("net").createServer().once("error", () => { port += 1; find() })
      server.listen(port, "127.0.0.1", () => server.close(() => console.log(port)))
    }
    find()`
  return Number(execFileSync(process.execPath, ["-e", program], { env: {}, encoding: "utf8" }))
}

/**
 * How long a store of the tests waits for a show's price. A machine that stands still for the usual two seconds would
 * refuse a price that nothing is wrong with.
 */
const PATIENT_LOOKUPS_MS = 10_000

export type StoreSuite = Pick<MedusaSuiteOptions, "api" | "getContainer"> & {
  /** `http://127.0.0.1:<port>`: what the service is given for webhooks. */
  storeUrl: string
  databaseUrl: string
  /**
   * For the `beforeEach` of tests that look at one state: it is made for the first of them, and put back for each other.
   * What the sandbox has is not put back, nor are the plugin's options that were set.
   */
  preparedOnce: (prepare: () => Promise<void>) => () => Promise<void>
}

/** For `describeStore`: a store that has no products yet. */
export const UNSEEDED: { template: Template } = { template: "migrated" }

type Running = Awaited<ReturnType<typeof startApp>> & { api: AxiosInstance }

/**
 * Boots the store once for the file, on a database of its own; the database is put back to its
 * state after `beforeAll` before each test, so a test never sees what another one wrote. The plugin's options are, too:
 * a test may set them, and need not set them back.
 *
 * No job runs by itself: a second 0 that falls into a test would change what it counts. Tests call the jobs.
 */
export function describeStore(
  testSuite: (suite: StoreSuite) => void,
  options: {
    env?: Record<string, string>
    /** What the database begins with: the demo's shop where it is not given. */
    template?: Template
    /** With a card company (`card-provider/`) beside Medusa's manual payments. */
    cardPayments?: boolean
    /** What `env` switches on has tables that the template lacks. */
    migrate?: boolean
  } = {},
): void {
  const port = freePortNow()
  const storeUrl = `http://127.0.0.1:${port}`
  const dbName = `svc_http_${process.pid}_${port}`
  const databaseUrl = TestDatabaseUtils.getDatabaseURL(dbName)
  const env: Record<string, string> = {
    PORT: String(port),
    JWT_SECRET: "test",
    COOKIE_SECRET: "test",
    SVC_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    SVC_ALLOW_INSECURE_URLS: "true",
    SVC_BACKEND_URL: storeUrl,
    ...(options.cardPayments ? { TEST_CARD_PROVIDER: "true" } : {}),
    ...options.env,
  }
  describe("", () => {
    let running: Running | undefined
    let snapshot: Snapshot | undefined
    let givenOptions: object = {}
    const store = () => {
      if (!running) throw new Error("The store is there once the tests run: ask for it within one.")
      return running
    }

    beforeAll(async () => {
      await createDatabase(dbName, options.template ?? "shop")
      // Jest gives each file an environment of its own.
      Object.assign(process.env, env)
      await configLoaderOverride(ROOT, { clientUrl: databaseUrl })
      if (options.migrate) await migrate()
      const app = await startApp({ cwd: ROOT })
      // The plugin would notice after three minutes that no job runs, and have Medusa run all of them.
      const svc = app.container.resolve(SVC_MODULE)
      const { jobs } = svc.work
      jobs.look = async () => false
      // Nor is a file that takes longer than five minutes a store without a worker.
      jobs.silentMs = async () => 0
      // What it does each minute would fall into any test: those that are of it call it by its prototype.
      svc.shows.pulls.noticeGap = async () => undefined
      svc.keepDeclaredConnections = async () => undefined
      if (options.cardPayments) takesCardWebhooksAtOnce(app.container)
      await undisturbed(app.container)
      const api = documented(axios.create({ baseURL: `http://localhost:${port}` }))
      api.interceptors.response.use((answer) => hasArrived(app.container, answer))
      running = { ...app, api }
    })
    beforeEach(async () => {
      givenOptions = copied(store().container.resolve(SVC_MODULE).options)
      if (snapshot) return await snapshot.restore()
      // After what the file itself sets up.
      await atRest(store().container)
      snapshot = await takeSnapshot(databaseUrl)
    })
    afterEach(async () => {
      const { container } = store()
      const { options } = container.resolve(SVC_MODULE)
      for (const name of Object.keys(options)) Reflect.deleteProperty(options, name)
      Object.assign(options, givenOptions)
      await workflowsHaveEnded(container)
      // What is still under way ends here, instead of calling the service in the next test's time.
      await container.resolve(ContainerRegistrationKeys.PG_CONNECTION)("svc_connection").delete()
      await atRest(container)
    })
    afterAll(async () => {
      // It says so in the log where something keeps it open; its process is about to end.
      await running?.shutdown().catch(() => undefined)
      await snapshot?.drop()
      await dropDatabase(dbName)
    })

    testSuite({
      api: new Proxy({}, { get: (_, name) => Reflect.get(store().api, name) }),
      getContainer: () => store().container,
      storeUrl,
      databaseUrl,
      preparedOnce: (prepare) => {
        let begun: Moment | null = null
        return async () => {
          if (begun) return await snapshot?.restore(begun)
          await prepare()
          await atRest(store().container)
          begun = (await snapshot?.now()) ?? null
        }
      },
    })
  })
}

/**
 * The store notes which changes it has told once its answer is sent: whoever presses again meets that note, as long as they
 * take longer to read than the store to write it.
 */
async function hasArrived(container: MedusaContainer, answer: AxiosResponse) {
  const { code, lines } = answer.data?.error ?? answer.data ?? {}
  if (code !== "svc_price_changed") return answer
  const open = container
    .resolve(ContainerRegistrationKeys.PG_CONNECTION)("svc_price_change")
    .whereIn(
      "id",
      lines.map(({ id }: { id: string }) => id),
    )
    .whereNull("answered_at")
  await eventually(
    () => open.clone(),
    ({ length }) => length === 0,
  )
  return answer
}

/** With lists of its own: a test may add a connection to those that are declared. */
const copied = (options: object): object =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      Array.isArray(value) ? [...value] : value,
    ]),
  )

/** In this process, which alone knows of core's flags that a file of tests has set. */
async function migrate(): Promise<void> {
  container.register({ [ContainerRegistrationKeys.LOGGER]: asValue(logger) })
  await initDb()
  const loader = new MedusaAppLoader({ medusaConfigPath: ROOT, cwd: ROOT })
  await migrateDatabase(loader)
  await clearInstances()
}

const PATIENCE_MS = 30_000

/**
 * Waits for what a test began and did not wait for. Where two requests complete one basket at the same moment, core's
 * engine may leave the execution of one under way for ever, which only its row says: that is said, and not waited for.
 */
async function workflowsHaveEnded(container: MedusaContainer): Promise<void> {
  const engine = container.resolve(Modules.WORKFLOW_ENGINE)
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const running = await engine.listWorkflowExecutions({
      state: { $nin: ["not_started", "done", "reverted", "failed"] },
    })
    if (running.length === 0) return
    if (Date.now() > until) {
      console.warn(`Not ended: ${JSON.stringify(running)}`)
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Core waits five seconds before it handles a provider's webhook, for the answer of the shopper's own request. */
function takesCardWebhooksAtOnce(container: MedusaContainer): void {
  // Core's route reads its options from the module, which has none, whatever the configuration gives it.
  Object.assign(container.resolve(Modules.PAYMENT), { options: { webhook_delay: 1 } })
}

/** No job runs by itself, and no price is given up because the machine stood still. */
async function undisturbed(container: MedusaContainer): Promise<void> {
  container.resolve(SVC_MODULE).cart.priceLookup.settings.timeoutMs = PATIENT_LOOKUPS_MS
  await new WorkflowScheduler().clear()
}

/** Waits until every event that was emitted is marked, and every worker has nothing left that is due. */
async function atRest(container: MedusaContainer): Promise<void> {
  await undisturbed(container)
  await eventsAreMarked(container)
  await Promise.all(
    [workCatalog, workInbox, workPulls, workReports, workLedger, refreshWebhooks].map((work) =>
      work(container),
    ),
  )
  // Counted in memory for a second: later they would be the next test's.
  await container.resolve(SVC_MODULE).webhooks.admission.writeNotes()
}

/**
 * Waits until the changes that the store told of so far stand as marks in the rows. Events of a workflow are emitted
 * when it ends, and gathered for a moment: without this, marks of one step would fall into the next one's time.
 */
export async function eventsAreMarked(container: MedusaContainer): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  await markChanged(container, "product", [])
}

/**
 * Headers of an admin who has logged in. Medusa hashes a secret API key anew for each request, which takes longer than most
 * of what is asked for: tests of such a key have one of their own.
 */
export async function adminHeaders(
  container: MedusaContainer,
): Promise<{ headers: { authorization: string } }> {
  const [user] = await container
    .resolve(Modules.USER)
    .createUsers([{ email: `${randomUUID()}@admins.example.test` }])
  const { jwtSecret } = container.resolve(ContainerRegistrationKeys.CONFIG_MODULE).projectConfig
    .http
  const token = generateJwtToken(
    { actor_id: user?.id, actor_type: "user", auth_identity_id: "" },
    { secret: jwtSecret, expiresIn: "1d" },
  )
  return { headers: { authorization: `Bearer ${token}` } }
}
