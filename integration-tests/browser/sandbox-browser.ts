/** A browser for the sandbox's pages, a sandbox with something in it, and a shop to play in. */
import { mkdirSync } from "node:fs"
import { resolve } from "node:path"
import type { Browser, BrowserContextOptions, Page, Request } from "playwright-core"
import { findChromium, HOW_TO_GET_CHROMIUM } from "../setup/chromium"
import { type HttpServer, serve } from "../setup/http-server"
import { eventually } from "../setup/market"
import type { RunningSandbox } from "../setup/sandbox"

const SCREENSHOTS = resolve(__dirname, "../../.test/screenshots")

export const PAGE_UID = "demo-page"
const TOKEN = "sandbox-token-demo-page"

/**
 * `describe`, where there is a Chromium. Without one the tests are skipped and say so; where `CI`
 * is set they fail, because a skipped test there is one that nobody runs.
 */
export const describeWithBrowser: (name: string, tests: () => void) => void = (name, tests) => {
  if (findChromium()) {
    describe(name, tests)
  } else if (process.env.CI) {
    it(`${name}: needs Chromium`, () => {
      throw new Error(`There is no Chromium. ${HOW_TO_GET_CHROMIUM}`)
    })
  } else {
    describe.skip(`${name} (skipped: no Chromium. ${HOW_TO_GET_CHROMIUM})`, tests)
  }
}

/** Patience for a page on two busy cores; no promise is measured with it. */
const PATIENCE_MS = 180_000

export const DESKTOP = { width: 1280, height: 860 }
export const PHONE = { width: 390, height: 844 }

/** Each page in every look and language, with pictures: `LOOKS=all`, as the weekly run sets it. Else the run's seed draws. */
export const ALL_LOOKS = process.env.LOOKS === "all"

export type View = { theme: "light" | "dark"; screen: "desk" | "phone" }
export const VIEWS: View[] = [
  { theme: "light", screen: "desk" },
  { theme: "dark", screen: "phone" },
  { theme: "dark", screen: "desk" },
  { theme: "light", screen: "phone" },
]

/**
 * A page of its own context, and all that it said on the console. Still, unless `reducedMotion`
 * says otherwise: without a graphics card every moving frame costs what a test could use.
 */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: DESKTOP,
    locale: "en-GB",
    reducedMotion: "reduce",
    ...options,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  await context.addInitScript(rememberToasts)
  const page = await context.newPage()
  openPages.add(page)
  page.once("close", () => openPages.delete(page))
  const said: string[] = []
  const failed: string[] = []
  page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`))
  page.on("pageerror", (error) => failed.push(error.message))
  watchRequests(page)
  return { page, said, failed, close: () => context.close() }
}

const requestsOf = new WeakMap<Page, { underWay: Set<Request>; movedAt: number }>()

function watchRequests(page: Page): void {
  const requests = { underWay: new Set<Request>(), movedAt: Date.now() }
  const moved = (change: (request: Request) => unknown) => (request: Request) => {
    requests.movedAt = Date.now()
    change(request)
  }
  page.on(
    "request",
    moved((request) => requests.underWay.add(request)),
  )
  page.on(
    "requestfinished",
    moved((request) => requests.underWay.delete(request)),
  )
  page.on(
    "requestfailed",
    moved((request) => requests.underWay.delete(request)),
  )
  requestsOf.set(page, requests)
}

/**
 * Waits until a page of `openPage` asks for nothing. Playwright's `networkidle` comes once for each document, and may have
 * come before the first question.
 */
export async function isQuiet(page: Page): Promise<void> {
  const requests = requestsOf.get(page)
  if (!requests) throw new Error("The page was not opened by openPage.")
  const { underWay } = requests
  await eventually(async () => {
    // The page answers this only when it is not busy, and what it is busy with may end in another request.
    await page.evaluate(() => undefined)
    return underWay.size === 0 && Date.now() - requests.movedAt > 250
  }, Boolean)
}

/**
 * Opens a page of the admin. Where the admin is there already, as a press on a link does, which takes a fifth of the time.
 * Loaded anew where that page is there, with whatever its list is narrowed to, or a dialog, which may hold on to its own.
 */
export async function openInAdmin(page: Page, url: string): Promise<void> {
  const isFollowed = await page.evaluate((to) => {
    const isHeld = document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')
    const isThere = location.pathname.startsWith("/app/") && document.querySelector("main")
    if (isHeld || !isThere || location.pathname === new URL(to).pathname) return false
    Object.assign(window, { toasts: [] })
    history.pushState(null, "", to)
    dispatchEvent(new PopStateEvent("popstate"))
    return true
  }, url)
  if (!isFollowed) {
    await page.goto(url)
    return
  }
  const requests = requestsOf.get(page)
  if (requests) requests.movedAt = Date.now()
  // Until then the page before may be on the screen.
  await isQuiet(page)
}

type ToastWindow = { toasts: string[] }

/** Runs in the page: keeps what its toasts said, which is gone again after seconds that nobody may be looking. */
function rememberToasts(): void {
  Object.assign(window, { toasts: [] })
  const shown = new WeakMap<Element, string>()
  new MutationObserver(() => {
    for (const toast of document.querySelectorAll(".toast, [data-sonner-toast]")) {
      const text = toast.textContent ?? ""
      if (shown.get(toast) === text) continue
      shown.set(toast, text)
      ;(window as unknown as { toasts: string[] }).toasts.push(text)
    }
  }).observe(document, { childList: true, subtree: true, characterData: true })
}

/** Waits until a toast has said this since the last time that one was waited for. */
export async function told(page: Page, text: string | RegExp): Promise<void> {
  const pattern =
    typeof text === "string" ? text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : text.source
  await page.waitForFunction((wanted) => {
    const { toasts } = window as unknown as ToastWindow
    const at = toasts.findIndex((toast) => new RegExp(wanted).test(toast))
    return at >= 0 && toasts.splice(0, at + 1).length > 0
  }, pattern)
}

/** Where `SCREENSHOTS` is set. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!process.env.SCREENSHOTS) return
  // Entrances have ended by then.
  await page.waitForTimeout(500)
  await photograph(page, name)
}

async function photograph(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: resolve(SCREENSHOTS, `${name}.png`) })
}

const openPages = new Set<Page>()

/** Called where a test fails (`setup/browser-environment.js`). */
async function photographPages(test: string): Promise<void> {
  for (const [n, page] of [...openPages].entries()) {
    const name = `failed-${test.replace(/[^a-z0-9]+/gi, "-").slice(0, 80)}-${n + 1}`
    // The page may be what failed.
    await photograph(page, name).catch(() => undefined)
  }
}
Object.assign(globalThis, { photographPages })

/** How many pixels the page stays wider than the window: it may be drawn anew a moment after it came. */
export async function overflow(page: Page): Promise<number> {
  const now = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  return eventually(now, (wider) => wider === 0, 60_000).catch(now)
}

const picture = (hue: number, shape: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200"><rect width="200" height="200" fill="hsl(${hue} 45% 91%)"/>${shape}</svg>`

const PICTURES: Record<string, string> = {
  "/prod_lamp.svg": picture(
    32,
    '<path d="M100 20v60" stroke="#3b2f2a" stroke-width="4"/><path d="M52 130a48 52 0 0 1 96 0z" fill="hsl(32 70% 55%)"/>',
  ),
  "/prod_knit.svg": picture(
    200,
    '<path d="M60 60l25-14q15 14 30 0l25 14 20 40-22 10-8-16v60H70v-60l-8 16-22-10z" fill="hsl(204 45% 45%)"/>',
  ),
}

export const LAMP = {
  id: "prod_lamp",
  sku: "LAMP",
  name: "Harbour lamp",
  price: 1099,
  url: "http://127.0.0.1:8000/products/lamp",
  type: "simple",
  status: "enabled",
  inventory: 12,
  manageStock: true,
}

export const KNIT = {
  id: "prod_knit",
  sku: "KNIT",
  name: "Fjord knit",
  price: 599,
  url: "http://127.0.0.1:8000/products/knit",
  type: "configurable",
  status: "enabled",
  inventory: 30,
  manageStock: true,
  configurableOptions: [{ name: "Size", values: ["S", "M", "L"] }],
  variants: ["S", "M", "L"].map((size) => ({
    id: `var_knit_${size}`,
    sku: `KNIT-${size}`,
    name: size,
    price: 599,
    inventory: 10,
    manageStock: true,
    status: "enabled",
    options: { Size: size },
  })),
}

/** Calls the service as a store does. */
export async function asStore<T = unknown>(
  sandbox: RunningSandbox,
  path: string,
  body: unknown,
): Promise<T> {
  const response = await fetch(`${sandbox.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Token ${TOKEN}` },
    body: JSON.stringify(body),
  })
  if (!response.ok) {
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  }
  return (await response.json()) as T
}

/** Pushes, and makes sure that everything was taken. */
export async function pushProducts(sandbox: RunningSandbox, products: unknown[]): Promise<void> {
  const answer = await asStore<{ rejected: number }>(sandbox, "/products", { products })
  if (answer.rejected > 0) {
    throw new Error(`The sandbox refused products: ${JSON.stringify(answer)}`)
  }
}

/** Both products, with pictures that `shop` serves. */
export const catalog = (shop: HttpServer) =>
  [LAMP, KNIT].map((product) => ({ ...product, image: `${shop.url}/${product.id}.svg` }))

export type SandboxEvent = { id: string; campaign_uid: string; status: string }

/** A show on air with both products, 25 % below the catalog. */
export async function liveShow(
  sandbox: RunningSandbox,
  shop: HttpServer,
  name = "Autumn at the studio",
) {
  await pushProducts(sandbox, catalog(shop))
  const { event } = await sandbox.control<{ event: SandboxEvent }>("/events", {
    page_uid: PAGE_UID,
    kind: "live",
    name,
  })
  const uids: Record<string, string> = {}
  for (const [product, price] of [
    [LAMP, 799],
    [KNIT, 449.5],
  ] as const) {
    const { event_product } = await sandbox.control<{ event_product: { uid: string } }>(
      `/events/${event.id}/products`,
      { external_id: product.id, price },
    )
    uids[product.id] = event_product.uid
  }
  await sandbox.control(`/events/${event.id}/start`, {})
  return { ...event, uids }
}

/**
 * The smallest shop there can be: one page on an origin of its own, whose basket lives in the
 * browser session, and which writes down every action it is called with.
 *
 * Queries: `none` registers nothing; `late` registers a second after the page has loaded;
 * `hostile` hides every `div` and breaks an entry of the ready queue.
 */
export const startShop = (playerUrl: () => string): Promise<HttpServer> =>
  serve((request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://shop")
    const drawn = PICTURES[pathname]
    if (drawn) {
      response.setHeader("content-type", "image/svg+xml")
      response.end(drawn)
      return
    }
    response.setHeader("content-type", "text/html; charset=utf-8")
    response.end(`<!doctype html>
<html lang="en-GB">
<head><meta name="viewport" content="width=device-width, initial-scale=1"><title>A shop</title>
<style>
  body { font: 16px/1.5 sans-serif; margin: 48px; background: #faf8f5; color: #222 }
  @media (prefers-color-scheme: dark) { body { background: #191716; color: #eee } }
  ${query.has("hostile") ? "div { display: none !important; position: static !important }" : ""}
</style></head>
<body>
<h1>Havn &amp; Hede</h1><p>Things for the house.</p><button id="shop-button">A button of the shop</button>
<script>
${query.has("hostile") ? 'window.onSvcReady = [() => { throw new Error("the entry of another script") }]' : ""}
window.shop = { calls: [], hold: {}, answers: {}, basket: JSON.parse(sessionStorage.getItem("basket") || "[]"), opened: 0 }
const PRICES = { prod_lamp: 799, prod_knit: 449.5, prod_mug: 129 }
// Holds an action back until the test lets it go, or answers what the test put in.
async function reply(name, payload, work) {
  shop.calls.push({ name, payload: structuredClone(payload) })
  if (shop.hold[name]) await new Promise((go) => { shop.release = go })
  const answer = shop.answers[name] ?? work()
  sessionStorage.setItem("basket", JSON.stringify(shop.basket))
  return answer
}
function put({ action, product_id, variant_id, sku, quantity }) {
  const line = shop.basket.find((one) => one.product_id === product_id && one.variant_id === (variant_id ?? "only_" + product_id))
  if (action === "remove") shop.basket = shop.basket.filter((one) => one !== line)
  else if (line) line.quantity = action === "add" ? line.quantity + quantity : quantity
  else shop.basket.push({ product_id, variant_id: variant_id ?? "only_" + product_id, sku, quantity })
}
function register(sdk) {
  window.sdk = sdk
  const { SUCCESS } = sdk.actionStatuses
  sdk.registerAction(sdk.actions.UPDATE_CART_CONTENTS, (payload) =>
    reply("UPDATE_CART_CONTENTS", payload, () => { payload.products.forEach(put); return { status: SUCCESS } }))
  sdk.registerAction(sdk.actions.SOME_CHECKOUT, (payload) =>
    reply("SOME_CHECKOUT", payload, () => { payload.products.forEach(put); return { status: SUCCESS } }))
  sdk.registerAction(sdk.actions.GET_CART_CONTENTS, async () => {
    const products = shop.basket.map((line) => ({ ...line, name: "As the shop calls " + line.product_id,
      unit_price: PRICES[line.product_id], total: PRICES[line.product_id] * line.quantity, image: null, url: null, in_campaign: line.product_id !== "prod_mug" }))
    return shop.answers.GET_CART_CONTENTS ?? { status: SUCCESS, products, total: products.reduce((sum, { total }) => sum + total, 0), currency: "DKK" }
  })
  sdk.registerAction(sdk.actions.OPEN_CART, (payload) =>
    reply("OPEN_CART", payload, () => { shop.opened++; return { status: SUCCESS } }))
}
window.onSvcReady = window.onSvcReady || []
${query.has("none") ? "" : query.has("late") ? "addEventListener('load', () => setTimeout(() => window.onSvcReady.push(register), 1000))" : "window.onSvcReady.push(register)"}
</script>
<script src="${playerUrl()}" data-page-uid="${PAGE_UID}" async></script>
</body></html>`)
  })

export type ShopCall = { name: string; payload: Record<string, unknown> }

/** The page's own `window.shop`. */
export type ShopWindow = {
  shop: {
    calls: ShopCall[]
    hold: Record<string, boolean>
    answers: Record<string, unknown>
    basket: unknown[]
    opened: number
    release?: () => void
  }
  sdk: {
    progress: { plan(plan: object): void; set(at: object): void }
    openPlayer(at: { product_id: string; variant_id: string }): void
  }
}

export const callsOf = (page: Page, name: string): Promise<ShopCall["payload"][]> =>
  page.evaluate(
    (wanted) =>
      (window as unknown as ShopWindow).shop.calls
        .filter((call) => call.name === wanted)
        .map(({ payload }) => payload),
    name,
  )

/** Waits until the shop was called `count` times with `name`. */
export async function waitForCalls(page: Page, name: string, count: number) {
  await page.waitForFunction(
    ([wanted, least]) =>
      (window as unknown as ShopWindow).shop.calls.filter((call) => call.name === wanted).length >=
      Number(least),
    [name, count],
  )
  return callsOf(page, name)
}
