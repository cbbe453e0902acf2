/**
 * How long the admin's pages wait for their first answers in a large store: `BENCH_ADMIN_PRODUCTS` (50,000),
 * `BENCH_ADMIN_DELIVERIES` (100,000) and `BENCH_ADMIN_ORDERS` (20,000), filled in SQL. What a page asks for is not written
 * down here: Chromium opens it, and each request of ours that it makes is then timed alone, warm, six times; the first of
 * the six does not count. Searches and filters follow by their addresses.
 */
import { setTimeout as pause } from "node:timers/promises"
import { knex } from "@medusajs/framework/mikro-orm/knex"
import type { Page, Request } from "playwright-core"
import { DEMO_ADMIN } from "../demo/catalog/seed-names"
import { PAGE } from "../demo/start-up/connect"
import { logIn, type StoreApi, StoreApiError } from "../demo/start-up/store-api"
import { launchBrowser, logIntoAdmin } from "../integration-tests/setup/browser"
import { startSandbox } from "../integration-tests/setup/sandbox"
import { startStore } from "../integration-tests/setup/store-process"
import { createDatabase } from "../integration-tests/setup/test-database"
import { freePort } from "../tools/ports"
import { seedAdmin, tidy } from "./admin-seed"
import { seedCatalog } from "./catalog-seed"
import type { Figure } from "./figures"
import { onOwnServer, type Stops } from "./on-own-server"
import { ORDERS_OF_A_SHOW, seedOrders } from "./orders-seed"

const PRODUCTS = Number(process.env.BENCH_ADMIN_PRODUCTS ?? 50_000)
const DELIVERIES = Number(process.env.BENCH_ADMIN_DELIVERIES ?? 100_000)
const ORDERS = Number(process.env.BENCH_ADMIN_ORDERS ?? 20_000)
const SHOWS = 200
/** What is opened and looked for by its number stands in the middle, so that it is there at any size. */
const PRODUCT = Math.ceil(PRODUCTS / 2)
const DELIVERY = Math.ceil(DELIVERIES / 2)
const ORDER = Math.ceil(ORDERS / 2)
/** A show that is over, and that the order in the middle came from. */
const SHOW = Math.min(Math.floor(ORDER / ORDERS_OF_A_SHOW), SHOWS - 1)
const AT_MOST_MS = 300
const LOOKS = 5
const FIRST_REQUEST_MS = 120_000

export const run = (): Promise<Figure[]> => onOwnServer(measure)

async function measure(stops: Stops): Promise<Figure[]> {
  const database = await createDatabase(`svc_bench_admin_${process.pid}`)
  stops.push(database.drop)
  const sandbox = await startSandbox()
  stops.push(() => sandbox.stop())
  const port = await freePort()
  const storeUrl = `http://127.0.0.1:${port}`
  const store = await startStore(database, port, { ready: "/app", env: { LOG_LEVEL: "error" } })
  stops.push(() => store.stop())
  const admin = await logIn(storeUrl)

  const tables = knex({ client: "pg", connection: database.url })
  stops.push(() => tables.destroy())
  const began = performance.now()
  const market = await seedCatalog(tables, PRODUCTS, "bench")
  const { connection } = await admin.post<{ connection: { id: string } }>(
    "/admin/svc/connections",
    {
      name: "The benchmark's market",
      page_uid: PAGE.uid,
      base_url: sandbox.url,
      api_token: PAGE.token,
      storefront_url: "http://127.0.0.1:8000",
      ...market,
    },
  )
  const ofConnection = { connection_id: connection.id }
  await seedAdmin(tables, {
    ...ofConnection,
    products: PRODUCTS,
    deliveries: DELIVERIES,
    shows: SHOWS,
  })
  await seedOrders(tables, { ...ofConnection, ...market, orders: ORDERS })
  await admin.post(`/admin/svc/connections/${connection.id}/webhook`)
  await tidy(tables)
  const filled = (performance.now() - began) / 1_000

  const browser = await launchBrowser()
  stops.push(() => browser.close())
  const page = await (await browser.newContext()).newPage()
  await logIntoAdmin(page, storeUrl, DEMO_ADMIN)
  const figures: Figure[] = [{ name: "admin: the store was filled in", value: filled, unit: "s" }]
  const timed = new Map<string, Figure[]>()
  const time = async (name: string, path: string): Promise<void> => {
    const known = timed.get(path)
    const made = known ?? (await timesOf(admin, path))
    timed.set(path, made)
    for (const figure of known ? [] : made) {
      figures.push({ ...figure, name: `admin: ${name}: ${figure.name}` })
    }
  }
  for (const [name, path] of pages(connection.id)) {
    for (const asked of await requestsOf(page, `${storeUrl}/app${path}`)) await time(name, asked)
  }
  for (const [name, path] of searches(connection.id)) await time(name, `/admin/svc/${path}`)
  return figures
}

/** A number as the ids of the catalog and of the deliveries have it. */
const padded = (number: number) => String(number).padStart(7, "0")

/** Every page of ours, and the two of Medusa's with a widget of ours. */
const pages = (connectionId: string): [string, string][] => [
  ["overview", "/svc"],
  ["products", "/svc/products"],
  ["a product", `/svc/products/svcprod_bench_${padded(PRODUCT)}`],
  ["shows", "/svc/shows"],
  ["the show that runs", `/svc/shows/svcev_bench_${SHOWS}`],
  ["a show that is over", `/svc/shows/svcev_bench_${SHOW}`],
  ["orders", "/svc/orders"],
  ["an order", `/svc/orders/svcatt_${ORDER}`],
  ["campaigns", "/svc/campaigns"],
  ["days", "/svc/campaigns?by=day"],
  ["deliveries", "/svc/deliveries"],
  ["a delivery", `/svc/deliveries/svcdel_bench_${padded(DELIVERY)}`],
  ["connections", "/settings/svc"],
  ["a new connection", "/settings/svc/create"],
  ["a connection", `/settings/svc/${connectionId}`],
  ["first connection", `/settings/svc/${connectionId}/setup`],
  ["widget of a product", `/products/prod_bench_${padded(PRODUCT)}`],
]

const DAY_MS = 86_400_000

/** What a person does next on a list: searches, narrows it, sorts it, turns to its last page. */
const searches = (connectionId: string): [string, string][] => {
  const last = (count: number) => `limit=20&offset=${Math.max(0, count - 20)}`
  const since = new Date(Date.now() - 30 * DAY_MS).toISOString()
  return [
    ["products", `products?limit=20&order=title&q=product%20${PRODUCT}`],
    ["products", "products?limit=20&order=title&q=nothing-is-called-so"],
    ["products", "products?limit=20&order=title&reason_code[]=no_price"],
    ["products", "products?limit=20&order=-last_pushed_at&state[]=failed"],
    ["products", `products?${last(PRODUCTS)}&order=title`],
    ["products", `products?limit=20&order=state&connection_id[]=${connectionId}`],
    ["shows", "live-events?limit=20&order=name&status[]=vod"],
    ["orders", `orders?limit=20&q=%23${ORDER}`],
    ["orders", `orders?limit=20&q=shopper-${ORDER}@example.test`],
    ["orders", "orders?limit=20&q=nothing-is-called-so"],
    ["orders", `orders?limit=20&campaign_uid[]=campaign-${SHOW}&order=-placed_at`],
    ["orders", "orders?limit=20&state[]=reported&order=state"],
    ["orders", `orders?${last(ORDERS)}&order=-placed_at`],
    [
      "campaigns",
      "campaigns?limit=20&order=-net&from=2025-06-10T00:00:00Z&to=2025-07-10T00:00:00Z",
    ],
    ["campaigns", "campaigns?limit=20&order=name&q=show%201"],
    ["deliveries", "deliveries?limit=20&order=-received_at&topic[]=live_event.created"],
    ["deliveries", "deliveries?limit=20&order=-received_at&outcome[]=failed"],
    ["deliveries", `deliveries?limit=20&order=-received_at&from=${since}`],
    ["deliveries", "deliveries?limit=20&order=topic"],
    ["deliveries", `deliveries?limit=20&order=-received_at&q=delivery-uid-${DELIVERY}`],
    ["deliveries", "deliveries?limit=20&order=-received_at&q=nothing-is-called-so"],
    ["deliveries", `deliveries?${last(DELIVERIES)}&order=-received_at`],
    ["doctor", `connections/${connectionId}/webhook/doctor`],
    ["widget of an order", `orders?order_id=order_bench_${padded(ORDER)}&limit=20`],
  ]
}

/** A page that has asked for nothing more for so long has all that it shows. */
const AT_REST_MS = 1_500

/** The requests to our routes that a page makes by itself until it is at rest, without what it asks again. */
async function requestsOf(page: Page, url: string): Promise<string[]> {
  const asked = new Set<string>()
  const open = new Set<Request>()
  let changedAt = performance.now()
  const isOurs = (request: Request) =>
    request.method() === "GET" && new URL(request.url()).pathname.startsWith("/admin/svc/")
  const begin = (request: Request) => {
    if (!isOurs(request)) return
    const { pathname, search } = new URL(request.url())
    asked.add(pathname + search)
    open.add(request)
    changedAt = performance.now()
  }
  const end = (request: Request) => {
    if (open.delete(request)) changedAt = performance.now()
  }
  page.on("request", begin)
  page.on("requestfinished", end)
  page.on("requestfailed", end)
  // The page of a busy machine is long at rest before it begins.
  await Promise.all([page.waitForRequest(isOurs, { timeout: FIRST_REQUEST_MS }), page.goto(url)])
  while (open.size > 0 || performance.now() - changedAt < AT_REST_MS) await pause(100)
  page.off("request", begin)
  page.off("requestfinished", end)
  page.off("requestfailed", end)
  // It would go on asking, for example for what a running show takes.
  await page.goto("about:blank")
  return [...asked]
}

/** The median and the worst of five answers. */
async function timesOf(admin: StoreApi, path: string): Promise<Figure[]> {
  const seen: number[] = []
  for (let look = 0; look <= LOOKS; look += 1) {
    const started = performance.now()
    await admin.get(path).catch((error: Error) => {
      // The health document of a store that needs somebody.
      if (!(error instanceof StoreApiError && error.status === 503)) throw error
    })
    if (look > 0) seen.push(performance.now() - started)
  }
  seen.sort((a, b) => a - b)
  const name = decodeURIComponent(path)
    .replace("/admin/svc/", "")
    .replace(/svccon_\w+/g, "one")
  return [
    { name, value: seen[Math.floor(LOOKS / 2)] ?? 0, unit: "ms", atMost: AT_MOST_MS },
    { name: `${name}, worst`, value: seen.at(-1) ?? 0, unit: "ms", atMost: AT_MOST_MS },
  ]
}
