/** The dashboard as a person uses it: every change is made with the mouse and proved at the sandbox. */
import type { Browser } from "playwright-core"
import { launchBrowser } from "../setup/browser"
import { eventually } from "../setup/market"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"
import {
  asStore,
  callsOf,
  catalog,
  describeWithBrowser,
  type HttpServer,
  KNIT,
  LAMP,
  liveShow,
  openPage,
  overflow,
  PAGE_UID,
  PHONE,
  pushProducts,
  type SandboxEvent,
  screenshot,
  serve,
  startShop,
  told,
} from "./sandbox-browser"

type Opened = Awaited<ReturnType<typeof openPage>>
type Events = { events: (SandboxEvent & { data: { event: { isPublished: boolean } } })[] }
type Deliveries = {
  deliveries: { id: string; topic: string; state: string; attempts: { outcome: string }[] }[]
}
type EventProducts = {
  products: { external_id: string; data: { price: number; available: boolean } }[]
}

describeWithBrowser("the dashboard", () => {
  let sandbox: RunningSandbox
  let shop: HttpServer
  /** Answers what the test says, and keeps what it got. */
  let receiver: HttpServer
  let receiverStatus = 200
  let received: { topic: string | undefined; body: string }[] = []
  let browser: Browser
  let opened: Opened[] = []

  beforeAll(async () => {
    sandbox = await startSandbox()
    shop = await startShop(() => `${sandbox.url}/player.js`)
    receiver = await serve((request, response) => {
      let body = ""
      request.on("data", (chunk: Buffer) => {
        body += chunk
      })
      request.on("end", () => {
        received.push({ topic: request.headers["x-svc-topic"] as string | undefined, body })
        response.statusCode = receiverStatus
        response.end("received with thanks")
      })
    })
    browser = await launchBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    await receiver?.stop()
    await shop?.stop()
    await sandbox?.stop()
  })

  beforeEach(async () => {
    receiverStatus = 200
    received = []
    await sandbox.control("/reset", {})
  })

  afterEach(async () => {
    const failed = opened.flatMap((one) => one.failed)
    await Promise.all(opened.map(({ close }) => close()))
    opened = []
    expect(failed).toEqual([])
  })

  async function visit(address = "#/", options: Parameters<typeof openPage>[1] = {}) {
    const one = await openPage(browser, options)
    opened.push(one)
    const { page } = one
    page.on("dialog", (question) => question.accept())
    await page.goto(`${sandbox.url}/${address}`)
    await page.locator(".section").waitFor()
    return page
  }

  const subscribe = (topics = ["live_event.created", "live_event.updated"], name = "Store") =>
    asStore<{ webhookUid: string }>(sandbox, "/api/v1/webhooks", {
      name,
      url: receiver.url,
      topics,
    })

  const eventProducts = async (id: string) =>
    (await sandbox.control<EventProducts>(`/events/${id}`)).products

  it("leads a newcomer from an empty sandbox to the first conversion", async () => {
    const page = await visit()
    const next = page.locator(".steps [data-next]")
    expect(await next.textContent()).toContain("Push the catalog")
    expect(await page.getByText("sandbox-token-demo-page").isVisible()).toBe(true)
    await screenshot(page, "dashboard-empty")

    await pushProducts(sandbox, catalog(shop))
    await next.getByText("Register the webhook").waitFor()
    await subscribe()
    await next.getByText("Plan a show").waitFor()
    const show = await liveShow(sandbox, shop)
    await next.getByText("Fill a basket").waitFor()
    const { order_no } = await sandbox.control<{ order_no: string }>("/order-numbers", {
      campaign_uid: show.campaign_uid,
    })
    await next.getByText("Place the order").waitFor()
    await asStore(sandbox, "/processOrders", { svcOrderNumber: order_no })
    await page.locator(".steps").waitFor({ state: "detached" })
    await page.getByTestId("figure-conversions").getByText("1", { exact: true }).waitFor()
    await page.getByTestId("figure-products").getByText("2", { exact: true }).waitFor()
    await page.getByText("100 % of the baskets").waitFor()
  })

  it.each([
    ["products", "No product has arrived yet"],
    ["shows", "No show yet"],
    ["orders", "No order number yet"],
    ["subscribers", "Nobody listens yet"],
    ["deliveries", "Nobody to deliver to"],
    ["journal", "No call yet"],
  ])("says what to do where %s is empty", async (section, title) => {
    const page = await visit(`#/${section}`)
    await page.getByText(title).waitFor()
  })

  it("runs a show by hand from its plan to its replay", async () => {
    await pushProducts(sandbox, catalog(shop))
    const page = await visit("#/shows")

    await page.getByTestId("plan-show").first().click()
    await page.getByLabel("Name").fill("Autumn at the studio")
    await page.getByRole("button", { name: "Plan it" }).click()
    await page.getByRole("heading", { name: "Autumn at the studio" }).waitFor()
    const { events } = await sandbox.control<Events>("/events")
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({ status: "planned", page_uid: PAGE_UID, currency: "DKK" })
    const id = events[0]?.id ?? ""
    expect(page.url()).toContain(`#/shows/${id}`)

    await page.getByTestId("add-product").click()
    await page.getByTestId("picker-search").fill("knit")
    await page
      .locator(`[data-testid=picker-product][data-external-id=${LAMP.id}]`)
      .waitFor({ state: "detached" })
    const choice = page.locator(`[data-testid=picker-product][data-external-id=${KNIT.id}]`)
    await choice.getByTestId("picker-price").fill("449.5")
    await choice.getByTestId("picker-add").click()
    await choice.getByText("In the show").waitFor()
    await screenshot(page, "dashboard-picker")
    await page.getByRole("button", { name: "Close" }).click()
    expect((await eventProducts(id)).map(({ data }) => data.price)).toEqual([449.5])

    await page.getByTestId("show-start").click()
    await told(page, "The show is live")
    await page
      .locator(".chain [aria-current=step]")
      .filter({ hasText: /^live$/ })
      .waitFor()

    const product = page.locator(`[data-testid=event-product][data-external-id=${KNIT.id}]`)
    await product.getByTestId("price-input").fill("399")
    await product.getByTestId("price-save").click()
    await told(page, "Fjord knit: ")
    const prices = await eventProducts(id)
    expect(prices[0]?.data.price).toBe(399)
    const price = await asStore<{ price: number }>(
      sandbox,
      `/getCampaignProductPrice/${(events[0] as SandboxEvent).campaign_uid}`,
      { productId: KNIT.id, variantId: "var_knit_M" },
    )
    expect(price.price).toBe(399)

    await product.getByRole("switch").click()
    await product.getByText("Sold out").waitFor()
    expect((await eventProducts(id))[0]?.data.available).toBe(false)
    await screenshot(page, "dashboard-show")

    await page.getByTestId("show-end").click()
    await told(page, "The show has ended")
    await page.getByTestId("show-complete").click()
    await told(page, "The replay is there")
    const after = await sandbox.control<Events>("/events")
    expect(after.events[0]?.status).toBe("vod")
    await page.getByTestId("show-move").click()
    await told(page, "The replay is a shoppable clip now")

    await product.getByTestId("remove-product").click()
    await page.getByText("No product yet").waitFor()
    await page.getByTestId("show-delete").click()
    await page.getByText("No show yet").waitFor()
    expect((await sandbox.control<Events>("/events")).events).toEqual([])
  })

  it("changes a show's name and end, quantities, and the price of one variant", async () => {
    const show = await liveShow(sandbox, shop)
    const page = await visit(`#/shows/${show.id}`)
    await page.getByTestId("edit-show").click()
    await page.getByLabel("Name").fill("Winter at the studio")
    await page.getByLabel("Prices end").fill("2199-01-01T12:00")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("heading", { name: "Winter at the studio" }).waitFor()
    await page.getByText("1 Jan 2199, 12:00").waitFor()

    const product = page.locator(`[data-testid=event-product][data-external-id=${KNIT.id}]`)
    await product.getByTestId("edit-product").click()
    await page.getByLabel("Sold from").fill("2")
    await page.getByLabel("At most").fill("4")
    await page.getByLabel("L", { exact: true }).fill("479")
    await page.getByRole("button", { name: "Save" }).click()
    await product.getByText("from 2 · at most 4").waitFor()
    const knit = (await eventProducts(show.id)).find(({ external_id }) => external_id === KNIT.id)
    expect(knit?.data).toMatchObject({ price: 449.5, minPurchaseQty: 2, maxQtyPerCustomer: 4 })
    const priceOf = (variantId: string) =>
      asStore<{ price: number }>(sandbox, `/getCampaignProductPrice/${show.campaign_uid}`, {
        productId: KNIT.id,
        variantId,
      })
    expect((await priceOf("var_knit_L")).price).toBe(479)
    expect((await priceOf("var_knit_M")).price).toBe(449.5)

    // A new price for the product keeps the distance of the variant that has its own.
    await product.getByTestId("price-input").fill("399.5")
    await product.getByTestId("price-save").click()
    await told(page, "Fjord knit: ")
    expect((await priceOf("var_knit_L")).price).toBe(429)
    expect((await priceOf("var_knit_M")).price).toBe(399.5)
  })

  it("takes a show from the public and calls it off", async () => {
    const show = await liveShow(sandbox, shop)
    const page = await visit(`#/shows/${show.id}`)
    await page.getByRole("switch", { name: "Storefronts may show it" }).click()
    await page.getByText("Only here").waitFor()
    const { events } = await sandbox.control<Events>("/events")
    expect(events[0]?.data.event.isPublished).toBe(false)
    await page.getByTestId("show-cancel").click()
    await told(page, "The show is cancelled")
    expect((await sandbox.control<Events>("/events")).events[0]?.status).toBe("cancelled")
  })

  it("says in the form what the sandbox did not take", async () => {
    const page = await visit("#/subscribers")
    await page.getByTestId("add-subscriber").first().click()
    await page.getByLabel("Name").fill("Outside")
    await page.getByLabel("URL").fill("http://shop.example/hooks")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    const error = page.locator(".form-error")
    await error.waitFor()
    expect(await error.textContent()).toMatch(/https/i)
    expect(await page.getByLabel("Name").inputValue()).toBe("Outside")
  })

  it("shows a product the moment it is pushed, and what the next push changed", async () => {
    const page = await visit("#/products")
    await page.getByText("No product has arrived yet").waitFor()
    await pushProducts(sandbox, catalog(shop))
    await page.getByText("2 products received").waitFor()
    await page.getByTestId("product-search").fill("LAMP")
    await page.getByText("1 product found").waitFor()
    expect(page.url()).toContain("q=LAMP")
    await page.getByTestId("received-product").click()
    await page.getByText("This was the first push").waitFor()

    await pushProducts(sandbox, [{ ...catalog(shop)[0], price: 999, inventory: 3 }])
    const rows = page.getByTestId("diff-row")
    await rows.first().waitFor()
    expect((await rows.allTextContents()).sort()).toEqual(["inventory123", "price1099999"])
    await screenshot(page, "dashboard-product")
  })

  it("adds a subscriber, shows its key once, tests it, changes the key, deletes it", async () => {
    const page = await visit("#/subscribers")
    await page.getByTestId("add-subscriber").first().click()
    await page.getByLabel("Name").fill("My receiver")
    await page.getByLabel("URL").fill(receiver.url)
    await page.getByRole("button", { name: "Add", exact: true }).click()
    const key = page.getByTestId("signature-key").locator("code")
    await key.waitFor()
    const first = await key.textContent()
    expect(first?.length).toBeGreaterThan(20)

    await page.getByTestId("test-delivery").click()
    await told(page, "Test delivery: 200")
    expect(received.map(({ topic }) => topic)).toEqual(["svc.test"])

    await page.getByTestId("rotate").click()
    await page.waitForFunction(
      (old) => document.querySelector("[data-testid=signature-key] code")?.textContent !== old,
      first,
    )
    await page.reload()
    await page.getByTestId("subscriber").waitFor()
    expect(await page.getByTestId("signature-key").count()).toBe(0)
    await screenshot(page, "dashboard-subscribers")

    await page.getByTestId("delete-subscriber").click()
    await page.getByText("Nobody listens yet").waitFor()
  })

  it("shows request and answer of a delivery, and sends it again", async () => {
    await subscribe()
    await liveShow(sandbox, shop)
    await sandbox.control("/clock", { settle: true })
    const page = await visit("#/deliveries")
    const row = page.locator("[data-testid=delivery][data-topic='live_event.created']")
    await row.getByRole("link").click()
    const attempts = page.getByTestId("attempt")
    await attempts.waitFor()
    const text = await attempts.textContent()
    expect(text).toContain(`POST ${receiver.url}`)
    expect(text).toContain("X-Svc-Signature")
    expect(text).toContain("received with thanks")
    const before = received.length

    await page.getByTestId("resend").click()
    await told(page, "Sent again")
    await eventually(
      () => attempts.count(),
      (count) => count === 2,
    )
    expect(received).toHaveLength(before + 1)
    await screenshot(page, "dashboard-delivery")
  })

  it("turns the clock until a failing subscriber is disabled, and brings it back", async () => {
    await subscribe(["live_event.created", "live_event.updated"])
    receiverStatus = 503
    const show = await liveShow(sandbox, shop)
    const page = await visit("#/subscribers")
    await page.getByText(/failures? in a row/).waitFor()

    for (const change of ["renamed", "renamed again"]) {
      await page.getByRole("button", { name: "+1 h" }).click()
      await page.locator("[data-busy]").waitFor({ state: "detached" })
      await sandbox.control(`/events/${show.id}`, { name: `The show, ${change}` })
      await sandbox.control("/clock", { settle: true })
    }
    await page.locator("[data-testid=subscriber][data-state=disabled]").waitFor()
    const told = page.locator("section", { hasText: "What the merchant was told" })
    await told.locator("[data-state=disabled]").waitFor()
    expect(await told.locator("[data-state]").allInnerTexts()).toEqual(["disabled", "warning"])
    expect(await page.getByTestId("test-delivery").isDisabled()).toBe(true)

    receiverStatus = 200
    await page.getByTestId("activate").click()
    await page.locator("[data-testid=subscriber][data-state=active]").waitFor()
    const { deliveries } = await sandbox.control<Deliveries>("/deliveries")
    expect(deliveries.some(({ state }) => state === "failed")).toBe(true)
  })

  it("stops the clock, moves it and lets it run", async () => {
    const page = await visit()
    const clock = () => sandbox.control<{ now: number; running: boolean }>("/clock")
    await page.getByRole("button", { name: "Stop", exact: true }).click()
    await page.getByText("Standing still").waitFor()
    const before = await clock()
    expect(before.running).toBe(false)
    await page.getByRole("button", { name: "+13 min" }).click()
    await page.getByText("13 min").first().waitFor()
    await page.locator("[data-busy]").waitFor({ state: "detached" })
    expect((await clock()).now - before.now).toBe(13 * 60_000)
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor()
    expect((await clock()).running).toBe(true)
  })

  it("breaks the service with a switch and mends it again", async () => {
    const page = await visit("#/controls")
    const fault = page.getByRole("switch", { name: "Service down" })
    await fault.click()
    await page.locator(".struck").waitFor()
    await expect(pushProducts(sandbox, catalog(shop))).rejects.toThrow("503")
    await page.getByText("1 time", { exact: true }).waitFor()
    await screenshot(page, "dashboard-controls")
    await fault.click()
    await page.locator(".struck").waitFor({ state: "detached" })
    await pushProducts(sandbox, catalog(shop))

    await page.getByTestId("profile-listing").selectOption("array")
    await page.getByRole("button", { name: "Reset 1" }).waitFor()
    const listing = () =>
      fetch(`${sandbox.url}/api/v1/liveEvents`, {
        headers: { authorization: "Token sandbox-token-demo-page" },
      }).then((answer) => answer.json())
    expect(await listing()).toEqual([])
    await page.getByRole("button", { name: "Reset 1" }).click()
    await told(page, "As the document reads")
    expect(await listing()).toMatchObject({ data: [], count: 0 })
  })

  it("finds calls in the journal by its query language", async () => {
    await pushProducts(sandbox, catalog(shop))
    await expect(asStore(sandbox, "/processOrders", { svcOrderNumber: "none" })).rejects.toThrow(
      "404",
    )
    const page = await visit("#/journal")
    await page.getByText("2 calls").waitFor()
    await page.getByTestId("journal-search").fill("status:>=400")
    await page.getByText("1 call", { exact: true }).waitFor()
    expect(await page.locator(".entries .path").allTextContents()).toEqual(["/processOrders"])
    await page.reload()
    await page.getByText("1 call", { exact: true }).waitFor()
  })

  it("lists order numbers with their show and counts conversions", async () => {
    const show = await liveShow(sandbox, shop)
    const numbers = await Promise.all(
      [1, 2, 3].map(() =>
        sandbox.control<{ order_no: string }>("/order-numbers", {
          campaign_uid: show.campaign_uid,
        }),
      ),
    )
    const page = await visit("#/orders")
    await page.getByTestId("issued").getByText("3", { exact: true }).waitFor()
    await asStore(sandbox, "/processOrders", { svcOrderNumber: numbers[1]?.order_no })
    const row = page.locator(`[data-testid=order][data-order-no="${numbers[1]?.order_no}"]`)
    await row.getByText("converted").waitFor()
    await page.getByTestId("conversions").getByText("1", { exact: true }).waitFor()
    expect(await row.textContent()).toContain("Autumn at the studio")
    await page.getByRole("button", { name: "Converted" }).click()
    await page.getByTestId("order").nth(1).waitFor({ state: "detached" })
    await screenshot(page, "dashboard-orders")
  })

  it("makes a checkout link that the player of a shop understands", async () => {
    const show = await liveShow(sandbox, shop)
    const page = await visit(`#/shows/${show.id}`)
    await page.getByTestId("link-storefront").fill(shop.url)
    await page.getByLabel("Quantity of Fjord knit, L").fill("2")
    // It is written anew with what was chosen last.
    const link = await eventually(
      () => page.getByTestId("link").inputValue(),
      (address) => {
        const products = new URL(address).searchParams.get("svc_checkout") ?? ""
        return Buffer.from(products, "base64url").includes(`${KNIT.id}:var_knit_L:2`)
      },
    )
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?svc_checkout=[\w-]+&svc_campaign=/)

    const one = await openPage(browser)
    opened.push(one)
    await one.page.goto(link)
    await one.page.getByTestId("svc-checkout").getByText("Your basket is ready").waitFor()
    const [payload] = await callsOf(one.page, "SOME_CHECKOUT")
    expect(payload?.campaignUid).toBe(show.campaign_uid)
    expect(payload?.products).toEqual([
      { product_id: LAMP.id, sku: "LAMP", quantity: 1 },
      { product_id: KNIT.id, variant_id: "var_knit_L", sku: "KNIT-L", quantity: 2 },
    ])
  })

  it("keeps what is being typed while news come in", async () => {
    const show = await liveShow(sandbox, shop)
    const page = await visit(`#/shows/${show.id}`)
    const product = page.locator(`[data-testid=event-product][data-external-id=${LAMP.id}]`)
    await product.getByTestId("price-input").fill("123")
    await sandbox.control("/order-numbers", { campaign_uid: show.campaign_uid })
    await page.locator(".small-figures strong").first().getByText("1").waitFor()
    expect(await product.getByTestId("price-input").inputValue()).toBe("123")
  })

  it("says so where something is gone, and finds the way back", async () => {
    const one = await openPage(browser)
    opened.push(one)
    const { page } = one
    await page.goto(`${sandbox.url}/#/shows/event_gone`)
    await page.getByText("This is no longer here").waitFor()
    await page.getByRole("link", { name: "Back to the list" }).click()
    await page.getByText("No show yet").waitFor()
  })

  it("is gone through by keyboard: the place in the page is kept, and each place has a title", async () => {
    await pushProducts(sandbox, catalog(shop))
    const page = await visit("#/products")
    await page.getByRole("link", { name: LAMP.name }).focus()
    await page.keyboard.press("Enter")
    await page.locator(`h1:focus:text-is("${LAMP.name}")`).waitFor()
    expect(await page.title()).toBe(`${LAMP.name} · svc sandbox`)
    await page.keyboard.press("Tab")
    await page.locator("main :focus").waitFor()
    await page.keyboard.press("Shift+Tab")
    await page.keyboard.press("Enter")
    await page.locator('h1:focus:text-is("Products")').waitFor()
  })

  it("looks at one page at a time where there are several", async () => {
    await sandbox.control("/pages", { uid: "eu-page", name: "Europe", currency: "EUR" })
    await pushProducts(sandbox, catalog(shop))
    const page = await visit("#/products")
    await page.getByText("2 products received").waitFor()
    await page.getByLabel("Page").selectOption("eu-page")
    await page.getByText("No product has arrived yet").waitFor()
  })

  describe("looks", () => {
    it.each([
      ["desktop", "light", undefined],
      ["desktop", "dark", undefined],
      ["phone", "light", PHONE],
      ["phone", "dark", PHONE],
    ] as const)("fits the %s, %s", async (device, colorScheme, viewport) => {
      await subscribe()
      await subscribe(undefined, "A subscriber whose name somebody wrote as if it were a sentence")
      const show = await liveShow(sandbox, shop)
      const long = {
        ...LAMP,
        id: "prod_long",
        name: "Donaudampfschifffahrtsgesellschaftskapitänsmütze, hand-knitted to order",
        price: 1_234_567.89,
        image: `${shop.url}/gone.svg`,
      }
      await pushProducts(sandbox, [long])
      await sandbox.control(`/events/${show.id}/products`, { external_id: long.id })
      await asStore(sandbox, "/processOrders", {
        svcOrderNumber: (
          await sandbox.control<{ order_no: string }>("/order-numbers", {
            campaign_uid: show.campaign_uid,
          })
        ).order_no,
      })
      const { deliveries } = await sandbox.control<Deliveries>("/deliveries")
      const page = await visit("#/", { colorScheme, ...(viewport && { viewport }) })
      const sections = [
        ["overview", "#/"],
        ["shows", "#/shows"],
        ["show", `#/shows/${show.id}`],
        ["products", "#/products"],
        ["product", `#/products/${KNIT.id}`],
        ["orders", "#/orders"],
        ["subscribers", "#/subscribers"],
        ["deliveries", "#/deliveries"],
        ["delivery", `#/deliveries/${deliveries[0]?.id}`],
        ["journal", "#/journal"],
        ["controls", "#/controls"],
      ]
      for (const [name, address] of sections) {
        await page.goto(`${sandbox.url}/${address}`)
        await page.locator(".section").waitFor()
        await page.waitForFunction(() => {
          const title = document.querySelector("h1")?.textContent
          return title && document.title === `${title} · svc sandbox`
        })
        if (name === "products" || name === "show") {
          await page.locator(`[data-external-id=${long.id}] .no-picture`).waitFor()
        }
        await screenshot(page, `dashboard-${name}-${device}-${colorScheme}`)
        expect(`${name}: ${await overflow(page)} px too wide`).toBe(`${name}: 0 px too wide`)
      }
    })
  })
})
