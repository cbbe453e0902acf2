/**
 * What the plugin's pages in the admin owe everybody: no fault that axe calls serious, every task by keyboard alone, no
 * request where nothing happens, and words that stay true after a show or its connection is gone.
 */
import { mkdirSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import type { Browser, Page } from "playwright-core"
import { DEMO_ADMIN } from "../../demo/catalog/seed-names"
import {
  type Evening,
  openTheEvening,
  placeOrder,
  productOf,
  sellAnHourEarlier,
  showOf,
  startSmallShow,
} from "../setup/admin-shop"
import { launchBrowser, logIntoAdmin } from "../setup/browser"
import { eventually } from "../setup/market"
import { SLOW_START_MS } from "../setup/store-process"
import { startWholeShop, type WholeShop } from "../setup/whole-shop"
import { describeWithBrowser, openPage, overflow, PHONE, screenshot, told } from "./sandbox-browser"

/** By its path: the types of the package are of no use here. */
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8")

type Violation = {
  id: string
  impact: string
  help: string
  nodes: { target: unknown[]; html: string }[]
}

/**
 * Serious and critical faults of what is on the screen. Medusa's own frame around our pages, its sidebar and its top bar,
 * is not ours to mend, nor are its own pages around our widgets.
 *
 * @param widget the heading of the widget to look at, on a page of Medusa's
 */
async function faultsOf(page: Page, widget?: string): Promise<string[]> {
  await isStill(page)
  const first = await faultsNow(page, widget)
  if (first.length === 0) return first
  // What is pale or unnamed while it comes in is not a fault: what stays is.
  await page.waitForTimeout(1_000)
  const second = await faultsNow(page, widget)
  return second.filter((fault) => first.includes(fault))
}

/** Waits until everything is loaded and nothing fades or slides in any more: colours are pale meanwhile. */
async function isStill(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle")
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished),
    ).then(() => undefined),
  )
}

async function faultsNow(page: Page, widget?: string): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE)
  const violations = await page.evaluate(async (heading) => {
    const { axe } = window as unknown as {
      axe: { run: (at: object, how: object) => Promise<{ violations: Violation[] }> }
    }
    const dialog = document.querySelector('[role="dialog"], [role="alertdialog"]')
    const card = [...document.querySelectorAll("h1, h2, h3")]
      .find(({ textContent }) => heading !== undefined && textContent === heading)
      ?.closest(".shadow-elevation-card-rest")
    const { violations: found } = await axe.run(
      {
        include: [dialog ?? card ?? document.querySelector("main") ?? document.body],
        // The colour of what Medusa's select says while nothing is chosen is Medusa's.
        exclude: ["[data-placeholder]"],
      },
      { resultTypes: ["violations"] },
    )
    return found
  }, widget)
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html }) => `${id} (${help}): ${html.slice(0, 300)}`),
    )
}

/** The heading of our widget, where the page is Medusa's. */
const widgetOn = (path: string): string | undefined =>
  /^\/(orders|products)\//.test(path) ? "Live commerce" : undefined

/** Whatever of the page's own content can be pressed or filled in, and gets no focus from Tab. */
async function unreachedByTab(page: Page): Promise<string[]> {
  const count = await page.evaluate(() => {
    const root =
      document.querySelector('[role="dialog"]') ?? document.querySelector("main") ?? document.body
    const pressable = [
      ...root.querySelectorAll<HTMLElement>(
        'a[href], button, input, select, textarea, [role="checkbox"], [role="combobox"], [role="switch"], [role="tab"]',
      ),
    ].filter(
      (element) =>
        element.getClientRects().length > 0 &&
        !element.hasAttribute("disabled") &&
        element.getAttribute("aria-hidden") !== "true" &&
        // Of the tabs of a group one is reached, and arrows lead to the others.
        !(
          element.getAttribute("role") === "tab" && element.getAttribute("aria-selected") !== "true"
        ),
    )
    for (const element of pressable) element.setAttribute("data-pressable", "")
    document.addEventListener(
      "focusin",
      ({ target }) => target instanceof Element && target.setAttribute("data-reached", ""),
    )
    document.activeElement?.setAttribute("data-reached", "")
    return document.querySelectorAll("a[href], button, input, select, textarea, [tabindex]").length
  })
  for (let presses = 0; presses < count + 5; presses += 1) await page.keyboard.press("Tab")
  return page.evaluate(() =>
    [...document.querySelectorAll("[data-pressable]:not([data-reached])")].map((element) =>
      element.outerHTML.slice(0, 200),
    ),
  )
}

/** A picture of all of the page: Medusa's frame scrolls inside the window. */
async function wholePage(page: Page, name: string): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 1280 }
  const height = await page.evaluate(
    () => document.querySelector("main")?.scrollHeight ?? document.body.scrollHeight,
  )
  const before = page.viewportSize()
  await page.setViewportSize({ width, height: Math.min(3_000, height + 60) })
  await screenshot(page, name)
  if (before) await page.setViewportSize(before)
}

const PICTURES = resolve(__dirname, "../../docs/images")

describeWithBrowser("the care of the admin pages", () => {
  let shop: WholeShop
  let browser: Browser
  let page: Page
  let failed: string[]
  let evening: Evening
  let orderId: string

  beforeAll(async () => {
    shop = await startWholeShop()
    evening = await openTheEvening(shop)
    const { market, show } = evening
    const [mug, lamp, throwBlanket] = await Promise.all(
      ["havn-mug", "fyr-table-lamp", "varm-throw"].map((handle) => productOf(shop, handle)),
    )
    if (!mug || !lamp || !throwBlanket) throw new Error("no products")
    for (const { product, quantity } of [
      { product: lamp, quantity: 1 },
      { product: mug, quantity: 2 },
      { product: throwBlanket, quantity: 1 },
    ]) {
      const order = await placeOrder(shop, {
        market,
        show,
        product,
        quantity,
      })
      orderId ??= order.id
    }
    await eventually(
      () =>
        shop.admin.get<{ results: { orders: number }[] }>(
          `/admin/svc/results?group_by=campaign&campaign_uid=${show.campaign_uid}`,
        ),
      ({ results }) => results[0]?.orders === 3,
    )
    await sellAnHourEarlier(shop, show, lamp)
    browser = await launchBrowser()
    ;({ page, failed } = await openPage(browser))
    page.context().setDefaultTimeout(60_000)
    await logIntoAdmin(page, shop.storeUrl, DEMO_ADMIN)
  }, SLOW_START_MS)
  afterAll(async () => {
    await browser?.close()
    await shop?.stop()
  })
  afterEach(() => expect(failed).toEqual([]))

  const open = (path: string) => page.goto(`${shop.storeUrl}/app${path}`)

  /** Every page and drawer of ours, with a text that says that it is there. */
  const pages = (): [string, string | RegExp][] => [
    ["/svc", "Earnings of the latest shows"],
    ["/svc/products", "Up to date"],
    ["/svc/shows", "An evening with clay and wool"],
    [`/svc/shows/${evening.show.id}`, "Net sales by hour"],
    ["/svc/orders", "Reported"],
    ["/svc/campaigns", "An evening with clay and wool"],
    ["/svc/deliveries", "live_event.created"],
    ["/settings/svc", "Hede & Havn"],
    ["/settings/svc/create", "Create connection"],
    [`/settings/svc/${evening.connectionId}`, "12 topics"],
    [`/settings/svc/${evening.connectionId}/edit`, "Edit connection"],
    [`/settings/svc/${evening.connectionId}/webhook-key`, "Signature key"],
    [`/settings/svc/${evening.connectionId}/setup`, "Test order"],
    [`/orders/${orderId}`, "Sold in the show"],
  ]

  /** A show that is over, so that the overview has earnings to draw. */
  it("keeps the name of a show that has ended, wherever it stands", async () => {
    const vase = await productOf(shop, "birk-bud-vase")
    const small = await startSmallShow(shop, "Vases by candlelight", vase, 89)
    await placeOrder(shop, {
      market: evening.market,
      show: small,
      product: vase,
    })
    await shop.sandbox.control(`/events/${small.event_id}/end`, {})
    await shop.sandbox.control(`/events/${small.event_id}/complete`, {})
    await showOf(shop, ({ id, status }) => id === small.id && status === "vod")
    const bowl = await productOf(shop, "lyng-bowl")
    const other = await startSmallShow(shop, "Bowls at noon", bowl, 119)
    await placeOrder(shop, { market: evening.market, show: other, product: bowl, quantity: 3 })
    await shop.sandbox.control(`/events/${other.event_id}/end`, {})
    await showOf(shop, ({ id, status }) => id === other.id && status === "processing")
    await open("/svc/orders")
    await page.getByRole("row").filter({ hasText: "Vases by candlelight" }).waitFor()
    expect(await page.getByRole("row").filter({ hasText: small.campaign_uid }).count()).toBe(0)
    await open("/svc/campaigns")
    await page.getByRole("row").filter({ hasText: "Vases by candlelight" }).waitFor()
    await open("/svc")
    await page.getByRole("link", { name: /Vases by candlelight/ }).waitFor()
    await screenshot(page, "care-1-overview")
  })

  it("says in words that an order sold nothing at a show's price, and counts it apart", async () => {
    const mug = await productOf(shop, "havn-mug")
    const doomed = await startSmallShow(shop, "The show that was cancelled", mug, 79)
    const order = await placeOrder(shop, {
      market: evening.market,
      show: doomed,
      product: mug,
      meanwhile: async () => {
        await shop.sandbox.control(`/events/${doomed.event_id}/cancel`, {})
        await showOf(shop, ({ id, status }) => id === doomed.id && status === "cancelled")
      },
    })
    await eventually(
      () =>
        shop.admin.get<{ orders: { state: string }[] }>(`/admin/svc/orders?order_id=${order.id}`),
      ({ orders }) => orders[0]?.state === "reported",
    )
    await open("/svc/orders")
    const row = page.getByRole("row").filter({ hasText: "The show that was cancelled" })
    await row.getByText("Nothing at show price").waitFor()
    expect(await row.textContent()).not.toMatch(/0\.00/)
    await screenshot(page, "care-2-nothing-at-show-price")
    await row.getByRole("link").first().click()
    await page
      .getByRole("dialog")
      .getByText(/Nothing in it was sold at a show's price/)
      .waitFor()
    // Neither as a sale of the show nor as a conversion.
    await open(`/svc/shows/${doomed.id}`)
    await page.getByText(/1 more order came from the show; nothing in it was sold/).waitFor()
    expect(await page.getByText(/100\s?%/).count()).toBe(0)
    await screenshot(page, "care-2-show-without-sales")
    await open(`/orders/${order.id}`)
    await page.getByText(/Nothing in it was sold at a show's price/).waitFor()
  })

  it("has no serious fault of accessibility on any page or dialog", async () => {
    const found: Record<string, string[]> = {}
    const look = async (name: string, widget?: string) => {
      const faults = await faultsOf(page, widget)
      if (faults.length > 0) found[name] = faults
    }
    for (const [path, text] of pages()) {
      await open(path)
      await page.getByText(text).first().waitFor()
      await look(path, widgetOn(path))
    }
    // Drawers are opened from their rows.
    for (const path of ["/svc/products", "/svc/orders", "/svc/deliveries"]) {
      await open(path)
      await page.getByRole("row").nth(1).getByRole("link").first().click()
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().waitFor()
      await look(`a row of ${path}`)
    }
    const mug = await productOf(shop, "havn-mug")
    await open(`/products/${mug.id}`)
    await page.getByRole("heading", { name: "Live commerce" }).waitFor()
    await page.getByRole("link", { name: "An evening with clay and wool" }).waitFor()
    await look("the product's widget", "Live commerce")
    await screenshot(page, "care-3-product-widget")
    await open(`/settings/svc/${evening.connectionId}`)
    await page.getByText("12 topics").waitFor()
    await page.getByRole("button", { name: "More actions" }).last().click()
    await page.getByRole("menuitem", { name: "Remove webhook" }).click()
    await page.getByRole("alertdialog").waitFor()
    await look("the prompt that asks before something is removed")
    await page.getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("button", { name: "Find the cause" }).click()
    await page.getByText(/Deliveries arrive and are verified/).waitFor()
    await look("what the doctor found")
    await screenshot(page, "care-3-doctor")
    expect(found).toEqual({})
  })

  it("takes the pictures of the README", async () => {
    // Written only when somebody asks for new ones: they show relative times.
    const folder = process.env.README_PICTURES
      ? PICTURES
      : resolve(__dirname, "../../.test/screenshots")
    mkdirSync(folder, { recursive: true })
    for (const [path, text, name] of [
      ["/svc", "Earnings of the latest shows", "admin-overview.png"],
      [`/svc/shows/${evening.show.id}`, "Net sales by hour", "admin-show.png"],
    ] as const) {
      await open(path)
      await page.getByText(text).first().waitFor()
      await page.waitForLoadState("networkidle")
      await page.screenshot({ path: resolve(folder, name) })
    }
  })

  it("lets the keyboard reach everything that can be pressed", async () => {
    const missed: Record<string, string[]> = {}
    for (const [path, text] of pages()) {
      await open(path)
      await page.getByText(text).first().waitFor()
      const unreached = await unreachedByTab(page)
      if (unreached.length > 0) missed[path] = unreached
    }
    expect(missed).toEqual({})
  })

  it("lets the keyboard do the evening's tasks", async () => {
    // Open a show from the overview.
    await open("/svc")
    const show = page.getByRole("link", { name: "An evening with clay and wool" }).first()
    await show.focus()
    await page.keyboard.press("Enter")
    await page.waitForURL(new RegExp(`/svc/shows/${evening.show.id}`))

    // Select two products and send them.
    await open("/svc/products?q=mug")
    const boxes = page.getByRole("row").getByRole("checkbox")
    await boxes.nth(1).focus()
    await page.keyboard.press("Space")
    await page.keyboard.press("s")
    await told(page, "will be sent in a moment.")

    // A row's own menu.
    await open("/svc/products?q=Fyr")
    await page
      .getByRole("button", { name: /^More actions: / })
      .first()
      .focus()
    await page.keyboard.press("Enter")
    await page.getByRole("menuitem", { name: "Send now" }).waitFor()
    await page.keyboard.press("Enter")
    await told(page, /Sent to the service|will be sent in a moment/)

    // An order's drawer, its report, and out again.
    await open("/svc/orders")
    await page.getByRole("row").nth(1).getByRole("link").first().focus()
    await page.keyboard.press("Enter")
    const drawer = page.getByRole("dialog")
    await drawer.getByRole("button", { name: "Report again" }).focus()
    await page.keyboard.press("Enter")
    await told(page, "Reported to the service.")
    await page.keyboard.press("Escape")
    await drawer.waitFor({ state: "detached" })

    // A webhook's menu, and no to its question.
    await open(`/settings/svc/${evening.connectionId}`)
    await page.getByText("12 topics").waitFor()
    await page.getByRole("button", { name: "More actions" }).last().focus()
    await page.keyboard.press("Enter")
    await page.getByRole("menuitem", { name: "Rotate key" }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("alertdialog").waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("alertdialog").waitFor({ state: "detached" })

    // A form: a region is chosen, and the dirty form asks before it is left.
    await open("/settings/svc/create")
    await page.getByLabel("Name", { exact: true }).focus()
    await page.keyboard.type("By keyboard")
    await page.getByLabel("Sales channel", { exact: true }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("option").first().waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("option").first().waitFor({ state: "detached" })
    await page.keyboard.press("Escape")
    await page.getByRole("alertdialog").waitFor()
  })

  it("looks well in the dark and on a phone, where charts and deliveries are too", async () => {
    for (const [name, viewport] of [
      ["desktop", undefined],
      ["phone", PHONE],
    ] as const) {
      const dark = await openPage(browser, {
        colorScheme: "dark",
        ...(viewport ? { viewport } : {}),
      })
      await dark.page.addInitScript(() => localStorage.setItem("medusa_admin_theme", "dark"))
      await logIntoAdmin(dark.page, shop.storeUrl, DEMO_ADMIN)
      const mug = await productOf(shop, "havn-mug")
      for (const [path, text] of [...pages(), [`/products/${mug.id}`, "Up to date"] as const]) {
        await dark.page.goto(`${shop.storeUrl}/app${path}`)
        await dark.page.getByText(text).first().waitFor()
        const shown = path.replace(/[a-z]+_[0-9A-Z]{10,}/g, "one").replaceAll("/", "-")
        expect([path, await overflow(dark.page)]).toEqual([path, 0])
        await wholePage(dark.page, `care-dark-${name}${shown}`)
        const faults = await faultsOf(dark.page, widgetOn(path))
        expect([path, faults]).toEqual([path, []])
      }
      expect(dark.failed).toEqual([])
      await dark.close()
    }
  })

  it("asks for nothing while the page is hidden, and for nothing at all where nothing runs", async () => {
    const watched = await openPage(browser)
    await watched.page.addInitScript(() => {
      Object.defineProperty(document, "visibilityState", {
        get: () => (Reflect.get(window, "isHidden") ? "hidden" : "visible"),
      })
    })
    await logIntoAdmin(watched.page, shop.storeUrl, DEMO_ADMIN)
    await watched.page.clock.install()
    const asked: string[] = []
    watched.page.on("request", (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith("/admin/svc/")) asked.push(pathname)
    })
    /** What is asked for in two minutes by the page's own clock. */
    const inTwoMinutes = async () => {
      await watched.page.waitForLoadState("networkidle")
      asked.length = 0
      for (let minute = 0; minute < 24; minute += 1) {
        await watched.page.clock.runFor(5_000)
        await watched.page.waitForLoadState("networkidle")
      }
      return [...new Set(asked)]
    }
    const hide = (hidden: boolean) =>
      watched.page.evaluate((isHidden) => {
        Object.assign(window, { isHidden })
        document.dispatchEvent(new Event("visibilitychange"))
      }, hidden)

    // A show runs: its takings are watched, but not by a page that nobody sees.
    await watched.page.goto(`${shop.storeUrl}/app/svc`)
    await watched.page.getByText("An evening with clay and wool").first().waitFor()
    expect(await inTwoMinutes()).toContain("/admin/svc/overview")
    await hide(true)
    expect(await inTwoMinutes()).toEqual([])

    await shop.sandbox.control(`/events/${evening.show.event_id}/end`, {})
    await showOf(shop, ({ id, status }) => id === evening.show.id && status !== "live")
    const still: Record<string, string[]> = {}
    for (const [path, text] of pages()) {
      await watched.page.goto(`${shop.storeUrl}/app${path}`)
      await watched.page.getByText(text).first().waitFor()
      const found = await inTwoMinutes()
      if (found.length > 0) still[path] = found
    }
    expect(still).toEqual({})
    expect(watched.failed).toEqual([])
    await watched.close()
  })

  it("keeps the names of shows and of their connection after it was deleted", async () => {
    const answer = await page.request.delete(
      `${shop.storeUrl}/admin/svc/connections/${evening.connectionId}`,
    )
    expect(answer.status()).toBe(200)
    await open("/svc/orders")
    const row = page.getByRole("row").filter({ hasText: "An evening with clay and wool" }).first()
    await row.getByRole("link").first().click()
    const drawer = page.getByRole("dialog")
    await drawer.getByText("Hede & Havn, Denmark").waitFor()
    await drawer.getByText("An evening with clay and wool").waitFor()
    expect(await drawer.textContent()).not.toContain(evening.connectionId)
    expect(await drawer.textContent()).not.toContain(evening.show.campaign_uid)
    await screenshot(page, "care-4-after-deletion")
    await open("/svc/campaigns")
    await page.getByRole("row").filter({ hasText: "An evening with clay and wool" }).waitFor()
    expect(await page.getByRole("row").filter({ hasText: evening.show.campaign_uid }).count()).toBe(
      0,
    )
  })
})
