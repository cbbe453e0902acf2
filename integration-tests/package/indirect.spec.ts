/**
 * A store that reaches nothing directly. Its only way out is a proxy: the names that it calls lead nowhere but there, and the
 * proxy refuses all others. Its every connection to Postgres goes through PgBouncer in transaction mode, one of them for
 * background work.
 */
import { execFileSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "@medusajs/framework/pg"
import axios from "axios"
import { PRODUCTS } from "../../demo/catalog/products"
import { importCatalog, PAGE } from "../../demo/start-up/connect"
import type { StoreApi } from "../../demo/start-up/store-api"
import { startChild } from "../../tools/child"
import { freePort } from "../../tools/ports"
import { connectHomeMarket, findMug, reportedTo, sell } from "../setup/home-market"
import { serve } from "../setup/http-server"
import { eventually, type Market, runShow } from "../setup/market"
import { findPgBouncer, startPgBouncer } from "../setup/pgbouncer"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"
import { type Stops, stopAll } from "../setup/stops"
import { SLOW_START_MS, startStore } from "../setup/store-process"
import { createDatabase, statement, type TestDatabase } from "../setup/test-database"

const [SERVICE, SHOP, STORE] = ["svc.example", "shop.example", "store.example"]

/** What of the demo's catalog the service is told. */
const SOLD = PRODUCTS.filter(({ draft }) => !draft).length

/** `npm test` says why where it is skipped; the store then speaks to Postgres itself. */
const withPgBouncer = findPgBouncer() ? it : it.skip

describe("a store between a proxy and PgBouncer", () => {
  const stops: Stops = []
  let database: TestDatabase
  let pooled: string
  let sandbox: RunningSandbox
  let admin: StoreApi
  let storeUrl: string
  let proxyUrl: string
  let market: Market

  /** Where the proxy was asked to connect to since the last look. */
  let seen = 0
  const connected = async (): Promise<string[]> => {
    const all = (await axios.get<string[]>(proxyUrl)).data
    const since = all.slice(seen)
    seen = all.length
    return since
  }
  /** Beside the service, which background work asks, too. */
  const connectedElsewhere = async () =>
    (await connected()).filter((address) => address !== `${SERVICE}:443`)

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "svc-only-proxy-"))
    stops.push(() => rm(folder, { recursive: true, force: true }))
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")]
    const names = [SERVICE, SHOP, STORE].map((name) => `DNS:${name}`).join(",")
    execFileSync(
      "openssl",
      `req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ${key} -out ${cert} -subj /CN=${SERVICE} -addext subjectAltName=${names}`.split(
        " ",
      ),
      { stdio: "ignore" },
    )
    const page = await serve((_request, response) => response.end("<h1>The shop</h1>"))
    stops.push(page.stop)
    sandbox = await startSandbox()
    stops.push(sandbox.stop)
    const [port, proxyPort] = [await freePort(), await freePort()]
    const leadsTo = [`${SERVICE}=${sandbox.port}`, `${SHOP}=${page.port}`, `${STORE}=${port}`]
    const proxy = await startChild({
      name: "The proxy",
      script: "integration-tests/setup/proxy-server.mjs",
      args: [String(proxyPort), key, cert, ...leadsTo],
      env: { NODE_OPTIONS: "" },
    })
    stops.push(proxy.stop)
    proxyUrl = `http://127.0.0.1:${proxyPort}/connected`
    database = await createDatabase(`svc_indirect_${process.pid}`, "shop")
    stops.push(database.drop)
    pooled = database.url
    if (findPgBouncer()) {
      const bouncer = await startPgBouncer(database.url)
      stops.push(bouncer.stop)
      pooled = bouncer.url
    }
    const store = await startStore({ url: pooled }, port, {
      ready: "/health",
      env: {
        // As people write it: without a scheme.
        HTTPS_PROXY: `127.0.0.1:${proxyPort}`,
        LOOKUP_MS: "10000",
        NO_PROXY: "",
        NODE_EXTRA_CA_CERTS: cert,
        SVC_ALLOW_INSECURE_URLS: "false",
        SVC_BACKEND_URL: `https://${STORE}`,
        SVC_DATABASE_POOL_MAX: "1",
      },
    })
    stops.push(store.stop)
    storeUrl = `http://127.0.0.1:${port}`
  }, SLOW_START_MS)

  afterAll(() => stopAll(stops))

  it("is connected, and checks the service, by the proxy", async () => {
    ;({ admin, market } = await connectHomeMarket(
      storeUrl,
      { url: `https://${SERVICE}` },
      `https://${SHOP}`,
    ))
    const body = { base_url: `https://${SERVICE}`, api_token: PAGE.token }
    const { check } = await admin.post<{ check: object }>("/admin/svc/service-check", body)
    expect(check).toMatchObject({ ok: true, token_accepted: true })
    expect(new Set(await connected())).toEqual(new Set([`${SERVICE}:443`]))
    // What the proxy does not let through is no answer of the service.
    const elsewhere = { ...body, base_url: "https://elsewhere.example" }
    const refused = await admin.post<{ check: object }>("/admin/svc/service-check", elsewhere)
    expect(refused.check).toMatchObject({ ok: false, error: { code: "svc_unreachable" } })
    expect(await connectedElsewhere()).toEqual(["elsewhere.example:443"])
  })

  it("sends its catalog, registers its webhook and finds its storefront", async () => {
    await importCatalog(admin, market.connectionId, () => undefined)
    const { count } = await sandbox.client.products.list({ page_uid: PAGE.uid, limit: 1 })
    expect(count).toBe(SOLD)
    const path = `/admin/svc/connections/${market.connectionId}`
    await admin.post(`${path}/webhook`)
    const { subscribers } = await sandbox.client.subscribers.list({ page_uid: PAGE.uid })
    expect(subscribers).toMatchObject([
      { url: `https://${STORE}/hooks/svc/${market.connectionId}` },
    ])
    await connected()
    const { setup } = await admin.post<{ setup: { steps: { name: string; state: string }[] } }>(
      `${path}/setup/storefront`,
    )
    expect(setup.steps.find(({ name }) => name === "storefront")).toMatchObject({ state: "done" })
    expect(await connectedElsewhere()).toEqual([`${SHOP}:443`])
  })

  it("is probed by its doctor through its public address, by the proxy", async () => {
    await connected()
    const { findings } = await admin.get<{ findings: { code: string }[] }>(
      `/admin/svc/connections/${market.connectionId}/webhook/doctor`,
    )
    expect(await connected()).toContain(`${STORE}:443`)
    const found = findings.map(({ code }) => code)
    for (const code of ["not_reached", "not_this_store", "body_limit", "body_changed"])
      expect(found).not.toContain(code)
  })

  it("takes deliveries, looks a show's price up when somebody taps, and reports the order", async () => {
    // The service of these tests knows no such name.
    const { subscribers } = await sandbox.client.subscribers.list({ page_uid: PAGE.uid })
    await sandbox.control(`/subscribers/${subscribers[0]?.uid}`, {
      url: `${storeUrl}/hooks/svc/${market.connectionId}`,
    })
    const variant = await findMug(admin)
    const show = await runShow(sandbox, market, [{ variant, price: 99 }])
    const api = axios.create({ baseURL: storeUrl })
    const { orderNo, order } = await sell(show, { api, sandbox, market, variant })
    expect(order.item_total).toBe(99)
    await eventually(
      () => reportedTo(sandbox),
      (numbers) => numbers.includes(orderNo),
    )
    await eventually(
      () => admin.get<{ deliveries: { outcome: string }[] }>("/admin/svc/deliveries?limit=100"),
      // One that is sent again comes after what was told since.
      ({ deliveries: all }) =>
        all.some(({ outcome }) => outcome === "applied") &&
        all.every(({ outcome }) => outcome === "applied" || outcome === "stale"),
    )
  })

  withPgBouncer(
    "leaves nothing on the pooler's connections: no lock, no setting, no prepared statement",
    async () => {
      const clients = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const client = new Client({ connectionString: pooled })
          await client.connect()
          await client.query("BEGIN")
          return client
        }),
      )
      const found = await Promise.all(
        clients.map(async (client) => {
          const { rows } = await client.query(
            `SELECT pg_backend_pid() AS pid, current_setting('statement_timeout') AS timeout,
               (SELECT count(*)::int FROM pg_prepared_statements) AS prepared`,
          )
          await client.query("ROLLBACK")
          await client.end()
          return rows[0]
        }),
      )
      expect(new Set(found.map(({ pid }) => pid)).size).toBe(20)
      expect(new Set(found.map(({ timeout, prepared }) => `${timeout} ${prepared}`))).toEqual(
        new Set(["0 0"]),
      )
      expect(
        await statement(
          database.url,
          `SELECT l.objid FROM pg_locks l JOIN pg_stat_activity a USING (pid)
           WHERE l.locktype = 'advisory' AND a.datname = current_database() AND a.state = 'idle'`,
        ),
      ).toEqual([])
    },
  )
})
