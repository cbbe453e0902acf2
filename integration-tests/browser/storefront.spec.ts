/** The demo's shop in Chromium, on a real store and a real sandbox: what a shopper does and sees. */
import { resolve } from "node:path"
import { build } from "esbuild"
import type { Browser, Page } from "playwright-core"
import { connect, importCatalog, readMarkets, registerWebhook } from "../../demo/start-up/connect"
import { startShow } from "../../demo/start-up/show"
import { productOf } from "../setup/admin-shop"
import { answerTo, launchBrowser } from "../setup/browser"
import { codeBelow } from "../setup/guide"
import { eventually } from "../setup/market"
import { deliverCart, type StoreCall } from "../setup/order-steps"
import { SLOW_START_MS } from "../setup/store-process"
import { startWholeShop, type WholeShop } from "../setup/whole-shop"
import { describeWithBrowser, openPage, screenshot } from "./sandbox-browser"

type Show = { id: string; campaign_uid: string }

describeWithBrowser("the demo's shop", () => {
  let shop: WholeShop
  let browser: Browser
  let show: Show
  const pages: { failed: string[]; close: () => Promise<void> }[] = []

  beforeAll(async () => {
    shop = await startWholeShop()
    browser = await launchBrowser()
    const [home] = await readMarkets(shop.admin)
    if (!home) {
      throw new Error("The shop has no market")
    }
    const url = { sandbox: shop.sandbox.url, storefront: shop.storefrontUrl }
    const connectionId = await connect(shop.admin, home, url)
    await registerWebhook(shop.admin, connectionId, shop.sandbox.url)
    await importCatalog(shop.admin, connectionId, () => undefined)
    await startShow(shop.admin, shop.sandbox.url)
    const { events } = await shop.sandbox.control<{ events: Show[] }>("/events")
    show = events[0] as Show
    // The store hears of the show by webhook.
    await eventually(
      () =>
        shop.admin.get<{ count: number }>("/admin/svc/deliveries?topic=live_event_product.created"),
      ({ count }) => count >= 6,
    )
  }, SLOW_START_MS)

  afterAll(async () => {
    await browser?.close()
    await shop?.stop()
  })

  afterEach(async () => {
    const failed = pages.flatMap((page) => page.failed)
    await Promise.all(pages.splice(0).map((page) => page.close()))
    expect(failed).toEqual([])
  })

  const visit = async (path: string, options: Parameters<typeof openPage>[1] = {}) => {
    const opened = await openPage(browser, options)
    pages.push(opened)
    await opened.page.goto(shop.storefrontUrl + path)
    return opened.page
  }

  /** The number that an element shows, in major units. */
  const amount = async (page: Page, testId: string, nth = 0) =>
    Number(await page.getByTestId(testId).nth(nth).getAttribute("data-amount"))

  /** Until it shows this: what belongs together may be drawn one after the other. */
  const shows = (page: Page, testId: string, wanted: number) =>
    eventually(
      () => amount(page, testId),
      (shown) => shown === wanted,
    )

  const fillCheckout = async (page: Page) => {
    const values = {
      email: "astrid@example.test",
      first_name: "Astrid",
      last_name: "Holm",
      address_1: "Strandgade 4",
      postal_code: "7700",
      city: "Thisted",
    }
    for (const [name, value] of Object.entries(values)) {
      await page.getByTestId(`checkout-${name}`).fill(value)
    }
  }

  it("announces the show, marks what is in it and lists it", async () => {
    const page = await visit("/")
    await page.getByTestId("live-now").getByText("An evening with clay and wool").waitFor()
    await page.getByRole("link", { name: "6 products at the show's price" }).click()
    await page.getByRole("heading", { name: "An evening with clay and wool" }).waitFor()
    await eventually(
      () => page.getByTestId("product-card").count(),
      (count) => count === 6,
    )
    const mug = page.getByTestId("product-card").filter({ hasText: "Havn mug" })
    expect(await mug.textContent()).toMatch(/kr\s149 in the show/)
    await mug.click()
    await page.getByTestId("buy-in-show").waitFor()
    await screenshot(page, "storefront-product-in-show")
  })

  it("gives the price of the show where it names it, up to the shop's own basket, and has no button that charges more", async () => {
    const page = await visit("/products/lyng-bowl")
    const offer = page.getByTestId("buy-in-show")
    await offer.waitFor()
    expect(await page.getByTestId("add-to-cart").count()).toBe(0)
    await page.getByRole("radio", { name: "Clay" }).check({ force: true })
    await page.getByRole("radio", { name: "M", exact: true }).check({ force: true })
    await eventually(
      () => offer.textContent(),
      (words) => /^Buy in the show for kr\s139$/.test(words ?? ""),
    )
    await page.getByTestId("svc-player-open").waitFor()
    await offer.click()

    // The player is at this very bowl.
    const bowl = page.getByTestId("svc-product").filter({ hasText: "Lyng bowl" })
    await eventually(
      () => bowl.getByTestId("svc-price").textContent(),
      (price) => /kr\s139/.test(price ?? ""),
    )
    const sizes = bowl.locator("select").last().locator("option")
    expect(await sizes.allTextContents()).toEqual(["S", "M", "L"])
    await bowl.getByTestId("svc-add").click()
    await page.locator("[data-testid=svc-cart-line]:not([data-pending])").waitFor()
    await page.getByTestId("svc-go-to-cart").click()
    const line = page.getByTestId("cart-line")
    await line.waitFor()
    expect(await amount(page, "line-price")).toBe(139)
    // What a sale of the catalog asks for.
    expect(await amount(page, "line-original-price")).toBe(159)
    expect(await line.textContent()).toContain("Clay / M")
    expect(await line.getAttribute("data-campaign")).toBe(show.campaign_uid)
    await line.getByText("An evening with clay and wool").waitFor()
    await screenshot(page, "storefront-drawer")

    // Another tab of the same shopper has the same basket.
    const second = await page.context().newPage()
    await second.goto(`${shop.storefrontUrl}/cart`)
    await second.getByTestId("cart-line").waitFor()
    await shows(second, "cart-total", 139)
  })

  it("leads on from a shared link without leaving it in the history, where Back would follow it again", async () => {
    const { id, variants } = await productOf(shop, "havn-mug")
    const products = encodeURIComponent(`${id}:${variants[0]?.id}`)
    const page = await visit(
      `/?svc_checkout=${products}&svc_campaign=${show.campaign_uid}&svc_redirect=%2Fcart`,
    )
    await page.getByTestId("checkout-link").waitFor()
    await page.goBack()
    expect(page.url()).toBe(`${shop.storefrontUrl}/`)
  })

  it("pays no total that the page did not show: another tab adds a piece while the payment begins", async () => {
    const [home] = await readMarkets(shop.admin)
    const page = await visit("/products/havn-espresso-cup")
    await page.getByTestId("add-to-cart").click()
    await page.getByTestId("checkout-link").click()
    await fillCheckout(page)
    const total = await eventually(
      () => amount(page, "cart-total"),
      (now) => now > 119,
    )
    await page.route(
      "**/payment-sessions",
      async (route) => {
        const cartId = await page.evaluate(
          (key) => localStorage.getItem(key),
          `svc_cart_id:${home?.regionId}`,
        )
        const url = `${shop.storeUrl}/store/carts/${cartId}`
        const headers = {
          "content-type": "application/json",
          "x-publishable-api-key": home?.publishableKey ?? "",
        }
        const { cart } = await (await fetch(url, { headers })).json()
        const body = JSON.stringify({ variant_id: cart.items[0].variant_id, quantity: 1 })
        await fetch(`${url}/line-items`, { method: "POST", headers, body })
        await route.continue()
      },
      { times: 1 },
    )
    await page.getByTestId("place-order").click()
    await page.getByRole("alert").getByText("The total has changed.").waitFor()
    await shows(page, "cart-total", total + 119)
    const begins = page.waitForResponse("**/payment-sessions")
    await page.getByTestId("place-order").click()
    const { payment_collection } = await (await begins).json()
    expect(payment_collection.amount).toBe(total + 119)
    await page.getByTestId("order-confirmed").waitFor()
  })

  // This test and the next end the show, so they come last.
  it("never sells at a price the shopper did not see, and shows an order whose answer was lost: the show ends during checkout", async () => {
    const page = await visit("/")
    await page.getByTestId("svc-player-open").click()
    const mug = page.getByTestId("svc-product").filter({ hasText: "Havn mug" })
    await mug.getByTestId("svc-add").click()
    await page.getByTestId("svc-cart-line").waitFor()
    await page.getByTestId("svc-go-to-cart").click()
    await page.getByTestId("cart-line").waitFor()
    await page.getByTestId("checkout-link").click()
    await fillCheckout(page)
    const total = await eventually(
      () => amount(page, "cart-total"),
      (now) => now > 149,
    )

    await shop.sandbox.control(`/events/${show.id}`, { deadline: Date.now() - 1_000 })
    await eventually(
      () =>
        shop.admin.get<{ live_events: { deadline: string | null }[] }>("/admin/svc/live-events"),
      ({ live_events }) => live_events.some(({ deadline }) => deadline !== null),
    )
    await page.getByTestId("place-order").click()
    const changed = page.getByTestId("price-changed")
    await changed.waitFor()
    expect(await changed.textContent()).toMatch(/Havn mug.*kr\s149.*kr\s189/)
    expect(await page.getByTestId("order-confirmed").count()).toBe(0)
    await shows(page, "line-price", 189)
    await shows(page, "cart-total", total + 40)
    await screenshot(page, "storefront-price-changed")

    // The order is placed, and the answer of it never comes.
    let lost = 0
    await page.route(/\/store\/carts\/[^/]+\/complete/, async (route) => {
      const response = await answerTo(route)
      const { type } = await response.json()
      if (type !== "order" || lost > 0) return route.fulfill({ response })
      lost += 1
      await route.abort()
    })
    // Where the job of this minute was quicker than the shopper, the store says so itself, once more.
    const confirmed = page.getByTestId("order-confirmed")
    const again = page.getByRole("button", { name: /^Place order/ })
    let presses = 0
    // Once the answer is lost, only the page itself can find the order.
    while (!(await confirmed.isVisible()) && lost === 0 && presses < 2) {
      await again.click()
      presses += 1
      await confirmed.or(again.and(page.locator(":enabled"))).waitFor()
    }
    await confirmed.waitFor()
    expect(lost).toBe(1)
    await shows(page, "cart-total", total + 40)
    // The list of shows is cached for a moment, and asked for again.
    await page.getByTestId("live-now").waitFor({ state: "detached" })
    await page.goto(`${shop.storefrontUrl}/cart`)
    await page.getByTestId("cart-empty").waitFor()
  })

  /** A script file of the SDK, from its source. */
  const script = async (entry: string): Promise<string> => {
    const { outputFiles } = await build({
      entryPoints: [resolve(__dirname, "../../storefront/src", entry)],
      bundle: true,
      write: false,
      format: "iife",
      platform: "browser",
      globalName: "SvcStorefront",
    })
    return outputFiles[0]?.text ?? ""
  }

  /** The page that the guide's recipe for plain HTML makes, with the addresses and ids of this shop. */
  const plainPage = async (page: Page, regionId: string, publishableKey: string) => {
    const code = codeBelow("Plain HTML").map((block) => block.code)
    expect(code).toHaveLength(2)
    const values = {
      "https://player.example.com": shop.sandbox.url,
      "https://store.example.com": shop.storeUrl,
      "your-page": "demo-page",
      "pk_...": publishableKey,
      "reg_...": regionId,
    }
    const html = Object.entries(values).reduce((text, [name, value]) => {
      expect(text).toContain(name)
      return text.replaceAll(name, value)
    }, code.join(""))
    const files: Record<string, { contentType: string; body: string }> = {
      "/thanks": { contentType: "text/html", body: "<h1>Thank you</h1>" },
      "/svc/svc-storefront.js": { contentType: "text/javascript", body: await script("index.ts") },
      "/svc/svc-live-now.js": { contentType: "text/javascript", body: await script("live-now.ts") },
    }
    for (const [path, file] of Object.entries(files)) {
      await page.route(
        (url) => url.origin === shop.storefrontUrl && url.pathname === path,
        (route) => route.fulfill(file),
      )
    }
    // A page that a route answers may not speak to this machine, so it is written over one of the shop's, without its scripts.
    return async () => {
      await page.route(/\.js/, (route) => route.abort())
      await page.goto(`${shop.storefrontUrl}/cart`)
      await page.unroute(/\.js/)
      await page.setContent(`<!doctype html><html lang="en">${html}`)
    }
  }

  it("follows the guide's recipe for plain HTML to the order, while its show ends", async () => {
    await startShow(shop.admin, shop.sandbox.url)
    const { events } = await shop.sandbox.control<{ events: (Show & { status: string })[] }>(
      "/events",
    )
    const second = events.find(({ id, status }) => id !== show.id && status === "live") as Show
    await eventually(
      () =>
        shop.admin.get<{ live_events: { campaign_uid: string; status: string }[] }>(
          "/admin/svc/live-events",
        ),
      ({ live_events }) =>
        live_events.some(
          (event) => event.campaign_uid === second.campaign_uid && event.status === "live",
        ),
    )
    const [home] = await readMarkets(shop.admin)
    // The guide's page has a script of its own in it, and the policy is that of the demo's pages.
    const { page, failed, close } = await openPage(browser, { bypassCSP: true })
    pages.push({ failed, close })
    const load = await plainPage(page, home?.regionId ?? "", home?.publishableKey ?? "")
    await load()
    await page.locator("svc-live-now [part=name]").getByText("clay and wool").waitFor()
    await page.locator("#basket", { hasText: "Basket (0)" }).waitFor()
    await page.getByTestId("svc-player-open").click()
    const mug = page.getByTestId("svc-product").filter({ hasText: "Havn mug" })
    await mug.getByTestId("svc-add").click()
    await page.locator("#basket", { hasText: "Basket (1)" }).waitFor()

    // What the shop's own pages would ask for.
    const cartId = await page.evaluate(
      (key) => localStorage.getItem(key),
      `svc_cart_id:${home?.regionId}`,
    )
    const store: StoreCall = async (path, body) => {
      const response = await fetch(`${shop.storeUrl}${path}`, {
        method: body ? "POST" : "GET",
        headers: {
          "content-type": "application/json",
          "x-publishable-api-key": home?.publishableKey ?? "",
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return response.json()
    }
    await deliverCart(store, cartId ?? "")
    await load()
    await page.locator("#basket", { hasText: "Basket (1)" }).waitFor()
    const total = async () => Number.parseFloat((await page.locator("#total").textContent()) ?? "")
    const before = await eventually(total, (amount) => amount > 149)

    await shop.sandbox.control(`/events/${second.id}`, { deadline: Date.now() - 1_000 })
    await eventually(
      () =>
        shop.admin.get<{ live_events: { campaign_uid: string; deadline: string | null }[] }>(
          "/admin/svc/live-events",
        ),
      ({ live_events }) =>
        live_events.some(
          ({ campaign_uid, deadline }) => campaign_uid === second.campaign_uid && deadline !== null,
        ),
    )
    const order = page.getByRole("button", { name: "Place order" })
    await order.click()
    await page.getByRole("alert").getByText("A price has changed").waitFor()
    await page
      .getByRole("status")
      .getByText(/^Havn mug: .*→ DKK\s189\.00$/)
      .waitFor()
    await eventually(total, (amount) => amount === before + 40)
    await screenshot(page, "storefront-plain-price-changed")

    // The shopper loses the connection, and then the answer to the order alone. The button stays one that can be pressed.
    await page.context().setOffline(true)
    await order.click()
    await page.getByRole("alert").getByText("The shop could not be reached").waitFor()
    await page.context().setOffline(false)
    let begun = 0
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/payment-sessions")) begun += 1
    })
    let lost = false
    await page.route(
      "**/store/carts/*/complete",
      async (route) => {
        await answerTo(route)
        await route.abort()
        lost = true
      },
      { times: 1 },
    )
    await order.click()
    await eventually(async () => lost, Boolean)
    await page.getByRole("alert").getByText("The shop could not be reached").waitFor()
    await order.click()
    await page.getByRole("heading", { name: "Thank you" }).waitFor()
    expect(begun).toBe(1)
    const { order: placed } = await store<{ order: { total: number } }>(
      `/store/orders/${new URL(page.url()).searchParams.get("order")}`,
    )
    expect(placed.total).toBe(before + 40)
  })
})
