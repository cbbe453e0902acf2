/** A real Medusa application with the plugin, for one test file. */
import { execFileSync } from "node:child_process"
import { resolve } from "node:path"
import { createApiKeysWorkflow } from "@medusajs/core-flows"
import { WorkflowScheduler } from "@medusajs/framework/orchestration"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { type MedusaSuiteOptions, medusaIntegrationTestRunner } from "@medusajs/test-utils"
import { SVC_MODULE } from "../../src/modules/svc"
import { markChanged, workCatalog } from "../../src/workflows/catalog"
import { workLedger, workReports } from "../../src/workflows/orders"
import { workPulls } from "../../src/workflows/shows"
import { refreshWebhooks, workInbox } from "../../src/workflows/webhooks"
import { firstOwnPort } from "../../tools/ports"
import { createDatabase, type Template } from "./test-database"

export const ROOT = resolve(__dirname, "../..")

/** Not a secret: 32 bytes that only test databases are encrypted with. */
export const TEST_ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 7).toString("base64")}`

/** `freePort`, synchronous, because a test file is described synchronously. */
function freePortNow(): number {
  const program = `
    let port = ${firstOwnPort()}
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

export type StoreSuite = MedusaSuiteOptions & {
  /** `http://127.0.0.1:<port>`: what the service is given for webhooks. */
  storeUrl: string
}

/** For `describeStore`: a store that has no products yet. */
export const UNSEEDED: { template: Template } = { template: "migrated" }

/**
 * Boots the store once for the file, on a database of its own; the database is put back to its
 * state after `beforeAll` before each test, so a test never sees what another one wrote.
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
  } = {},
): void {
  // The runner reads Medusa's configuration before it sets `env`.
  if (options.cardPayments) process.env.TEST_CARD_PROVIDER = "true"
  const port = freePortNow()
  const storeUrl = `http://127.0.0.1:${port}`
  const dbName = `svc_http_${process.pid}_${port}`
  describe("", () => {
    // The runner takes a database that is there, and finds nothing to migrate in it.
    beforeAll(() => createDatabase(dbName, options.template ?? "shop"))
    let running: MedusaSuiteOptions | undefined
    // Hooks of an outer block: work has ended before the database is copied or put back.
    beforeEach(() => atRest(running?.getContainer()))
    afterEach(async () => {
      const container = running?.getContainer()
      // What is still under way ends here, instead of calling the service in the next test's time.
      await container?.resolve(ContainerRegistrationKeys.PG_CONNECTION)("svc_connection").delete()
      await atRest(container)
    })
    medusaIntegrationTestRunner({
      cwd: ROOT,
      dbName,
      inApp: true,
      env: {
        PORT: String(port),
        JWT_SECRET: "test",
        COOKIE_SECRET: "test",
        SVC_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
        SVC_ALLOW_INSECURE_URLS: "true",
        SVC_BACKEND_URL: storeUrl,
        ...options.env,
      },
      testSuite: (suite) => {
        running = suite
        testSuite(withStoreUrl(suite, storeUrl))
      },
    })
  })
}

/** Waits until every event that was emitted is marked, and every worker has nothing left that is due. */
async function atRest(container: MedusaContainer | undefined): Promise<void> {
  if (!container) return
  container.resolve(SVC_MODULE).cart.priceLookup.settings.timeoutMs = PATIENT_LOOKUPS_MS
  await new WorkflowScheduler().clear()
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

/** The suite's parts are replaced while it runs, so they are passed through, not copied. */
function withStoreUrl(suite: MedusaSuiteOptions, storeUrl: string): StoreSuite {
  return Object.assign(Object.create(suite) as MedusaSuiteOptions, { storeUrl })
}

/** Headers of a secret API key, which admin routes accept like a session. */
export async function adminHeaders(
  container: MedusaContainer,
): Promise<{ headers: { authorization: string } }> {
  const { result } = await createApiKeysWorkflow(container).run({
    input: { api_keys: [{ type: "secret", title: "Tests", created_by: "tests" }] },
  })
  const token = result[0]?.token ?? ""
  return { headers: { authorization: `Basic ${Buffer.from(`${token}:`).toString("base64")}` } }
}
