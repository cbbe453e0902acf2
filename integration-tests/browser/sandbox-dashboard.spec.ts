/** The dashboard as a person uses it: every change is made with the mouse and proved at the sandbox. */
import type { Browser } from "playwright-core"
import { launchBrowser } from "../setup/browser"
import { type HttpServer, serve } from "../setup/http-server"
import { eventually } from "../setup/market"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"
import {
  asStore,
  catalog,
  describeWithBrowser,
  KNIT,
  LAMP,
  liveShow,
  openPage,
  PAGE_UID,
  pushProducts,
  type SandboxEvent,
  screenshot,
  startShop,
  told,
} from "./sandbox-browser"

type Opened = Awaited<ReturnType<typeof openPage>>
type Events = { events: (SandboxEvent & { data: { event: { isPublished: boolean } } })[] }
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

  async function visit(address = "#/shows") {
    const one = await openPage(browser)
    opened.push(one)
    const { page } = one
    page.on("dialog", (question) => question.accept())
    await page.goto(`${sandbox.url}/${address}`)
    await page.locator("h1").waitFor()
    return page
  }

  const subscribe = () =>
    asStore<{ webhookUid: string }>(sandbox, "/api/v1/webhooks", {
      name: "Store",
      url: receiver.url,
      topics: ["live_event.created", "live_event.updated"],
    })

  const eventProducts = async (id: string) =>
    (await sandbox.control<EventProducts>(`/events/${id}`)).products

  it("runs a show by hand from its plan to its replay", async () => {
    await pushProducts(sandbox, catalog(shop))
    const page = await visit()

    await page.getByTestId("plan-show").click()
    await page.getByLabel("Name").fill("Autumn at the studio")
    await page.getByRole("button", { name: "Plan it" }).click()
    await page.getByRole("heading", { name: "Autumn at the studio" }).waitFor()
    const { events } = await sandbox.control<Events>("/events")
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({ status: "planned", page_uid: PAGE_UID, currency: "DKK" })
    const id = events[0]?.id ?? ""
    expect(page.url()).toContain(`#/shows/${id}`)

    const choice = (id: string) =>
      page.locator(`[data-testid=picker-product][data-external-id=${id}]`)
    await choice(LAMP.id).waitFor()
    await page.getByTestId("picker-search").fill("knit")
    await choice(LAMP.id).waitFor({ state: "detached" })
    await choice(KNIT.id).getByTestId("price-input").fill("449.5")
    await choice(KNIT.id).getByTestId("picker-add").click()
    await choice(KNIT.id).getByText("In the show").waitFor()
    expect((await eventProducts(id)).map(({ data }) => data.price)).toEqual([449.5])
    const link = page.locator("dd code", { hasText: "svc_checkout" })
    expect(Object.fromEntries(new URL((await link.textContent()) ?? "").searchParams)).toEqual({
      svc_checkout: Buffer.from(`${KNIT.id}:var_knit_S:1`).toString("base64url"),
      svc_campaign: events[0]?.campaign_uid,
    })

    await page.getByTestId("show-start").click()
    await told(page, "The show is live")

    const product = page.locator(`[data-testid=event-product][data-external-id=${KNIT.id}]`)
    await product.getByTestId("price-input").fill("399")
    await product.getByTestId("price-save").click()
    await told(page, "Fjord knit has a new price")
    expect((await eventProducts(id))[0]?.data.price).toBe(399)
    await asStore(sandbox, `/getCampaignProductPrice/${events[0]?.campaign_uid}`, {
      productId: KNIT.id,
      variantId: "var_knit_M",
    })

    await product.getByRole("switch").click()
    await product.getByText("Sold out").waitFor()
    expect((await eventProducts(id))[0]?.data.available).toBe(false)
    await screenshot(page, "dashboard-show")

    await page.getByTestId("show-end").click()
    await told(page, "The show has ended")
    await page.getByTestId("show-complete").click()
    await told(page, "The replay is there")
    expect((await sandbox.control<Events>("/events")).events[0]?.status).toBe("vod")
    await product.getByTestId("remove-product").click()
    await page.getByText("None yet").waitFor()

    // What the store asked for stands with the orders.
    await page.getByRole("link", { name: "Orders" }).click()
    await page.getByTestId("price-asked").getByText("399 DKK").waitFor()
  })

  it("shows request and answer of a delivery, and sends it again", async () => {
    await subscribe()
    await liveShow(sandbox, shop)
    await sandbox.control("/clock", { settle: true })
    const page = await visit("#/deliveries")
    await page.getByTestId("test-delivery").click()
    await told(page, "The test was sent")
    expect(received.map(({ topic }) => topic)).toContain("svc.test")
    // Its row moves the others down: a press in that moment would meet none of them.
    await page.locator("[data-testid=delivery][data-topic='svc.test']").waitFor()
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
  })

  it("shows a subscriber that was disabled, and brings it back", async () => {
    await subscribe()
    receiverStatus = 503
    const show = await liveShow(sandbox, shop)
    const page = await visit("#/deliveries")
    await page.getByText(/failures in a row/).waitFor()
    for (const change of ["renamed", "renamed again"]) {
      await sandbox.control("/clock", { advance: "1h" })
      await sandbox.control(`/events/${show.id}`, { name: `The show, ${change}` })
      await sandbox.control("/clock", { settle: true })
    }
    receiverStatus = 200
    await page.getByTestId("activate").click()
    await page.locator("[data-testid=subscriber][data-state=active]").waitFor()
  })

  it("shows a script that a product's name brings as text", async () => {
    await pushProducts(sandbox, [{ ...LAMP, name: "<img src=x onerror=window.hit=1>" }])
    const { event } = await sandbox.control<{ event: SandboxEvent }>("/events", {
      page_uid: PAGE_UID,
      kind: "live",
      name: "<script>window.hit=1</script>",
    })
    const page = await visit(`#/shows/${event.id}`)
    await page.getByText("<img src=x onerror=window.hit=1>").waitFor()
    expect(await page.evaluate(() => "hit" in window)).toBe(false)
  })
})
