/** One store as several processes that share Postgres and Redis: a server, and workers that come and go. */
import axios, { type AxiosInstance } from "axios"
import { PRODUCTS } from "../../demo/catalog/products"
import { PAGE, registerWebhook } from "../../demo/start-up/connect"
import type { StoreApi } from "../../demo/start-up/store-api"
import type { RunningChild } from "../../tools/child"
import { freePort } from "../../tools/ports"
import { connectHomeMarket, findMug, reportedTo, sell, syncOf } from "../setup/home-market"
import { eventually, type Market, runShow } from "../setup/market"
import { findRedis, type RunningRedis, startRedis } from "../setup/redis"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"
import { type Stops, stopAll } from "../setup/stops"
import { HURRIED_JOBS, SLOW_START_MS, startStore } from "../setup/store-process"
import { createDatabase, type TestDatabase } from "../setup/test-database"

/** What of the demo's catalog the service is told. */
const SOLD = PRODUCTS.filter(({ draft }) => !draft).length

/** The plugin notices after a quarter of an hour without a job, and looks each minute. */
const JOBS_ARE_MISSED_MS = 1_320_000

/** `npm test` says why where it is skipped. */
const withRedis = findRedis() ? describe : describe.skip

/** Waits for a quarter of an hour without a job: `REDIS_FORGETS=1`, as the weekly run sets it. */
const inWeekly = process.env.REDIS_FORGETS ? it : it.skip

withRedis("a store of several processes", () => {
  const stops: Stops = []
  let database: TestDatabase
  let redis: RunningRedis
  let sandbox: RunningSandbox
  let storeUrl = ""
  let admin: StoreApi
  let api: AxiosInstance
  let market: Market
  let worker: RunningChild

  const started = async <Part extends { stop: () => Promise<unknown> }>(coming: Promise<Part>) => {
    const part = await coming
    stops.push(part.stop)
    return part
  }

  const startWorker = async () =>
    started(
      startStore(database, await freePort(), {
        script: "tools/store.ts",
        ready: "/health",
        env: {
          ...HURRIED_JOBS,
          REDIS_URL: redis.url,
          MEDUSA_WORKER_MODE: "worker",
          SVC_BACKEND_URL: storeUrl,
        },
      }),
    )

  const received = async () =>
    (
      await sandbox.control<{ products: { product: { id: string; name: string } }[] }>(
        `/products?page_uid=${PAGE.uid}&limit=200`,
      )
    ).products.map(({ product }) => product)
  const sync = () => syncOf(admin, market)
  const events = async () =>
    (
      await admin.get<{ live_events: { event_id: string; status: string }[] }>(
        "/admin/svc/live-events",
      )
    ).live_events

  beforeAll(async () => {
    database = await createDatabase(`svc_cluster_${process.pid}`, "shop")
    stops.push(database.drop)
    redis = await started(startRedis())
    sandbox = await started(startSandbox())
    const port = await freePort()
    storeUrl = `http://127.0.0.1:${port}`
    await started(
      startStore(database, port, {
        ready: "/health",
        env: { ...HURRIED_JOBS, REDIS_URL: redis.url, MEDUSA_WORKER_MODE: "server" },
      }),
    )

    api = axios.create({ baseURL: storeUrl })
    ;({ admin, market } = await connectHomeMarket(storeUrl, sandbox))
    await registerWebhook(admin, market.connectionId, sandbox.url)
  }, SLOW_START_MS)

  afterAll(() => stopAll(stops))

  it("leaves an import to the workers, and one that is killed in the middle of it loses nothing", async () => {
    // Ten products a call, so that an import has a middle.
    await database.query(
      `INSERT INTO svc_catalog_pace (id, connection_id, calls_per_second, batch_size, next_call_at)
       VALUES ('svcpace_ten', '${market.connectionId}', 5, 10, now())`,
    )
    // No call after the first is ever answered: that is where the worker is killed.
    await sandbox.control("/faults", { on: "products", kind: "hang", skip: 1 })
    await admin.post(`/admin/svc/connections/${market.connectionId}/sync`)
    const { total } = await sync()
    expect(total).toBe(SOLD)
    expect(await received()).toEqual([])
    worker = await startWorker()
    await sandbox.faultsStruck()
    // Each call is settled by itself: what was answered is written down while others wait for their answer.
    await eventually(sync, ({ done }) => done === 10)
    worker.kill()
    await worker.ended
    await sandbox.endFaults()
    expect(await received()).toHaveLength(10)
    expect(await sync()).toMatchObject({ status: "running", done: 10 })
  })

  it("takes orders and deliveries while no worker is there, and the next one does all that waits", async () => {
    const mug = await findMug(admin)
    const show = await runShow(sandbox, market, [{ variant: mug, price: 99 }])
    const { orderNo } = await sell(show, { api, sandbox, market, variant: mug })
    await admin.post(`/admin/products/${mug.product_id}`, { title: "Mug of the second firing" })
    await eventually(
      () => sandbox.client.deliveries.list(),
      ({ deliveries }) =>
        deliveries.length > 0 && deliveries.every(({ state }) => state === "delivered"),
    )
    // Only the first worker could have done any of it, and it is dead.
    expect(await events()).toEqual([])
    expect(await reportedTo(sandbox)).toEqual([])

    // The dead worker's leases end while the next one starts, or a moment later: sooner than by themselves.
    await database.query(
      "UPDATE svc_catalog_item SET lease_until = now() + interval '10 seconds' WHERE lease_token IS NOT NULL",
    )
    worker = await startWorker()
    expect(await eventually(sync, ({ status }) => status === "completed")).toMatchObject({
      total: SOLD,
      done: SOLD,
    })
    const names = await eventually(received, (all) =>
      all.some(({ name }) => name === "Mug of the second firing"),
    )
    expect(new Set(names.map(({ id }) => id)).size).toBe(SOLD)
    expect(await eventually(events, (all) => all.some(({ status }) => status === "live"))).toEqual([
      expect.objectContaining({ event_id: show.eventId }),
    ])
    await eventually(
      () => reportedTo(sandbox),
      (numbers) => numbers.includes(orderNo),
    )
  })

  // How the next worker goes on behind leases: the test before, whose worker was killed.
  it("has a worker that is asked to end keep the leases of what the service has not answered", async () => {
    await sandbox.control("/faults", { on: "products", kind: "hang" })
    await admin.post(`/admin/svc/connections/${market.connectionId}/sync`, { force: true })
    const leased = async () =>
      database.count(
        "SELECT count(*) FROM svc_catalog_item WHERE lease_until > now() AND lease_token IS NOT NULL",
      )
    await sandbox.faultsStruck()
    await worker.stop()
    await sandbox.endFaults()
    // The service may still take them: an edit that another worker sent meanwhile would be undone.
    expect(await leased()).toBeGreaterThan(0)
  })

  inWeekly(
    "has its jobs run again after Redis has forgotten everything, Medusa's schedule too",
    async () => {
      await startWorker()
      await redis.empty()
      const emptied = await database.count("SELECT extract(epoch FROM now())")
      // Written by a job of each minute. One that ran just then may still have written it.
      const jobsRan = () =>
        database.count(
          `SELECT count(*) FROM svc_cursor WHERE name = 'jobs' AND position > to_timestamp(${emptied}) + interval '70 seconds'`,
        )
      await eventually(jobsRan, (count) => count > 0, JOBS_ARE_MISSED_MS)
    },
    SLOW_START_MS,
  )
})
