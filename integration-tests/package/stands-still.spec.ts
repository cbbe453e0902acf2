/** A store whose process stands still for some seconds, as when its machine is moved while it runs: nobody else was slow. */
import { request } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { Client } from "@medusajs/framework/pg"
import axios from "axios"
import { registerWebhook } from "../../demo/start-up/connect"
import type { StoreApi } from "../../demo/start-up/store-api"
import type { RunningChild } from "../../tools/child"
import { freePort } from "../../tools/ports"
import { sign } from "../setup/deliveries"
import { connectHomeMarket, findMug } from "../setup/home-market"
import { createCart, eventually, type Market, runShow } from "../setup/market"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"
import { type Stops, stopAll } from "../setup/stops"
import { HURRIED_JOBS, SLOW_START_MS, startStore } from "../setup/store-process"
import { createDatabase, statement, type TestDatabase } from "../setup/test-database"

/** Longer than the store waits for its database or for a price, shorter than the service waits for the store. */
const STILL_MS = 6_000

describe("a store that stands still for some seconds", () => {
  const stops: Stops = []
  let database: TestDatabase
  let sandbox: RunningSandbox
  let store: RunningChild
  let url: string
  let admin: StoreApi
  let market: Market

  async function standStill(meanwhile: () => Promise<unknown> = async () => undefined) {
    process.kill(store.pid, "SIGSTOP")
    try {
      await meanwhile()
      await sleep(STILL_MS)
    } finally {
      process.kill(store.pid, "SIGCONT")
    }
  }
  const refused = () =>
    statement(database.url, "SELECT reason, count FROM svc_refused_delivery ORDER BY reason")

  beforeAll(async () => {
    database = await createDatabase(`svc_still_${process.pid}`, "shop")
    stops.push(database.drop)
    sandbox = await startSandbox()
    stops.push(sandbox.stop)
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    store = await startStore(database, port, { ready: "/health", env: HURRIED_JOBS })
    stops.push(store.stop)
    ;({ admin, market } = await connectHomeMarket(url, sandbox))
    await registerWebhook(admin, market.connectionId, sandbox.url)
  }, SLOW_START_MS)

  afterAll(() => stopAll(stops))

  it("sells what was tapped before, and has nothing left against the service", async () => {
    const variant = await findMug(admin)
    const show = await runShow(sandbox, market, [{ variant, price: 99 }])
    const cartId = await createCart(axios.create({ baseURL: url }), market)
    await sandbox.control("/faults", { on: "price", kind: "delay", delay_ms: 1_000, times: 1 })
    const tap = axios.post(
      `${url}/store/carts/${cartId}/svc/some-checkout`,
      {
        campaign_uid: show.campaignUid,
        page_uid: market.pageUid,
        order_no: show.orderNo,
        products: [{ product_id: variant.product_id, variant_id: variant.id, quantity: 1 }],
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

  it("takes the delivery that it was just keeping, at its first attempt", async () => {
    const deliveries = async () => (await sandbox.client.deliveries.list()).deliveries
    const areDelivered = (all: { state: string }[]) =>
      all.every(({ state }) => state === "delivered")
    const before = (await eventually(deliveries, areDelivered)).length
    const holder = new Client({ connectionString: database.url })
    await holder.connect()
    stops.push(() => holder.end())
    await holder.query("BEGIN; LOCK TABLE svc_delivery IN EXCLUSIVE MODE")
    await sandbox.control("/events", { page_uid: market.pageUid, kind: "live", name: "Late" })
    const waiting = () =>
      database.count(
        `SELECT count(*) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'svc-receiver' AND wait_event_type = 'Lock'`,
      )
    await eventually(waiting, (count) => count > 0)
    await standStill(() => holder.query("COMMIT"))
    const after = await eventually(
      deliveries,
      (all) => all.length > before && all.every(({ attempts }) => attempts.length > 0),
    )
    const [late] = after
    expect(late).toMatchObject({ state: "delivered", attempts: [{ status: 200 }] })
    expect(await refused()).toEqual([])
  })

  it("judges by what came, not by the time that was its own, whose body it was waiting for", async () => {
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
})
