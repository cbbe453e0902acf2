/**
 * A store that lost its database and got a backup back (docs/operations.md, "Backup and restore"): what it forgot it learns
 * again, what it had not told it tells, and what only the service remembers is overwritten.
 *
 * The backup is `CREATE DATABASE ... TEMPLATE`, a copy of all rows at one moment as `pg_dump` makes one: the Postgres of the
 * tests comes without `pg_dump`, and a system's older one refuses a newer server.
 */
import axios, { type AxiosInstance } from "axios"
import { importCatalog, registerWebhook } from "../../demo/start-up/connect"
import type { StoreApi } from "../../demo/start-up/store-api"
import type { RunningChild } from "../../tools/child"
import { freePort } from "../../tools/ports"
import { connectHomeMarket, findMug, reportedTo, sell } from "../setup/home-market"
import { eventually, type Market, runShow, type Show, type Variant } from "../setup/market"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"
import { SLOW_START_MS, startStore } from "../setup/store-process"
import { createDatabase, statement, type TestDatabase } from "../setup/test-database"

const NAME = `svc_backup_${process.pid}`
const COPY = `${NAME}_copy`

describe("a store that is restored from a backup", () => {
  let database: TestDatabase
  let sandbox: RunningSandbox
  let store: RunningChild
  let port = 0
  let admin: StoreApi
  let api: AxiosInstance
  let market: Market
  let mug: Variant

  const start = async (script: string) => {
    store = await startStore(database, port, { script, ready: "/health" })
  }
  const onServer = (sql: string) => statement(process.env.DATABASE_URL, sql)
  const connection = () => `/admin/svc/connections/${market.connectionId}`

  /** @returns the order's number at the service */
  const sold = async (show: Show) =>
    (await sell(show, { api, sandbox, market, variant: mug })).orderNo
  const reported = () => reportedTo(sandbox)
  const keysOf = async (orderNo: string) => {
    const q = `endpoint:process_orders request.body.svcOrderNumber:${orderNo}`
    const { entries } = await sandbox.client.journal.find({ q })
    return entries.map(({ request }) => request.headers["idempotency-key"])
  }
  const orders = async () =>
    (
      await admin.get<{ orders: { svc_order_no: string; state: string }[] }>(
        "/admin/svc/orders?limit=100",
      )
    ).orders
      .map(({ svc_order_no, state }) => `${svc_order_no} ${state}`)
      .sort()
  const mugAtService = async () =>
    (
      await sandbox.control<{ product: { product: { name: string } } }>(
        `/products/${mug.product_id}`,
      )
    ).product.product.name
  const shows = async () =>
    (
      await admin.get<{ live_events: { event_id: string; status: string }[] }>(
        "/admin/svc/live-events",
      )
    ).live_events
      .map(({ event_id, status }) => `${event_id} ${status}`)
      .sort()

  beforeAll(async () => {
    database = await createDatabase(NAME)
    sandbox = await startSandbox()
    port = await freePort()
    await start("demo/demo-store.ts")
    const url = `http://127.0.0.1:${port}`
    api = axios.create({ baseURL: url })
    ;({ admin, market } = await connectHomeMarket(url, sandbox))
    await importCatalog(admin, market.connectionId, () => undefined)
    await registerWebhook(admin, market.connectionId, sandbox.url)
    mug = await findMug(admin)
  }, SLOW_START_MS)

  afterAll(async () => {
    await store?.stop()
    await sandbox?.stop()
    await database?.drop()
    await onServer(`DROP DATABASE IF EXISTS "${COPY}" WITH (FORCE)`)
  })

  it(
    "comes together with the service again",
    async () => {
      const known = await runShow(sandbox, market, [{ variant: mug, price: 99 }])
      await eventually(shows, (all) => all.includes(`${known.eventId} live`))
      const early = await sold(known)
      await eventually(reported, (all) => all.includes(early))
      // The service takes it, and its answer is lost: at the backup it still has to be reported.
      await sandbox.control("/faults", {
        on: "process_orders",
        kind: "status",
        status: 500,
        after: true,
      })
      const waiting = await sold(known)
      await eventually(reported, (all) => all.includes(waiting))
      await store.stop()
      await onServer(`CREATE DATABASE "${COPY}" TEMPLATE "${NAME}"`)

      // The store goes on: what happens from here on the backup does not know.
      await sandbox.endFaults()
      await start("tools/store.ts")
      await database.query("UPDATE svc_attribution SET next_attempt_at = NULL")
      await eventually(orders, (all) => all.includes(`${waiting} reported`), SETTLES_WITHIN_MS)
      const forgotten = await sold(known)
      await eventually(reported, (all) => all.includes(forgotten))
      await admin.post(`/admin/products/${mug.product_id}`, { title: "A name of later" })
      await eventually(mugAtService, (name) => name === "A name of later")
      const later = await runShow(sandbox, market, [{ variant: mug, price: 79 }])
      await eventually(shows, (all) => all.includes(`${later.eventId} live`))
      await admin.post(`${connection()}/webhook/rotate`)
      await sandbox.control(`/events/${known.eventId}/end`, {})
      await eventually(shows, (all) => all.includes(`${known.eventId} processing`))
      await store.stop()

      // The disaster, and the backup in its place.
      await onServer(`DROP DATABASE "${NAME}" WITH (FORCE)`)
      await onServer(`ALTER DATABASE "${COPY}" RENAME TO "${NAME}"`)
      await start("tools/store.ts")
      await database.query("UPDATE svc_attribution SET next_attempt_at = NULL")

      // By itself: shows from the listings, and the report that the backup still had to make, under the same key.
      await eventually(
        shows,
        (all) =>
          all.includes(`${later.eventId} live`) && all.includes(`${known.eventId} processing`),
        SETTLES_WITHIN_MS,
      )
      await eventually(
        orders,
        (all) => all.join() === [`${early} reported`, `${waiting} reported`].sort().join(),
        SETTLES_WITHIN_MS,
      )
      const keys = await keysOf(waiting)
      expect([keys.length > 2, new Set(keys).size]).toEqual([true, 1])
      // What only the service remembers: an order that the store has lost stays its conversion.
      expect(await reported()).toEqual([early, waiting, forgotten].sort())

      // By hand, as written down: the whole catalog again, and a new signature key.
      // (A product that had just changed at the moment of the copy is sent by itself.)
      await admin.post(`${connection()}/sync`, { force: true })
      await eventually(mugAtService, (name) => name !== "A name of later", SETTLES_WITHIN_MS)
      await admin.post(`${connection()}/webhook/rotate`)
      await sandbox.control(`/events/${later.eventId}/end`, {})
      await eventually(shows, (all) => all.includes(`${later.eventId} processing`))
      const next = await runShow(sandbox, market, [{ variant: mug, price: 69 }])
      await eventually(shows, (all) => all.includes(`${next.eventId} live`))
      const after = await sold(next)
      await eventually(reported, (all) => all.includes(after))
    },
    SLOW_START_MS,
  )
})

/** A list that contradicts what is known is read twice before it is believed, by a job of each minute. */
const SETTLES_WITHIN_MS = 480_000
