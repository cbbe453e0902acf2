/**
 * What the plugin's pages in the admin owe everybody: no fault that axe calls serious, every task by keyboard alone, few
 * requests where nothing happens, and words that stay true after a show or its connection is gone.
 */
import type { Browser, Page } from "playwright-core"
import { DEMO_ADMIN } from "../../demo/catalog/seed-names"
import { PAGE } from "../../demo/start-up/connect"
import {
  type Evening,
  type LiveEvent,
  openTheEvening,
  placeOrder,
  productOf,
  sellAnHourEarlier,
  showOf,
  startSmallShow,
} from "../setup/admin-shop"
import { ASKED_AGAIN, answerTo, launchBrowser, logIntoAdmin } from "../setup/browser"
import { drawn } from "../setup/generated"
import { eventually } from "../setup/market"
import { SLOW_START_MS } from "../setup/store-process"
import { statement } from "../setup/test-database"
import { startWholeShop, type WholeShop } from "../setup/whole-shop"
import {
  cutTables,
  faultsOf,
  isStill,
  type Language,
  setTheme,
  speak,
  textsOf,
  unfinishedOf,
  wholePage,
} from "./admin-looks"
import {
  ALL_LOOKS,
  DESKTOP,
  describeWithBrowser,
  isQuiet,
  openInAdmin,
  openPage,
  overflow,
  PHONE,
  told,
  VIEWS,
  type View,
} from "./sandbox-browser"

/** The heading of our widget, where the page is Medusa's. */
const widgetOn = (path: string, language: Language): string | undefined =>
  /^\/(orders|products)\//.test(path) ? textsOf(language).widgets.order.heading : undefined

/** Whatever of what is looked at can be pressed or filled in, and gets no focus from Tab. */
async function unreachedByTab(page: Page): Promise<string[]> {
  const count = await page.evaluate(() => {
    const root = document.querySelector("[data-looked-at]") ?? document.body
    const pressable = [
      ...root.querySelectorAll<HTMLElement>(
        'a[href], button, input, select, textarea, [role="checkbox"], [role="combobox"], [role="switch"], [role="tab"]',
      ),
    ].filter(
      (element) =>
        element.getClientRects().length > 0 &&
        !element.hasAttribute("disabled") &&
        element.getAttribute("aria-hidden") !== "true" &&
        // The arrow in a field of choices: the field itself opens them by the keyboard.
        !element.matches('[aria-haspopup="listbox"][tabindex="-1"]') &&
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
  const unreached = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("[data-pressable]:not([data-reached])")].map((element) =>
        element.outerHTML.slice(0, 200),
      ),
    )
  let left = await unreached()
  for (let presses = 0; left.length > 0 && presses < 2 * count + 50; presses += 10) {
    for (let press = 0; press < 10; press += 1) await page.keyboard.press("Tab")
    left = await unreached()
  }
  return left
}

/** A state of a page: what is opened on it, or which of its requests stays without an answer, and what is seen then. */
type Look = {
  name?: string
  path: string
  broken?: string
  open?: (page: Page) => Promise<unknown>
  shows: string | RegExp
}

const LANGUAGES: Language[] = ["en", "de"]

describeWithBrowser("the care of the admin pages", () => {
  let shop: WholeShop
  let browser: Browser
  let page: Page
  let failed: string[]
  /** Of the same admin user, with a clock that the tests turn forward, so that nobody waits for its next question. */
  let watched: Awaited<ReturnType<typeof openPage>>
  let evening: Evening
  let orderId: string

  beforeAll(async () => {
    shop = await startWholeShop()
    evening = await openTheEvening(shop)
    const { market, show } = evening
    const lamp = await productOf(shop, "fyr-table-lamp")
    orderId = (await placeOrder(shop, { market, show, product: lamp })).id
    const mug = await productOf(shop, "havn-mug")
    await placeOrder(shop, { market, show, product: mug, quantity: 2 })
    await sold(show, 2)
    await sellAnHourEarlier(shop, show, lamp)
    browser = await launchBrowser()
    ;({ page, failed } = await openPage(browser))
    await logIntoAdmin(page, shop.storeUrl, DEMO_ADMIN)
    watched = await openAnother()
    await watched.page.clock.install()
  }, SLOW_START_MS)
  afterAll(async () => {
    await browser?.close()
    await shop?.stop()
  })
  afterEach(async () => {
    await watched.page.goto("about:blank")
    expect([...failed, ...watched.failed]).toEqual([])
  })

  /** Waits until so many orders of a show are in the results: a page that nobody watches does not ask again. */
  const sold = (show: { campaign_uid: string }, orders: number) =>
    eventually(
      () =>
        shop.admin.get<{ results: { orders: number }[] }>(
          `/admin/svc/results?group_by=campaign&campaign_uid=${show.campaign_uid}`,
        ),
      ({ results }) => results[0]?.orders === orders,
    )

  const open = (path: string) => openInAdmin(page, `${shop.storeUrl}/app${path}`)

  /** Another page of the same admin user. */
  const openAnother = async () =>
    openPage(browser, { storageState: await page.context().storageState() })

  const watch = (path: string) => watched.page.goto(`${shop.storeUrl}/app${path}`)

  /** Ends whatever runs. */
  const endShows = async () => {
    const { live_events } = await shop.admin.get<{ live_events: LiveEvent[] }>(
      "/admin/svc/live-events?status=live",
    )
    for (const { id, event_id } of live_events) {
      await shop.sandbox.control(`/events/${event_id}/end`, {})
      await showOf(shop, (show) => show.id === id && show.status !== "live")
    }
  }

  /** Every page of ours that has an address, with a text that says that it is there. */
  const pages = (language: Language = "en"): [string, string | RegExp][] => {
    const t = textsOf(language)
    const { connectionId, show } = evening
    return [
      ["/svc", t.overview.past],
      ["/svc/products", t.products.state.synced],
      ["/svc/shows", "An evening with clay and wool"],
      [`/svc/shows/${show.id}`, t.shows.results.overTime],
      ["/svc/orders", t.orders.state.reported],
      ["/svc/campaigns", "An evening with clay and wool"],
      ["/svc/campaigns?by=day", t.campaigns.days.heading],
      ["/svc/deliveries", "live_event.created"],
      ["/settings/svc", "Hede & Havn"],
      ["/settings/svc/create", t.connections.createPage.heading],
      [`/settings/svc/${connectionId}`, t.webhook.topics_other.replace("{{count}}", "12")],
      [`/settings/svc/${connectionId}/edit`, t.connections.editPage.heading],
      [`/settings/svc/${connectionId}/webhook-key`, t.webhook.pastePage.field],
      // What the page below it does not say, too.
      [`/settings/svc/${connectionId}/sent`, t.sent.pushHint],
      [`/settings/svc/${connectionId}/webhook`, t.webhook.edit.name],
      [`/settings/svc/${connectionId}/setup`, t.setup.steps.test_order.title],
      [`/orders/${orderId}`, t.orders.lines.heading],
    ]
  }

  it("says which prices of an order are without VAT, and never calls a repeated report accepted that was not", async () => {
    type Orders = { orders: { id: string }[] }
    const { orders } = await shop.admin.get<Orders>(`/admin/svc/orders?order_id=${orderId}`)
    const sellWithVat = (included: boolean) =>
      statement(shop.databaseUrl, `UPDATE svc_show_order_line SET is_tax_inclusive = ${included}`)
    await sellWithVat(false)
    await shop.sandbox.control("/faults", { on: "process_orders", kind: "status", status: 503 })
    try {
      await open(`/svc/orders/${orders[0]?.id}`)
      const drawer = page.getByRole("dialog")
      for (const text of [/each, instead of .*, without VAT$/, /% of .*, without VAT$/]) {
        await drawer.getByText(text).first().waitFor()
      }
      await drawer.getByRole("button", { name: "Report again" }).click()
      await told(page, "The order was not reported again.")
      await drawer.getByText("HTTP 503").first().waitFor()
      await drawer.getByText("Reported", { exact: true }).first().waitFor()
    } finally {
      await sellWithVat(true)
      await shop.sandbox.endFaults()
      // A call that failed is trouble until one succeeds.
      await shop.admin.post(`/admin/svc/connections/${evening.connectionId}/check`)
    }
  })

  it("tells of a broken connection on an open page while a show runs, and calls nothing in it ready", async () => {
    const { connectionId } = evening
    await watch("/svc")
    const line = (text: string) => watched.page.getByText(text, { exact: true })
    const later = (holds: () => Promise<boolean>) =>
      eventually(async () => {
        await watched.page.clock.runFor(5_000)
        return holds()
      }, Boolean)
    await line("Connected").waitFor()
    const token = async (api_token: string) => {
      await shop.sandbox.control("/pages/demo-page", { api_token })
      await shop.admin.post(`/admin/svc/connections/${connectionId}/check`)
    }
    const problem = line("Connection problem")
    const cannot = watched.page.getByText("6 of 6 products cannot be bought")
    try {
      await token("another")
      await later(async () => (await problem.isVisible()) && (await cannot.isVisible()))
    } finally {
      await token(PAGE.token)
    }
    await later(async () => (await line("Connected").isVisible()) && (await cannot.count()) === 0)
  })

  it("sends of a form what was changed in it, so that a tab that is open for long puts nothing back", async () => {
    const { connectionId } = evening
    const own = `/settings/svc/${connectionId}`
    const path = `/admin/svc/connections/${connectionId}`
    const read = async () =>
      (await shop.admin.get<{ connection: Record<string, unknown> }>(path)).connection
    const webhook = async () =>
      (await shop.admin.get<{ webhook: { topics: string[]; name: string } }>(`${path}/webhook`))
        .webhook
    const [before, { name, topics }] = [await read(), await webhook()]
    /** While the form stands open, somebody else changes other fields. */
    const change = async (
      form: string,
      meanwhile: [path: string, body: object],
      fill: () => Promise<unknown>,
      saved: string | RegExp,
    ) => {
      await open(`${own}/${form}`)
      await page.getByRole("button", { name: "Save" }).waitFor()
      await isQuiet(page)
      await shop.admin.post(...meanwhile)
      await fill()
      await page.getByRole("button", { name: "Save" }).click()
      await told(page, saved)
    }
    const turn = (name: string) => page.getByRole("switch", { name }).click()

    await change(
      "edit",
      [path, { name: "Renamed" }],
      () => turn("Prices in shows include VAT"),
      "The connection was saved.",
    )
    expect(await read()).toMatchObject({
      name: "Renamed",
      prices_include_vat: !before.prices_include_vat,
    })
    const link = { product_url_template: "/dk/products/{handle}" }
    const report_settings = { report_on: "payment_captured" }
    await change(
      "sent",
      [path, { catalog: link, report_settings }],
      async () => {
        await turn("Only with consent")
        await turn("Send products")
      },
      /The settings were saved/,
    )
    expect(await read()).toMatchObject({
      catalog: { push: false, ...link },
      report_settings: { needs_consent: true, ...report_settings },
    })
    const fewer = topics.filter((topic) => topic !== "shoppable_event.created")
    await change(
      "webhook",
      [`${path}/webhook`, { topics: fewer }],
      () => page.getByLabel("Name", { exact: true }).fill("Renamed"),
      /The webhook was saved/,
    )
    expect(await webhook()).toMatchObject({ name: "Renamed", topics: fewer })

    // It sees the feed closed; it is asked, as the second one to open it.
    await open(own)
    const opensFeed = page.getByRole("button", { name: "Open feed" })
    await opensFeed.waitFor()
    // A page that nobody looks at asks nothing by itself.
    await page.evaluate(() =>
      Object.defineProperty(document, "visibilityState", { get: () => "hidden" }),
    )
    type Feed = { feed: { url: string; password: string } }
    const { feed } = await shop.admin.post<Feed>(`${path}/feed`)
    await opensFeed.click()
    const question = page.getByRole("alertdialog")
    await question.getByText("The feed is open already").waitFor()
    await question.getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("button", { name: "Close feed" }).waitFor()
    expect((await fetch(`${feed.url}?token=${feed.password}`)).status).toBe(200)

    await page.request.delete(`${shop.storeUrl}${path}/feed`, ASKED_AGAIN)
    await shop.admin.post(path, {
      ...Object.fromEntries(["name", "prices_include_vat"].map((name) => [name, before[name]])),
      catalog: null,
      report_settings: null,
    })
    await shop.admin.post(`${path}/webhook`, { name, topics })
    await page.goto(`${shop.storeUrl}/app${own}`)
  })

  it("offers no webhook to a store without a public https address, and says what to set", async () => {
    let code = ""
    const answers = `**/admin/svc/connections/${evening.connectionId}/setup`
    // The answer of such a store: the shop of these tests knows its address.
    await page.route(answers, async (route) => {
      const response = await answerTo(route)
      const { setup } = await response.json()
      const reason = { code, message: "No address.", fix: "Set it." }
      const steps = setup.steps.map((step: { name: string }) =>
        step.name === "webhook" ? { ...step, state: "failed", reason } : step,
      )
      await route.fulfill({ response, json: { setup: { ...setup, steps, complete: false } } })
    })
    try {
      for (code of ["backend_url_missing", "insecure_url"]) {
        await open(`/settings/svc/${evening.connectionId}/setup`)
        const step = page.locator('[data-step="webhook"][data-state="failed"]')
        await step.getByText(/No address/).waitFor()
        expect(await step.getByRole("button").count()).toBe(0)
      }
    } finally {
      // One may be on its way.
      await page.unrouteAll({ behavior: "wait" })
    }
  })

  it("hands a storefront the key of its sales channel alone, where an older one has others too", async () => {
    type Key = { id: string; token: string }
    const { salesChannelId, store } = evening.market
    const keys = "/admin/api-keys"
    const { api_keys } = await shop.admin.get<{ api_keys: Key[] }>(`${keys}?type=publishable`)
    const older = api_keys.find(({ token }) => token === store.headers["x-publishable-api-key"])
    const { sales_channel: other } = await shop.admin.post<{ sales_channel: { id: string } }>(
      "/admin/sales-channels",
      { name: "Outlet" },
    )
    const { api_key: own } = await shop.admin.post<{ api_key: Key }>(keys, {
      title: "The show alone",
      type: "publishable",
    })
    await shop.admin.post(`${keys}/${own.id}/sales-channels`, { add: [salesChannelId] })
    const others = (which: object) => shop.admin.post(`${keys}/${older?.id}/sales-channels`, which)
    await others({ add: [other.id] })
    try {
      await open(`/settings/svc/${evening.connectionId}/setup`)
      await page.getByText(`PUBLISHABLE_KEY=${own.token}`).waitFor()
    } finally {
      await others({ remove: [other.id] })
      await shop.admin.post(`${keys}/${own.id}/revoke`, {})
    }
  })

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
    await sold(small, 1)
    await open("/svc/orders")
    await page.getByRole("row").filter({ hasText: "Vases by candlelight" }).waitFor()
    expect(await page.getByRole("row").filter({ hasText: small.campaign_uid }).count()).toBe(0)
    await open("/svc/campaigns")
    await page.getByRole("row").filter({ hasText: "Vases by candlelight" }).waitFor()
    await open("/svc")
    await page.getByRole("link", { name: /Vases by candlelight/ }).waitFor()
  })

  it("lists the orders of a show on its page, and all of them one press away", async () => {
    const small = await showOf(shop, ({ name }) => name === "Vases by candlelight")
    await open(`/svc/shows/${small.id}`)
    const all = page.getByRole("link", { name: "All orders (1)" })
    await all.waitFor()
    const order = page
      .getByRole("row")
      .filter({ hasText: /DKK\s?89\.00/ })
      .filter({ hasText: "#" })
    await order.getByText("Reported", { exact: true }).waitFor()
    // The row opens the order, over the list that is narrowed to the show.
    await order.getByRole("link").click()
    const drawer = page.getByRole("dialog")
    await drawer.getByText("Vases by candlelight").waitFor()
    await page.keyboard.press("Escape")
    await page.waitForURL(/\/svc\/orders\?campaign_uid=/)
    await open(`/svc/shows/${small.id}`)
    await all.click()
    await page.waitForURL(/\/svc\/orders\?campaign_uid=/)
    await page.getByRole("row").filter({ hasText: "Vases by candlelight" }).waitFor()
    await eventually(
      () => page.getByRole("row").count(),
      (rows) => rows === 2,
    )
    // By its name, not by the service's id of it.
    await page.getByText(/Vases by candlelight, \w/).waitFor()
    expect(await page.getByText(small.campaign_uid).count()).toBe(0)
  })

  it("goes back from orders of one connection to all of them", async () => {
    const orders = `${shop.storeUrl}/app/svc/orders`
    const row = page.getByRole("row").filter({ hasText: "#" }).first()
    await page.goto(orders)
    await row.waitFor()
    await page.evaluate(
      (to) => {
        history.pushState(null, "", to)
        dispatchEvent(new PopStateEvent("popstate"))
      },
      `${orders}?${new URLSearchParams({ connection_id: evening.connectionId, q: "nobody" })}`,
    )
    await page.getByText("No order matches").waitFor()
    await page.goBack()
    await row.waitFor({ timeout: 30_000 })
  })

  it("says what each day sold, with totals of all that matches, and leads to the day's campaigns", async () => {
    type Sums = { net: number; tax: number; orders: number; currency_code: string }
    const { results } = await shop.admin.get<{ results: Sums[] }>(
      "/admin/svc/results?group_by=currency",
    )
    const [total] = results
    if (!total) throw new Error("nothing was sold")
    const money = (amount: number) =>
      new Intl.NumberFormat("en", { style: "currency", currency: "dkk" }).format(amount)
    await open("/svc/campaigns")
    await page
      .getByText(`The net amount, ${money(total.net)}, includes ${money(total.tax)} VAT.`)
      .waitFor()
    await page.getByRole("tab", { name: "By day" }).click()
    await page.waitForURL(/by=day/)
    const { results: days } = await shop.admin.get<{ results: (Sums & { period: string })[] }>(
      `/admin/svc/results?group_by=day&order=-period&timezone=${Intl.DateTimeFormat().resolvedOptions().timeZone}`,
    )
    const latest = days[0]
    if (!latest) throw new Error("no day")
    const date = new Intl.DateTimeFormat("en", { dateStyle: "medium" }).format(
      new Date(latest.period),
    )
    const day = page.getByRole("row").filter({ hasText: date })
    await day.filter({ hasText: money(latest.net) }).waitFor()
    // A day without sales: neither rows nor totals.
    const never = { $gte: "2100-01-01T00:00:00.000Z" }
    await open(`/svc/campaigns?by=day&sold_at=${encodeURIComponent(JSON.stringify(never))}`)
    await page.getByText("No day matches").waitFor()
    await page.getByText(/The net amount/).waitFor({ state: "detached" })
    await open("/svc/campaigns?by=day")
    await day.getByRole("link").click()
    await page.waitForURL(/sold_at=/)
    const campaign = page.getByRole("row").filter({ hasText: "Vases by candlelight" })
    await campaign.getByRole("link", { name: "Orders: 1" }).click()
    await page.waitForURL(/\/svc\/orders\?campaign_uid=/)
    await page.getByRole("row").filter({ hasText: "Vases by candlelight" }).waitFor()
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
    await row.getByRole("link").first().click()
    await page
      .getByRole("dialog")
      .getByText(/Nothing in it was sold at a show's price/)
      .waitFor()
    // Neither as a sale of the show nor as a conversion.
    await open(`/svc/shows/${doomed.id}`)
    await page.getByText(/1 more order came from a show; nothing in it was sold/).waitFor()
    expect(await page.getByText(/100\s?%/).count()).toBe(0)
    await open("/svc/campaigns?by=day")
    await page.getByRole("row", { name: /\+ \d/ }).waitFor()
    await open(`/orders/${order.id}`)
    await page.getByText(/Nothing in it was sold at a show's price/).waitFor()
  })

  it("says of an order that is a test, or was cancelled, wherever its amount stands, that it is not among the results", async () => {
    const show = await showOf(shop, ({ name }) => name === "Vases by candlelight")
    type Order = {
      order_id: string
      state: string
      net: number
      canceled_at: string | null
      left_out: string | null
    }
    type Orders = { orders: Order[] }
    const whenever = (holds: (order?: Order) => boolean) =>
      eventually(
        () => shop.admin.get<Orders>(`/admin/svc/orders?campaign_uid=${show.campaign_uid}`),
        ({ orders }) => holds(orders[0]),
      )
    const { orders } = await whenever((row) => row?.state === "reported")
    const order = `/admin/orders/${orders[0]?.order_id}`
    const row = page.getByRole("row").filter({ hasText: "Vases by candlelight" })
    const markAsTest = async (svc_test: boolean) => {
      await shop.admin.post(order, { metadata: { svc_test } })
      await whenever((own) => (own?.left_out !== null) === svc_test)
    }
    await markAsTest(true)
    await open("/svc/orders")
    await row.getByText("Not in the results", { exact: true }).waitFor()
    await row.getByRole("link").first().click()
    await page.getByRole("dialog").getByText("Not in the results", { exact: true }).waitFor()
    await markAsTest(false)
    await shop.admin.post(`${order}/cancel`)
    await whenever((row) => row?.net === 0 && row.canceled_at !== null)

    await open("/svc/orders")
    await row.getByText("Cancelled", { exact: true }).waitFor()
    await row.getByRole("link").first().click()
    await page.getByRole("dialog").getByText("Cancelled", { exact: true }).waitFor()
    await open(`/svc/shows/${show.id}`)
    await page.getByText(/1 more order was cancelled; it is in none of these figures/).waitFor()
    await page.getByRole("row").getByText("Cancelled", { exact: true }).waitFor()
  })

  /** What opens over a page, or takes the place of its content. */
  const dialogs = (language: Language): Look[] => {
    const t = textsOf(language)
    const connection = `/settings/svc/${evening.connectionId}`
    const button = (at: Page, name: string) => at.getByRole("button", { name, exact: true })
    const firstRow = (at: Page) => at.getByRole("row").nth(1).getByRole("link").first().click()
    const topics = t.webhook.topics_other.replace("{{count}}", "12")
    const item = async (at: Page, name: string) => {
      // The webhook's menu comes with the webhook.
      await at.getByText(topics).waitFor()
      await button(at, t.actions.more).last().click()
      await at.getByRole("menuitem", { name, exact: true }).click()
    }
    const deliveries = `/svc/deliveries?outcome=${encodeURIComponent('["applied"]')}`
    return [
      { path: "/svc/products", open: firstRow, shows: t.products.preview.data },
      { path: "/svc/orders", open: firstRow, shows: t.orders.fields.reported },
      { path: "/svc/deliveries", open: firstRow, shows: t.deliveries.headers },
      {
        name: "filters",
        path: "/svc/products",
        open: async (at) => {
          await button(at, t.actions.filter).click()
          await at.getByRole("menu").waitFor()
        },
        shows: t.products.columns.reason,
      },
      {
        name: "order of rows",
        path: "/svc/orders",
        open: async (at) => {
          await button(at, t.actions.sort).click()
          await at.getByRole("menu").waitFor()
        },
        shows: t.orders.columns.placed,
      },
      {
        name: "row's menu",
        path: "/svc/products",
        open: (at) =>
          at
            .getByRole("button", { name: `${t.actions.more}: ` })
            .first()
            .click(),
        shows: t.products.sendNow,
      },
      {
        name: "replay of many",
        path: deliveries,
        open: (at) => button(at, t.deliveries.allAgain.action).click(),
        shows: t.deliveries.allAgain.description,
      },
      {
        name: "removal of the webhook",
        path: connection,
        open: (at) => item(at, t.webhook.remove),
        shows: t.webhook.removePrompt.title,
      },
      {
        name: "new key",
        path: connection,
        open: (at) => item(at, t.webhook.rotate),
        shows: t.webhook.rotatePrompt.title,
      },
      {
        name: "deletion",
        path: connection,
        open: async (at) => {
          await button(at, t.actions.more).first().click()
          await at.getByRole("menuitem", { name: t.actions.delete, exact: true }).click()
        },
        shows: t.connections.remove.title,
      },
      {
        name: "what the doctor found",
        path: connection,
        open: (at) => button(at, t.webhook.doctor.examine).click(),
        shows: language === "de" ? /Zustellungen kommen an/ : /Deliveries arrive and are verified/,
      },
      {
        name: "what a form lacks",
        path: "/settings/svc/create",
        open: (at) => button(at, t.actions.save).click(),
        shows: t.connections.validation.required.replace("{{field}}", t.connections.fields.name),
      },
      {
        name: "a form with changes is left",
        path: "/settings/svc/create",
        open: async (at) => {
          await at.getByLabel(t.connections.fields.pageUid).fill("page")
          await button(at, t.actions.cancel).click()
        },
        shows: language === "de" ? /Änderungen/ : /unsaved changes/i,
      },
    ]
  }

  /** Lists in which nothing matches, and pages whose question stays without an answer. */
  const disappointments = (language: Language): Look[] => {
    const t = textsOf(language)
    const connection = `/settings/svc/${evening.connectionId}`
    const nothing = encodeURIComponent("nothing is called so")
    return [
      ...(
        [
          ["/svc/products", t.products.noResults.heading],
          ["/svc/shows", t.shows.noResults.heading],
          ["/svc/orders", t.orders.noResults.heading],
          ["/svc/campaigns", t.campaigns.noResults.heading],
          ["/svc/deliveries", t.deliveries.noResults.heading],
          ["/settings/svc", t.connections.noResults.heading],
        ] as const
      ).map(([path, shows]) => ({ name: "no match", path: `${path}?q=${nothing}`, shows })),
      ...(
        [
          ["/svc", "overview"],
          ["/svc", "health"],
          ["/svc/products", "products"],
          ["/svc/campaigns?by=day", "results"],
          [`/svc/shows/${evening.show.id}`, `live-events/${evening.show.id}`],
          ["/settings/svc", "connections"],
          [connection, `connections/${evening.connectionId}`],
          [`${connection}/setup`, `connections/${evening.connectionId}/setup`],
        ] as const
      ).map(([path, broken]) => ({
        name: `no answer of ${broken}`,
        path,
        broken,
        shows: t.errors.network,
      })),
    ]
  }

  /** Whatever the merchant, and not the plugin, has named. */
  const named = async (): Promise<string[]> => {
    const { products } = await shop.admin.get<{ products: { title: string }[] }>(
      "/admin/products?limit=200&fields=title",
    )
    const { live_events } = await shop.admin.get<{ live_events: { name: string }[] }>(
      "/admin/svc/live-events?limit=50",
    )
    const { live_event } = await shop.admin.get<{ live_event: { description: string | null } }>(
      `/admin/svc/live-events/${evening.show.id}`,
    )
    return [
      "Hede & Havn, Denmark",
      ...(live_event.description ? [live_event.description] : []),
      ...live_events.map(({ name }) => name),
      ...products.map(({ title }) => title),
    ]
  }

  /**
   * A page or dialog in one language: its words, the room that it takes on a phone, what axe finds in each of the views, and
   * whatever of a page the keyboard does not reach.
   */
  async function lookAt(at: Page, language: Language, look: Look, views: View[], names: string[]) {
    const { name, path, broken, open: act, shows } = look
    const found: Record<string, unknown[]> = {}
    const what = [path, name].filter(Boolean).join(", ")
    const shown = what.replace(/[a-z]+_[0-9A-Z]{10,}/g, "one").replace(/[^\w-]+/g, "-")
    const widget = widgetOn(path, language)
    const note = (kind: string, faults: unknown[]) => {
      if (faults.length > 0) found[`${what}, ${language}, ${kind}`] = faults
    }
    const answers = `**/admin/svc/${broken}{,\\?*}`
    if (broken) await at.route(answers, (route) => route.abort("connectionrefused"))
    // Loaded, where nothing of it may have been read before.
    if (broken) await at.goto(`${shop.storeUrl}/health`)
    await openInAdmin(at, `${shop.storeUrl}/app${path}`)
    // A list whose filters come later is drawn again, and a menu that was opened meanwhile closes.
    if (act) await isQuiet(at)
    await act?.(at)
    // What the mouse is over has another colour.
    await at.mouse.move(0, 0)
    await at.getByText(shows).first().waitFor()
    await isStill(at)
    note("words", await unfinishedOf(at, language, { named: names, widget }))
    const axe = async (screen: View["screen"]) => {
      for (const { theme } of views.filter((view) => view.screen === screen)) {
        await setTheme(at, theme)
        if (ALL_LOOKS) await wholePage(at, `care-${language}${shown}-${theme}-${screen}`)
        note(`${theme}, ${screen}`, await faultsOf(at, widget))
      }
    }
    await axe("desk")
    if (!act && !broken) note("out of the keyboard's reach", await unreachedByTab(at))
    await at.setViewportSize(PHONE)
    // The page is drawn anew a moment after the screen has become narrow.
    const cut = () => cutTables(at, widget)
    const stillCut = await eventually(cut, (tables) => tables.length === 0, 60_000).catch(cut)
    note("tables that hide a column on a phone", stillCut)
    const wider = await overflow(at)
    note("width of a phone", wider > 0 ? [wider] : [])
    await axe("phone")
    await at.setViewportSize(DESKTOP)
    if (broken) await at.unroute(answers)
    return found
  }

  /**
   * Looks at so many of the pages or dialogs, drawn by the run's seed: each in one language and one view, by turns, so that
   * eight of them are met in every language and view. `LOOKS=all` takes all of them in all languages and views.
   */
  async function lookAround(looksIn: (language: Language) => Look[], count: number) {
    const seen = await openAnother()
    const names = await named()
    const turns = drawn([...looksIn("en").keys()], ALL_LOOKS ? undefined : count)
    const views = drawn(VIEWS)
    const found: Record<string, unknown[]> = {}
    for (const [at, language] of LANGUAGES.entries()) {
      await speak(seen.page, shop.storeUrl, language)
      await seen.page.goto(`${shop.storeUrl}/health`)
      const looks = looksIn(language)
      for (const [turn, index] of turns.entries()) {
        const look = looks[index]
        const view = views[turn % views.length]
        // The other language, where all views were met.
        const isTurn = (turn + Math.floor(turn / views.length)) % LANGUAGES.length === at
        if (!look || !view || !(isTurn || ALL_LOOKS)) continue
        const wanted = ALL_LOOKS ? VIEWS : [view]
        Object.assign(found, await lookAt(seen.page, language, look, wanted, names))
      }
    }
    expect(found).toEqual({})
    expect(seen.failed).toEqual([])
    await seen.close()
  }

  const looked = ALL_LOOKS
    ? "English and German, light and dark, on a desk and on a phone"
    : "English or German, light or dark, on a desk or on a phone, by turns"
  const some = (count: number) => (ALL_LOOKS ? "every one" : `${count} that the seed draws`)

  it(`has no fault that axe calls serious, one language, the width of the screen and, on pages, all within the keyboard's reach: pages, dialogs, lists where nothing matches and where nothing answers, ${some(14)}, ${looked}`, async () => {
    const mug = await productOf(shop, "havn-mug")
    await lookAround(
      (language) => [
        ...pages(language).map(([path, shows]) => ({ path, shows })),
        { path: `/products/${mug.id}`, shows: textsOf(language).products.state.synced },
        ...dialogs(language),
        ...disappointments(language),
      ],
      14,
    )
  })

  it("lets the keyboard do the evening's tasks", async () => {
    // Open a show from the overview.
    await open("/svc")
    const show = page.getByRole("link", { name: "An evening with clay and wool" }).first()
    await show.focus()
    await page.keyboard.press("Enter")
    await page.waitForURL(new RegExp(`/svc/shows/${evening.show.id}`))

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
    const order = page.getByRole("row").filter({ hasText: "The show that was cancelled" })
    await order.getByRole("link").first().focus()
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
    await page.getByLabel("Name", { exact: true }).waitFor()
    // The dialog takes the focus itself as it opens.
    await isQuiet(page)
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

  it(`asks for nothing while the page is hidden, and seldom where nothing runs, on pages: ${some(2)}`, async () => {
    await watched.page.addInitScript(() => {
      Object.defineProperty(document, "visibilityState", {
        get: () => (Reflect.get(window, "isHidden") ? "hidden" : "visible"),
      })
    })
    const asked: string[] = []
    watched.page.on("request", (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith("/admin/svc/")) asked.push(request.url())
    })
    const clockOf = () => watched.page.evaluate(() => Date.now())
    /** What is asked for in twenty seconds and more by the page's own clock, which goes on by itself, too. */
    const inAWhile = async () => {
      await isQuiet(watched.page)
      const began = await clockOf()
      asked.length = 0
      for (let seconds = 0; seconds < 20; seconds += 5) {
        await watched.page.clock.fastForward(5_000)
        await isQuiet(watched.page)
      }
      return { asked: [...asked], atMost: 1 + Math.floor(((await clockOf()) - began) / 15_000) }
    }
    const hide = (hidden: boolean) =>
      watched.page.evaluate((isHidden) => {
        Object.assign(window, { isHidden })
        document.dispatchEvent(new Event("visibilitychange"))
      }, hidden)

    // A show runs: its takings are watched, but not by a page that nobody sees.
    await watch("/svc")
    await watched.page.getByText("An evening with clay and wool").first().waitFor()
    expect((await inAWhile()).asked).toContain(`${shop.storeUrl}/admin/svc/overview`)
    await hide(true)
    expect((await inAWhile()).asked).toEqual([])

    await endShows()
    const often: Record<string, string[]> = {}
    for (const [path, text] of drawn(pages(), ALL_LOOKS ? undefined : 2)) {
      await watch(path)
      await watched.page.getByText(text).first().waitFor()
      const found = await inAWhile()
      const more = [...new Set(found.asked)].filter(
        (url) => found.asked.filter((one) => one === url).length > found.atMost,
      )
      if (more.length > 0) often[path] = more
    }
    expect(often).toEqual({})
  })

  it("shows by itself what comes while a page is open, also where nothing runs", async () => {
    await endShows()
    const t = textsOf("en")
    const { connectionId } = evening
    const text = (what: string) => watched.page.getByText(what).first()
    const comes = (what: string) =>
      eventually(async () => {
        await watched.page.clock.runFor(5_000)
        return text(what).isVisible()
      }, Boolean)
    await watch("/svc")
    await text(t.overview.tonightEmpty).waitFor()
    await shop.sandbox.control("/events", {
      page_uid: "demo-page",
      kind: "live",
      name: "Planned in another tab",
      is_published: false,
    })
    await comes("Planned in another tab")
    await comes("Not published")

    await watch(`/settings/svc/${connectionId}`)
    await text(t.webhook.topics_other.replace("{{count}}", "12")).waitFor()
    await watched.page.clock.fastForward(3 * 3_600_000)
    await comes("3 hours ago")
  })

  it("says on an open page that it is not read any more, and keeps what stands there", async () => {
    const t = textsOf("en")
    const planned = await showOf(shop, (show) => show.status === "planned")
    const line = (what: string) => watched.page.getByText(what).first()
    for (const [path, read, text] of [
      [
        `/settings/svc/${evening.connectionId}/setup`,
        "**/admin/svc/connections/*/setup",
        t.setup.steps.player.title,
      ],
      [`/svc/shows/${planned.id}`, "**/admin/svc/live-events/*", t.shows.products.heading],
      ["/svc", "**/admin/svc/products?*", t.products.state.synced],
    ] as const) {
      await watch(path)
      await line(text).waitFor()
      await watched.page.route(read, (route) =>
        route.fulfill({ status: 401, json: { message: "Unauthorized" } }),
      )
      await eventually(async () => {
        await watched.page.clock.runFor(5_000)
        return line(t.errors.sessionFix).isVisible()
      }, Boolean)
      expect(await line(text).isVisible()).toBe(true)
      await watched.page.unrouteAll({ behavior: "wait" })
    }
  })

  it("offers what mends a connection, and nothing that can only fail", async () => {
    const { connectionId } = evening
    const own = `/settings/svc/${connectionId}`
    const set = (columns: string) =>
      statement(shop.databaseUrl, `UPDATE svc_connection SET ${columns}`)
    // A copy of another store: its checklist leads to taking over, as every other page does.
    await set("store_host = 'shop.example.com'")
    await open(`${own}/setup`)
    const webhook = page.locator('[data-step="webhook"][data-state="failed"]')
    await webhook.getByRole("button", { name: "Take over" }).waitFor()
    expect(await webhook.getByRole("button", { name: "Register webhook" }).count()).toBe(0)
    await set("store_host = NULL")
    // A clock that is off is not mended by another registration, nor is a firewall.
    const clock = (ms: number) =>
      statement(shop.databaseUrl, `UPDATE svc_webhook SET clock_skew_ms = ${ms}`)
    await clock(90_000)
    await open(`${own}/setup`)
    await webhook.getByText(/90 seconds/).waitFor()
    expect(await webhook.getByRole("button").count()).toBe(0)
    await clock(0)
    // Of whom the keys of storefronts may not be read is told so.
    await page.route("**/admin/api-keys*", (route) => route.fulfill({ status: 403, json: {} }))
    await open(`${own}/setup`)
    await page.locator('[data-step="player"]').getByRole("button", { name: "Try again" }).waitFor()
    await page.unrouteAll({ behavior: "wait" })

    // Declared in code, with a token that is refused: it is entered there.
    await shop.sandbox.control("/faults", { on: "api", kind: "status", status: 401 })
    await shop.admin.post(`/admin/svc/connections/${connectionId}/check`)
    await open("/svc")
    const refused = page.getByRole("note").filter({ hasText: "refused the API token" })
    await refused.getByRole("link", { name: "Enter token" }).waitFor()
    await set("managed_by = 'environment', declared_at = now() + interval '1 hour'")
    await open("/svc")
    await refused.waitFor()
    await isQuiet(page)
    expect(await refused.getByRole("link", { name: "Enter token" }).count()).toBe(0)
    await set("feed_token_hash = 'x', feed_token_created_at = NULL")
    await open(own)
    await page.getByText("Open. Its password was set in the store's configuration.").waitFor()
    await set("managed_by = 'admin', feed_token_hash = NULL")
    await shop.sandbox.endFaults()
    await shop.admin.post(`/admin/svc/connections/${connectionId}/check`)

    // The answer to a registration was lost.
    await statement(shop.databaseUrl, "UPDATE svc_webhook SET webhook_uid = NULL")
    await open(own)
    const register = page.getByRole("button", { name: "Register webhook" })
    await register.scrollIntoViewIfNeeded()
    await register.locator("xpath=following::button[@aria-label='More actions'][1]").click()
    await page.getByRole("menuitem", { name: "Remove webhook" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove webhook" }).click()
    await told(page, "The webhook was removed.")
    await page.getByText(/learns of shows from the service's lists alone/).waitFor()
    await shop.admin.post(`/admin/svc/connections/${connectionId}/webhook`)
  })

  it("says which rules leave products out, also one that only the API sets, and ends them", async () => {
    const { connectionId } = evening
    const path = `/admin/svc/connections/${connectionId}`
    type Catalog = { connection: { catalog: Record<string, unknown> | null } }
    const catalog = async () => (await shop.admin.get<Catalog>(path)).connection.catalog
    await shop.admin.post(path, { catalog: { exclude: { metadata: { live: "no" } } } })
    // As a command that was killed has left it.
    await shop.admin.post("/admin/svc/uninstall", { dry_run: false, products: "disable" })
    await open(`/settings/svc/${connectionId}`)
    await page.getByText("Metadata: live = no").waitFor()
    await page.getByText("Metadata: svc_uninstall = nothing is sent any more").waitFor()

    await open(`/settings/svc/${connectionId}/sent`)
    const drawer = page.getByRole("dialog")
    const chip = drawer.getByRole("button", { name: "Remove: live = no" })
    await chip.scrollIntoViewIfNeeded()
    expect(await drawer.getByRole("button", { name: "Close" }).count()).toBe(1)
    await chip.click()
    await page.getByRole("button", { name: "Save" }).click()
    await told(page, /The settings were saved/)
    expect(await catalog()).toMatchObject({ exclude: null })
  })

  it("keeps the names of shows and of their connection after it was deleted", async () => {
    const { connectionId } = evening
    const read = async () =>
      (
        await shop.admin.get<{ webhook: { url: string } }>(
          `/admin/svc/connections/${connectionId}/webhook`,
        )
      ).webhook
    const { url } = await read()
    await shop.sandbox.control("/faults", { on: "webhooks", kind: "status", status: 500 })
    // Another page is asked about first: what is known of this one would be gone.
    await open(`/settings/svc/${connectionId}/edit`)
    await page
      .getByLabel("Service address")
      .fill(shop.sandbox.url.replace("127.0.0.1", "localhost"))
    await page.getByLabel("API token").fill("sandbox-token-demo-page")
    await page.getByRole("button", { name: "Save" }).click()
    const prompt = page.getByRole("alertdialog")
    await prompt.getByText("Connect another page?").waitFor()
    await prompt.getByRole("button", { name: "Cancel" }).click()
    expect((await read()).url).toBe(url)

    await open(`/settings/svc/${connectionId}`)
    await page.getByRole("button", { name: "More actions" }).first().click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    // Only when its name is typed.
    expect(await prompt.getByRole("button", { name: "Delete" }).isDisabled()).toBe(true)
    await prompt.getByRole("textbox").fill("Hede & Havn, Denmark")
    await prompt.getByRole("button", { name: "Delete" }).click()
    await told(page, /The webhook may still be at the service/)
    await page.getByText(url).first().waitFor()
    await shop.sandbox.endFaults()
    // What is wrong with the store itself is of no connection.
    const severity = "critical"
    const stuck = {
      code: "worker_stuck",
      severity,
      connection_id: null,
      fix: "",
      message: "Stuck.",
    }
    await page.route("**/admin/svc/health", (route) =>
      route.fulfill({ json: { health: { status: severity, problems: [stuck] } } }),
    )
    await open("/svc")
    await page.getByText(textsOf("en").connections.empty.heading).waitFor()
    await page.getByRole("note").filter({ hasText: "Stuck." }).waitFor()
    await page.unroute("**/admin/svc/health")
    await open("/svc/orders")
    const row = page.getByRole("row").filter({ hasText: "An evening with clay and wool" }).first()
    await row.getByRole("link").first().click()
    const drawer = page.getByRole("dialog")
    await drawer.getByText("Hede & Havn, Denmark").waitFor()
    await drawer.getByText("An evening with clay and wool").waitFor()
    expect(await drawer.textContent()).not.toContain(evening.connectionId)
    expect(await drawer.textContent()).not.toContain(evening.show.campaign_uid)
    await open("/svc/campaigns")
    await page.getByRole("row").filter({ hasText: "An evening with clay and wool" }).waitFor()
    expect(await page.getByRole("row").filter({ hasText: evening.show.campaign_uid }).count()).toBe(
      0,
    )
  })
})
