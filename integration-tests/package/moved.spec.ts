/**
 * A store that is moved. Its process stands still for some seconds, as when its machine is moved while it runs: nobody else
 * was slow. And a dump of it is restored beside it with the same keys, as staging systems are made: whatever a person presses
 * in the copy's admin, the original loses nothing, and by itself the copy asks the service for nothing.
 */
import { request } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { Client } from "@medusajs/framework/pg"
import axios, { type AxiosInstance } from "axios"
import { DEMO_ADMIN } from "../../demo/catalog/seed-names"
import { importCatalog, PAGE, registerWebhook } from "../../demo/start-up/connect"
import type { StoreApi } from "../../demo/start-up/store-api"
import type { RunningChild } from "../../tools/child"
import { freePort } from "../../tools/ports"
import { sign } from "../setup/deliveries"
import { connectHomeMarket, fillBasket, findMug, reportedTo, sell } from "../setup/home-market"
import {
  beginPayment,
  createCart,
  eventually,
  type Market,
  runShow,
  type Show,
  type Variant,
} from "../setup/market"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"
import { type Stops, stopAll } from "../setup/stops"
import { HURRIED_JOBS, SLOW_START_MS, startStore } from "../setup/store-process"
import { createDatabase, statement, type TestDatabase } from "../setup/test-database"

/** Longer than the store waits for its database or for a price, shorter than the service waits for the store. */
const STILL_MS = 6_000

const NAME = `svc_original_${process.pid}`
const COPY = `${NAME}_copy`

describe("a store that is moved", () => {
  const stops: Stops = []
  let database: TestDatabase
  let sandbox: RunningSandbox
  let original: RunningChild
  let port = 0
  let url = ""
  let admin: StoreApi
  let api: AxiosInstance
  let market: Market
  let mug: Variant

  async function standStill(meanwhile: () => Promise<unknown> = async () => undefined) {
    process.kill(original.pid, "SIGSTOP")
    try {
      await meanwhile()
      await sleep(STILL_MS)
    } finally {
      process.kill(original.pid, "SIGCONT")
    }
  }

  /** @returns the order's number at the service */
  const sold = async (show: Show) =>
    (await sell(show, { api, sandbox, market, variant: mug })).orderNo

  /** What the original must not lose at the service. */
  async function atService() {
    const { subscribers } = await sandbox.client.subscribers.list()
    const { products } = await sandbox.control<{ products: { product: { id: string } }[] }>(
      `/products?page_uid=${PAGE.uid}&limit=200`,
    )
    return {
      subscribers: subscribers.map(({ uid, url, state, topics }) => ({ uid, url, state, topics })),
      catalog: products
        .map(({ product }) => product)
        .sort((one, other) => one.id.localeCompare(other.id)),
    }
  }
  const reported = () => reportedTo(sandbox)
  const shows = async () =>
    (
      await admin.get<{ live_events: { event_id: string; status: string }[] }>(
        "/admin/svc/live-events",
      )
    ).live_events.map(({ event_id, status }) => `${event_id} ${status}`)
  /** The calls of the copy, which has the service under another name. */
  const ofCopy = async () =>
    (await sandbox.client.journal.find({ order: "desc" })).entries
      .filter(({ request }) => request.headers.host?.startsWith("localhost"))
      .map(({ method }) => method)

  beforeAll(async () => {
    database = await createDatabase(NAME, "shop")
    stops.push(database.drop)
    sandbox = await startSandbox()
    stops.push(sandbox.stop)
    port = await freePort()
    original = await startStore(database, port, {
      script: "tools/store.ts",
      ready: "/health",
      env: HURRIED_JOBS,
    })
    stops.push(original.stop)
    url = `http://127.0.0.1:${port}`
    api = axios.create({ baseURL: url })
    ;({ admin, market } = await connectHomeMarket(url, sandbox))
    await importCatalog(admin, market.connectionId, () => undefined)
    await registerWebhook(admin, market.connectionId, sandbox.url)
    mug = await findMug(admin)
  }, SLOW_START_MS)

  afterAll(() => stopAll(stops))

  it("stands still for seconds and sells what was tapped before, and has nothing left against the service", async () => {
    const show = await runShow(sandbox, market, [{ variant: mug, price: 99 }])
    const cartId = await createCart(api, market)
    await sandbox.control("/faults", { on: "price", kind: "delay", delay_ms: 1_000, times: 1 })
    const tap = api.post(
      `/store/carts/${cartId}/svc/some-checkout`,
      {
        campaign_uid: show.campaignUid,
        page_uid: market.pageUid,
        order_no: show.orderNo,
        products: [{ product_id: mug.product_id, variant_id: mug.id, quantity: 1 }],
      },
      market.store,
    )
    await sandbox.faultsStruck()
    await standStill()
    const { data } = await tap
    expect(data).toMatchObject({ status: "SUCCESS", failed_products: [] })
    expect(data.cart.items).toMatchObject([{ unit_price: 99 }])
    // A lookup of the store's own may have stood still as well, of which nothing is kept until it is made again in a minute.
    const connection = async () =>
      (
        await admin.get<{ connection: { status: string; last_error: object | null } }>(
          `/admin/svc/connections/${market.connectionId}`,
        )
      ).connection
    const isWell = (seen: Awaited<ReturnType<typeof connection>>) =>
      seen.status === "active" && seen.last_error === null
    await eventually(connection, isWell, 20_000)
  })

  it("stands still and takes the delivery that it was just keeping, at its first attempt", async () => {
    const deliveries = async () => (await sandbox.client.deliveries.list()).deliveries
    const areDelivered = (all: { state: string }[]) =>
      all.every(({ state }) => state === "delivered")
    const before = (await eventually(deliveries, areDelivered)).length
    const holder = new Client({ connectionString: database.url })
    await holder.connect()
    await holder.query("BEGIN; LOCK TABLE svc_delivery IN EXCLUSIVE MODE")
    await sandbox.control("/events", { page_uid: market.pageUid, kind: "live", name: "Late" })
    const waiting = () =>
      database.count(
        `SELECT count(*) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'svc-receiver' AND wait_event_type = 'Lock'`,
      )
    await eventually(waiting, (count) => count > 0)
    await standStill(() => holder.query("COMMIT"))
    await holder.end()
    const after = await eventually(
      deliveries,
      (all) => all.length > before && all.every(({ attempts }) => attempts.length > 0),
    )
    const [late] = after
    expect(late).toMatchObject({ state: "delivered", attempts: [{ status: 200 }] })
    expect(await statement(database.url, "SELECT reason FROM svc_refused_delivery")).toEqual([])
  })

  it("stands still and judges by what came, not by the time that was its own, whose body it was waiting for", async () => {
    const body = JSON.stringify({ any: "thing" })
    const now = Date.now()
    const address = `${url}/hooks/svc/${market.connectionId}`
    const answer = new Promise<number | undefined>((resolve, reject) => {
      const call = request(address, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "content-length": body.length,
          "x-svc-timestamp": now,
          "x-svc-signature": sign("nobody's key", now, body),
          expect: "100-continue",
        },
      })
      // Another request that came later has been answered: by then the store waits for this one's body.
      const waits = async () => {
        call.write(body.slice(0, 5))
        await fetch(address, { method: "POST", headers: { "content-type": "application/json" } })
        await standStill(async () => call.end(body.slice(5)))
      }
      call.once("continue", () => void waits().catch(reject))
      call.once("response", (response) => resolve(response.resume().statusCode))
      call.once("error", reject)
    })
    expect(await answer).toBe(401)
  })

  it(
    "has a copy that takes nothing from it in a show, whatever is pressed there, and is quiet by itself",
    async () => {
      const show = await runShow(sandbox, market, [{ variant: mug, price: 99 }])
      await eventually(shows, (all) => all.includes(`${show.eventId} live`))
      const early = await sold(show)
      await eventually(reported, (all) => all.includes(early))
      await sandbox.control("/faults", { on: "process_orders", kind: "status", status: 500 })
      const waiting = await sold(show)
      await sandbox.faultsStruck()
      const { cartId } = await fillBasket(show, { api, sandbox, market, variant: mug })
      expect((await beginPayment(api, market, cartId)).status).toBe(200)

      // A database is copied while nobody is connected to it: the store makes new connections afterwards.
      const onServer = (sql: string) => statement(process.env.DATABASE_URL, sql)
      await onServer(`ALTER DATABASE "${NAME}" ALLOW_CONNECTIONS false`)
      await onServer(
        `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${NAME}'`,
      )
      await onServer(`CREATE DATABASE "${COPY}" TEMPLATE "${NAME}"`)
      await onServer(`ALTER DATABASE "${NAME}" ALLOW_CONNECTIONS true`)
      const copyUrl = database.url.replace(NAME, COPY)
      stops.push(async () => {
        await onServer(`DROP DATABASE "${COPY}" WITH (FORCE)`)
      })
      // The original is at a public address: a store on a private one is nobody's shop. That nothing was looked at for an
      // hour, and that all that waits is due, is what a copy finds that is started a while after its dump.
      await statement(
        copyUrl,
        `UPDATE svc_connection SET store_host = 'shop.example.com', base_url = replace(base_url, '127.0.0.1', 'localhost'),
           last_check = jsonb_set(last_check, '{at}', '"2026-01-01T00:00:00.000Z"');
         UPDATE svc_connection_work SET alive_at = now() - interval '1 hour';
         UPDATE svc_line_price SET expires_at = now() - interval '1 minute', held_until = NULL`,
      )
      const allIsDue = () =>
        statement(
          copyUrl,
          `UPDATE svc_connection_work SET next_attempt_at = NULL;
           UPDATE svc_attribution SET next_attempt_at = NULL`,
        )
      await allIsDue()
      const open = () => statement(copyUrl, "SELECT id FROM payment_session ORDER BY id")
      const begun = await open()
      const before = await atService()
      const copyPort = await freePort()
      const copy = await startStore({ url: copyUrl }, copyPort, {
        script: "tools/store.ts",
        ready: "/health",
        env: HURRIED_JOBS,
      })
      stops.push(copy.stop)
      const jobsRanAt = async () =>
        String(
          (
            await statement(
              copyUrl,
              "SELECT position::text AS at FROM svc_cursor WHERE name = 'jobs'",
            )
          )[0]?.at,
        )
      let tick = await jobsRanAt()
      // What was put off at first is due again, and what the first runs began has ended by the third.
      for (const _run of [1, 2, 3]) {
        tick = await eventually(jobsRanAt, (at) => at !== tick)
        await allIsDue()
      }
      expect(await ofCopy()).toEqual([])
      expect(await reported()).toEqual([early])
      // The shopper is on the payment's page of the original, which may have the same account at the provider.
      expect(await open()).toEqual(begun)

      const there = axios.create({
        baseURL: `http://127.0.0.1:${copyPort}`,
        validateStatus: () => true,
      })
      const { data: session } = await there.post("/auth/user/emailpass", DEMO_ADMIN)
      const press = async (method: string, path: string, body: unknown = {}) => {
        const headers = { authorization: `Bearer ${session.token}` }
        const { status, data } = await there.request({ method, url: path, data: body, headers })
        return { status, data }
      }
      const connection = `/admin/svc/connections/${market.connectionId}`
      const ofAnother = { status: 409, data: { code: "webhook_of_another_store" } }
      expect(await press("post", `${connection}/check`)).toMatchObject({
        status: 200,
        data: { check: { ok: true } },
      })
      expect(await press("delete", `${connection}/webhook`)).toMatchObject(ofAnother)
      expect(await press("post", `${connection}/webhook/rotate`)).toMatchObject(ofAnother)
      expect(await press("post", `${connection}/webhook`)).toMatchObject(ofAnother)
      const doctor = await press("get", `${connection}/webhook/doctor`)
      expect(doctor.status).toBe(200)
      const test = await press("post", `${connection}/webhook/test`, { wait_seconds: 0 })
      expect(test.status).toBe(200)
      // What differs is sent by nobody.
      await press("post", `/admin/products/${mug.product_id}`, { title: "Only in the copy" })
      await press("post", `${connection}/sync`)
      await press("post", `${connection}/sync`, { force: true })
      const { data: pushed } = await press("get", "/admin/svc/products?limit=1")
      const [row] = pushed.products
      await press("post", `/admin/svc/products/${row.id}/push`)
      await press("post", "/admin/svc/products/push", {
        filters: { connection_id: market.connectionId },
      })
      const { data: listed } = await press("get", "/admin/svc/orders?limit=10")
      const attributions: { id: string; svc_order_no: string }[] = listed.orders
      expect(attributions.map(({ svc_order_no }) => svc_order_no).sort()).toEqual(
        [early, waiting].sort(),
      )
      for (const { id } of attributions) await press("post", `/admin/svc/orders/${id}/report`)
      const { data: health } = await press("get", "/admin/svc/health")
      expect(health.health.problems.map(({ code }: { code: string }) => code)).toContain(
        "copy_of_another_store",
      )
      expect((await press("delete", connection)).status).toBe(200)
      for (const _run of [1, 2]) tick = await eventually(jobsRanAt, (at) => at !== tick)
      expect(await open()).toEqual(begun)
      // It looked, for the person who pressed, and changed nothing.
      expect([...new Set(await ofCopy())]).toEqual(["GET"])
      expect(await atService()).toEqual(before)
      expect(await reported()).toEqual([early])

      // The original goes on as if nothing had been. The next order has all that is due reported: the job of the minute
      // would be waited for.
      await sandbox.endFaults()
      await database.query("UPDATE svc_attribution SET next_attempt_at = NULL")
      const later = await sold(show)
      await eventually(reported, (all) => all.join() === [early, waiting, later].sort().join())
      await sandbox.control(`/events/${show.eventId}/end`, {})
      await eventually(shows, (all) => all.includes(`${show.eventId} processing`))
      expect((await atService()).subscribers).toEqual(before.subscribers)
    },
    SLOW_START_MS,
  )
})
