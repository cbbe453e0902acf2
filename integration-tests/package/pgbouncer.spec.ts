/** A store whose every connection to Postgres goes through PgBouncer in transaction mode, and one for background work. */
import { Client } from "@medusajs/framework/pg"
import axios, { type AxiosInstance } from "axios"
import { registerWebhook } from "../../demo/start-up/connect"
import type { StoreApi } from "../../demo/start-up/store-api"
import type { RunningChild } from "../../tools/child"
import { freePort } from "../../tools/ports"
import { connectHomeMarket, findMug, reportedTo, sell, syncOf } from "../setup/home-market"
import { eventually, type Market, runShow } from "../setup/market"
import { findPgBouncer, startPgBouncer } from "../setup/pgbouncer"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"
import { type Stops, stopAll } from "../setup/stops"
import { SLOW_START_MS, startStore } from "../setup/store-process"
import { createDatabase, statement, type TestDatabase } from "../setup/test-database"

/** Products of the demo's shop that are no drafts. */
const FOR_SALE = 15

/** `npm test` says why where it is skipped. */
const withPgBouncer = findPgBouncer() ? describe : describe.skip

withPgBouncer("a store behind PgBouncer", () => {
  const stops: Stops = []
  let database: TestDatabase
  let pooled: string
  let sandbox: RunningSandbox
  let port: number
  let store: RunningChild
  let admin: StoreApi
  let api: AxiosInstance
  let market: Market

  const start = async () => {
    store = await startStore({ url: pooled }, port, {
      ready: "/health",
      env: { SVC_DATABASE_POOL_MAX: "1" },
    })
  }
  const sync = () => syncOf(admin, market)
  const deliveries = async () =>
    (await admin.get<{ deliveries: { outcome: string }[] }>("/admin/svc/deliveries?limit=100"))
      .deliveries

  /** A show with the mug, a tap in the player, the order, and the report of it. */
  async function sellMug() {
    const variant = await findMug(admin)
    const show = await runShow(sandbox, market, [{ variant, price: 99 }])
    const { orderNo, order } = await sell(show, { api, sandbox, market, variant })
    expect(order.item_total).toBe(99)
    await eventually(
      () => reportedTo(sandbox),
      (numbers) => numbers.includes(orderNo),
    )
    await eventually(
      deliveries,
      // One that is sent again comes after what was told since.
      (all) =>
        all.some(({ outcome }) => outcome === "applied") &&
        all.every(({ outcome }) => outcome === "applied" || outcome === "stale"),
    )
  }

  beforeAll(async () => {
    database = await createDatabase(`svc_pooled_${process.pid}`, "shop")
    stops.push(database.drop)
    const bouncer = await startPgBouncer(database.url)
    stops.push(bouncer.stop)
    pooled = bouncer.url
    sandbox = await startSandbox()
    stops.push(sandbox.stop)
    port = await freePort()
    await start()
    stops.push(() => store.stop())
    const url = `http://127.0.0.1:${port}`
    api = axios.create({ baseURL: url })
    ;({ admin, market } = await connectHomeMarket(url, sandbox))
    await registerWebhook(admin, market.connectionId, sandbox.url)
  }, SLOW_START_MS)

  afterAll(() => stopAll(stops))

  it("imports its catalog, takes deliveries, sells at a show's price and reports the order", async () => {
    await admin.post(`/admin/svc/connections/${market.connectionId}/sync`)
    const done = await eventually(sync, ({ status }) => status === "completed")
    expect(done.done).toBe(FOR_SALE)
    await sellMug()
  })

  it("leaves nothing on the pooler's connections: no lock, no setting, no prepared statement", async () => {
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
  })
})
