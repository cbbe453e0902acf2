/**
 * What the plugin costs an order, against the same store without it in the same run; and how long a merchant waits for
 * results, over HTTP, where a hundred thousand orders of shows were placed.
 *
 * `BENCH_ORDERS` sets how many; `BENCH_PAIRS` how many carts are ordered each way. `BENCH_EXPLAIN=1` prints the plans.
 */
import { writeFileSync } from "node:fs"
import { knex } from "@medusajs/framework/mikro-orm/knex"
import axios, { type AxiosError } from "axios"
import { DEMO_ADMIN } from "../demo/catalog/seed-names"
import { PAGE } from "../demo/start-up/connect"
import { connectHomeMarket } from "../integration-tests/setup/home-market"
import {
  beginPayment,
  createCart,
  deliverCart,
  type Market,
} from "../integration-tests/setup/market"
import { type RunningSandbox, startSandbox } from "../integration-tests/setup/sandbox"
import { startStore } from "../integration-tests/setup/store-process"
import { createDatabase } from "../integration-tests/setup/test-database"
import { resultBindings, resultsSql } from "../src/modules/svc/core-tables/results"
import type { RunningChild } from "../tools/child"
import { freePort } from "../tools/ports"
import { type Figure, inTurn, median } from "./figures"
import { onOwnServer, type Stops } from "./on-own-server"
import { seedOrders } from "./orders-seed"
import { memoryMb } from "./process-use"

const ORDERS = Number(process.env.BENCH_ORDERS ?? 100_000)
const PAIRS = Number(process.env.BENCH_PAIRS ?? 40)
const WARM_UP = 5
const LOOKS = 7

type Shop = { api: ReturnType<typeof axios.create>; market: Market }

export const run = (): Promise<Figure[]> => onOwnServer(measure)

async function measure(stops: Stops): Promise<Figure[]> {
  const database = await createDatabase(`svc_bench_orders_${process.pid}`)
  stops.push(database.drop)
  const sandbox = await startSandbox()
  stops.push(() => sandbox.stop())
  const start = async (script: string | undefined, url: string) => {
    const port = await freePort()
    const store = await startStore({ ...database, url }, port, {
      ready: "/health",
      ...(script ? { script } : {}),
      env: { LOG_LEVEL: "error" },
    })
    stops.push(() => store.stop())
    return { store, storeUrl: `http://127.0.0.1:${port}` }
  }
  // Filled by its first start; the plain store works on a copy.
  const filled = await start(undefined, database.url)
  await filled.store.stop()
  // More than the benchmark sells.
  await database.query(
    `UPDATE inventory_level SET stocked_quantity = 100000,
       raw_stocked_quantity = '{"value": "100000", "precision": 20}'`,
  )
  const copy = new URL(database.url)
  copy.pathname += "_plain"
  const name = copy.pathname.slice(1)
  const maintenance = knex({ client: "pg", connection: process.env.DATABASE_URL ?? "" })
  stops.push(() => maintenance.destroy())
  await maintenance.raw(`CREATE DATABASE "${name}" TEMPLATE "${database.url.split("/").pop()}"`)
  stops.push(() => maintenance.raw(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`))

  const { store, storeUrl } = await start(undefined, database.url)
  const plain = await start("benchmarks/plain-store/serve.ts", copy.href)
  const { admin, market } = await connectHomeMarket(storeUrl, sandbox)
  const ours: Shop = { api: apiOf(storeUrl), market }
  const without: Shop = { api: apiOf(plain.storeUrl), market }
  const placing = await placeOrders(sandbox, ours, without)

  const tables = knex({ client: "pg", connection: database.url })
  stops.push(() => tables.destroy())
  await seedOrders(tables, {
    orders: ORDERS,
    connection_id: market.connectionId,
    region_id: market.regionId,
    sales_channel_id: market.salesChannelId,
  })
  const looks = await lookAtResults(admin.get, tables)
  const export_ = await exportLedger(store, storeUrl)
  return [...placing, ...looks, ...export_]
}

/** Only the completion is timed: what a shopper waits for after "Buy". */
async function placeOrders(sandbox: RunningSandbox, ours: Shop, without: Shop): Promise<Figure[]> {
  const { data } = await ours.api.get(
    "/store/products?handle=havn-mug&fields=id,variants.id",
    ours.market.store,
  )
  const [mug] = data.products
  const variant = mug.variants[0].id
  const { event } = await sandbox.control<{ event: { id: string; campaign_uid: string } }>(
    "/events",
    {
      page_uid: PAGE.uid,
      kind: "live",
      name: "The benchmark's show",
    },
  )
  await sandbox.control(`/events/${event.id}/products`, {
    external_id: mug.id,
    name: "Havn mug",
    sku: "havn-mug",
    url: "http://127.0.0.1:8000/products/havn-mug",
    price: 99,
    variants: [{ external_id: variant, price: 99 }],
  })
  await sandbox.control(`/events/${event.id}/start`, {})

  const complete = async (shop: Shop, fill: (cartId: string) => Promise<unknown>) => {
    const cartId = await createCart(shop.api, shop.market)
    await fill(cartId)
    await deliverCart(shop.api, shop.market, cartId, "dk")
    await beginPayment(shop.api, shop.market, cartId)
    const started = performance.now()
    const placed = await shop.api.post(`/store/carts/${cartId}/complete`, {}, shop.market.store)
    const ms = performance.now() - started
    if (placed.data.type !== "order") throw new Error("A cart could not be ordered.")
    return ms
  }
  const add = (shop: Shop) => (cartId: string) =>
    shop.api.post(
      `/store/carts/${cartId}/line-items`,
      { variant_id: variant, quantity: 1 },
      shop.market.store,
    )
  const ways = {
    without: () => complete(without, add(without)),
    plain: () => complete(ours, add(ours)),
    show: async () => {
      const { order_no } = await sandbox.control<{ order_no: string }>("/order-numbers", {
        campaign_uid: event.campaign_uid,
      })
      return complete(ours, (cartId) =>
        ours.api.post(
          `/store/carts/${cartId}/svc/some-checkout`,
          {
            campaign_uid: event.campaign_uid,
            page_uid: PAGE.uid,
            order_no,
            products: [{ product_id: mug.id, variant_id: variant, quantity: 1 }],
          },
          ours.market.store,
        ),
      )
    },
  }
  const seen = await inTurn(ways, { pairs: PAIRS, warmUp: WARM_UP })
  const base = median(seen.without)
  const halves = [0, 1].map((half) => median(seen.without.filter((_, n) => n % 2 === half)))
  return [
    {
      name: "orders: noise, one half of the orders without it against the other",
      value: Math.max(...halves) / Math.min(...halves),
      unit: "x",
    },
    { name: "orders: an order in a store without the plugin", value: base, unit: "ms" },
    {
      name: "orders: the same order with the plugin",
      value: median(seen.plain) / base,
      unit: "x",
      atMost: 1.15,
    },
    {
      name: "orders: an order of a show",
      value: median(seen.show) / base,
      unit: "x",
      atMost: 1.25,
    },
  ]
}

async function lookAtResults(
  get: <T>(path: string) => Promise<T>,
  tables: ReturnType<typeof knex>,
): Promise<Figure[]> {
  const campaign = `campaign-${Math.floor(ORDERS / 1_000)}`
  const pages = {
    "campaigns, the best first": "campaigns?limit=20&order=-net",
    "campaigns, by conversion, of a month":
      "campaigns?limit=20&order=-conversion_rate&from=2025-06-01&to=2025-07-01",
    "a show's products": `results?group_by=product&campaign_uid=${campaign}&limit=20`,
    "a show by the hour": `results?group_by=hour&campaign_uid=${campaign}&limit=50`,
    "all days": "results?group_by=day&timezone=Europe/Copenhagen&order=period&limit=50",
    "orders, the latest first": "orders?limit=20",
    "an order by its number": `orders?q=%23${Math.floor(ORDERS / 2)}&limit=20`,
    "the ledger, the latest first": "ledger?limit=20",
  }
  const figures: Figure[] = []
  for (const [name, path] of Object.entries(pages)) {
    const seen: number[] = []
    for (let n = 0; n < LOOKS; n++) {
      const started = performance.now()
      const { count } = await get<{ count: number }>(`/admin/svc/${path}`)
      if (count === 0) throw new Error(`${path} found nothing.`)
      if (n > 0) seen.push(performance.now() - started)
    }
    figures.push({ name: `orders: ${name}`, value: median(seen), unit: "ms", atMost: 100 })
  }
  if (process.env.BENCH_EXPLAIN) {
    for (const groupBy of ["campaign", "product", "hour"] as const) {
      const query: Parameters<typeof resultsSql>[0] = {
        groupBy,
        filters: groupBy === "campaign" ? {} : { campaign_uid: [campaign] },
        from: null,
        to: null,
        timezone: "UTC",
        order: { column: "net", direction: "DESC" },
      }
      const { rows } = await tables.raw(
        `EXPLAIN (ANALYZE, BUFFERS) ${resultsSql(query)}`,
        resultBindings(query),
      )
      const plan = rows.map((row: { "QUERY PLAN": string }) => row["QUERY PLAN"]).join("\n")
      console.log(`\nResults by ${groupBy}\n${plan}\n`)
    }
  }
  return figures
}

async function exportLedger(store: RunningChild, storeUrl: string): Promise<Figure[]> {
  const { token } = await fetch(`${storeUrl}/auth/user/emailpass`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(DEMO_ADMIN),
  }).then((answer) => answer.json() as Promise<{ token: string }>)
  const before = peakFromNowMb(store.pid)
  const started = performance.now()
  const response = await fetch(`${storeUrl}/admin/svc/ledger`, {
    headers: { authorization: `Bearer ${token}`, accept: "text/csv" },
  })
  let rows = -1
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    for (const byte of part.value) if (byte === 10) rows += 1
  }
  const seconds = (performance.now() - started) / 1_000
  if (rows < ORDERS * 3) throw new Error(`The file has ${rows} rows only.`)
  return [
    { name: "orders: rows of the ledger's CSV", value: rows, unit: "rows" },
    { name: "orders: the CSV of all", value: rows / seconds, unit: "rows/s" },
    {
      name: "orders: memory that the CSV takes at its highest",
      value: memoryMb(store.pid, "VmHWM") - before,
      unit: "MB",
      atMost: 80,
    },
  ]
}

/** Says what the store answered, where it refused. */
function apiOf(baseURL: string) {
  const api = axios.create({ baseURL })
  api.interceptors.response.use(undefined, (error: AxiosError) => {
    const { status, data } = error.response ?? {}
    throw new Error(`${error.config?.url} answered ${status}: ${JSON.stringify(data)}`)
  })
  return api
}

/** Begins to look for the highest resident memory anew. @returns what is resident now */
function peakFromNowMb(pid: number): number {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5")
  } catch {
    // Not on Linux, where the peak is not known either.
  }
  return memoryMb(pid, "VmHWM")
}
