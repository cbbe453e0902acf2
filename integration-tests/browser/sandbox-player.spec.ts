/** The player as a shopper and a storefront developer meet it, in a shop on another origin. */
import type { Browser, Page } from "playwright-core"
import { launchBrowser } from "../setup/browser"
import type { HttpServer } from "../setup/http-server"
import { eventually } from "../setup/market"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"
import {
  callsOf,
  describeWithBrowser,
  KNIT,
  LAMP,
  liveShow,
  openPage,
  PAGE_UID,
  PHONE,
  type ShopWindow,
  screenshot,
  startShop,
  waitForCalls,
} from "./sandbox-browser"

type Orders = { orders: { order_no: string; campaign_uid: string }[]; count: number }
type Opened = Awaited<ReturnType<typeof openPage>>

describeWithBrowser("the player", () => {
  let sandbox: RunningSandbox
  let shop: HttpServer
  let browser: Browser
  let show: Awaited<ReturnType<typeof liveShow>>
  let opened: Opened[] = []

  beforeAll(async () => {
    sandbox = await startSandbox()
    shop = await startShop(() => `${sandbox.url}/player.js`)
    browser = await launchBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    await shop?.stop()
    await sandbox?.stop()
  })

  beforeEach(async () => {
    await sandbox.control("/reset", {})
    show = await liveShow(sandbox, shop)
  })

  afterEach(async () => {
    await Promise.all(opened.map(({ close }) => close()))
    opened = []
  })

  async function visit(path = "/", options: Parameters<typeof openPage>[1] = {}): Promise<Opened> {
    const one = await openPage(browser, options)
    opened.push(one)
    await one.page.goto(shop.url + path)
    return one
  }

  async function openPlayer(path = "/", options = {}): Promise<Opened> {
    const one = await visit(path, options)
    await one.page.getByTestId("svc-player-open").click()
    await one.page.getByTestId("svc-product").first().waitFor()
    return one
  }

  const productCard = (page: Page, id: string) =>
    page.locator(`[data-testid=svc-product][data-external-id=${id}]`)

  /** The player says that nobody handles this. The time that it gives a shop which is still loading passes at once. */
  const isMissing = (page: Page, action: string) =>
    eventually(async () => {
      await page.clock.fastForward(3_000)
      return page.getByText(`no handler for ${action}`).isVisible()
    }, Boolean)

  const orders = () => sandbox.control<Orders>("/orders")

  const hold = (page: Page, name: string) =>
    page.evaluate((action) => {
      ;(window as unknown as ShopWindow).shop.hold[action] = true
    }, name)

  const release = (page: Page) =>
    page.evaluate(() => {
      const { shop } = window as unknown as ShopWindow
      shop.hold = {}
      shop.release?.()
    })

  const answerWith = (page: Page, name: string, answer: unknown) =>
    page.evaluate(
      ([action, given]) => {
        ;(window as unknown as ShopWindow).shop.answers[String(action)] = given
      },
      [name, answer],
    )

  it("opens at the product and the variant that the shop's own button names", async () => {
    const { page } = await visit()
    await page.getByTestId("svc-player-open").waitFor()
    await page.evaluate((at) => (window as unknown as ShopWindow).sdk.openPlayer(at), {
      product_id: KNIT.id,
      variant_id: "var_knit_L",
    })
    await page.locator('[aria-label="Add to basket: Fjord knit L"]:focus').waitFor()
  })

  it("answers a press of Add before the shop does, and fires UPDATE_CART_CONTENTS as the SDK says", async () => {
    const { page } = await openPlayer()
    await hold(page, "UPDATE_CART_CONTENTS")
    const knit = productCard(page, KNIT.id)
    await knit.getByRole("button", { name: "M", exact: true }).click()
    const seen = await knit.getByTestId("svc-add").evaluate(async (button: HTMLElement) => {
      // "Added" stands for a moment only, which nobody may be looking at.
      const phases: (string | undefined)[] = []
      Object.assign(window, { phases })
      new MutationObserver(() => phases.push(button.dataset.phase)).observe(button, {
        attributes: true,
      })
      const started = performance.now()
      button.click()
      while (button.dataset.phase !== "adding" && performance.now() - started < 5000) {
        await new Promise(requestAnimationFrame)
      }
      const root = button.getRootNode() as ShadowRoot
      return {
        phase: button.dataset.phase,
        lines: root.querySelectorAll("[data-testid=svc-cart-line]").length,
        calls: (window as unknown as ShopWindow).shop.calls.length,
      }
    })
    // The line stands there although the shop was not even asked yet, or has not answered.
    expect(seen).toMatchObject({ phase: "adding", lines: 1 })

    const [payload] = await waitForCalls(page, "UPDATE_CART_CONTENTS", 1)
    await release(page)
    await page.waitForFunction(() =>
      (window as unknown as { phases: string[] }).phases.includes("added"),
    )

    const issued = await orders()
    expect(issued.count).toBe(1)
    expect(payload).toEqual({
      campaignUid: show.campaign_uid,
      pageUid: PAGE_UID,
      orderNo: issued.orders[0]?.order_no,
      products: [
        {
          action: "add",
          product_id: KNIT.id,
          variant_id: "var_knit_M",
          sku: "KNIT-M",
          quantity: 1,
        },
      ],
    })
    const line = page.getByTestId("svc-cart-line")
    await line.filter({ hasNot: page.locator("[data-pending]") }).waitFor()
    expect(await line.textContent()).toContain("Fjord knit")
    expect(await line.textContent()).toContain("449.50")
  })

  it("gathers presses of + into one change, and removes with the remove action", async () => {
    const { page } = await openPlayer()
    await productCard(page, LAMP.id).getByTestId("svc-add").click()
    const line = page.locator("[data-testid=svc-cart-line]:not([data-pending])")
    await line.waitFor()
    // In the page: on a busy machine three presses of Playwright's may lie seconds apart.
    await page.getByTestId("svc-more").evaluate(async (more: HTMLElement) => {
      for (const _ of [1, 2, 3]) {
        more.click()
        // The page is drawn again before the next press, as it is between two of a person.
        await null
      }
    })
    await page.getByTestId("svc-quantity").getByText("4", { exact: true }).waitFor()
    const [, change] = await waitForCalls(page, "UPDATE_CART_CONTENTS", 2)
    await line.waitFor()
    expect(change?.products).toEqual([
      { action: "change", product_id: LAMP.id, sku: "LAMP", quantity: 4 },
    ])
    await page
      .getByTestId("svc-total")
      .filter({ hasText: /3,?196/ })
      .waitFor()

    await page.getByTestId("svc-remove").click()
    const calls = await waitForCalls(page, "UPDATE_CART_CONTENTS", 3)
    expect(calls).toHaveLength(3)
    expect(calls[2]?.products).toEqual([
      { action: "remove", product_id: LAMP.id, sku: "LAMP", quantity: 0 },
    ])
    await line.waitFor({ state: "detached" })
    await expectSoon(() => page.getByTestId("svc-go-to-cart").isDisabled())

    // What the shopper took out again was no order: its number stays.
    await productCard(page, LAMP.id).getByTestId("svc-add").click()
    await waitForCalls(page, "UPDATE_CART_CONTENTS", 4)
    expect((await orders()).count).toBe(1)
  })

  it("keeps one order number per campaign and session, over a reload", async () => {
    const { page } = await openPlayer()
    await productCard(page, LAMP.id).getByTestId("svc-add").click()
    await waitForCalls(page, "UPDATE_CART_CONTENTS", 1)
    await page.reload()
    await page.getByTestId("svc-player-open").click()
    await page.getByTestId("svc-cart-line").waitFor()
    await productCard(page, KNIT.id).getByTestId("svc-add").click()
    const [payload] = await waitForCalls(page, "UPDATE_CART_CONTENTS", 1)
    const issued = await orders()
    expect(issued.count).toBe(1)
    expect(payload?.orderNo).toBe(issued.orders[0]?.order_no)

    // The shop emptied the basket, as it does with an order, and the shopper put in what the shop sells beside the show.
    await page.locator("[data-testid=svc-cart-line]:not([data-pending])").nth(1).waitFor()
    await page.evaluate(
      (basket) => sessionStorage.setItem("basket", JSON.stringify(basket)),
      [{ product_id: "prod_mug", variant_id: "var_mug", quantity: 1 }],
    )
    await page.reload()
    await page.getByTestId("svc-player-open").click()
    await productCard(page, LAMP.id).getByTestId("svc-add").click()
    const [next] = await waitForCalls(page, "UPDATE_CART_CONTENTS", 1)
    expect((await orders()).count).toBe(2)
    expect(next?.orderNo).not.toBe(payload?.orderNo)

    // What is not the show's says nothing of an order: taking the last piece out keeps the number.
    const lamp = page.locator("[data-testid=svc-cart-line][data-product-id=prod_lamp]")
    await lamp.and(page.locator(":not([data-pending])")).getByTestId("svc-remove").click()
    await waitForCalls(page, "UPDATE_CART_CONTENTS", 2)
    await lamp.waitFor({ state: "detached" })
    await productCard(page, LAMP.id).getByTestId("svc-add").click()
    await waitForCalls(page, "UPDATE_CART_CONTENTS", 3)
    expect((await orders()).count).toBe(2)
  })

  it("asks for another number after what the shop sold at its own price", async () => {
    const { page } = await openPlayer()
    const lamp = { product_id: LAMP.id, variant_id: null, sku: null, name: "Lamp", quantity: 1 }
    await answerWith(page, "GET_CART_CONTENTS", {
      status: "SUCCESS",
      products: [{ ...lamp, unit_price: 5, total: 5, image: null, url: null, in_campaign: false }],
      total: 5,
    })
    await productCard(page, LAMP.id).getByTestId("svc-add").click()
    const [first] = await waitForCalls(page, "UPDATE_CART_CONTENTS", 1)
    await page.locator("[data-testid=svc-cart-line]:not([data-pending])").waitFor()
    await productCard(page, KNIT.id).getByTestId("svc-add").click()
    const [, second] = await waitForCalls(page, "UPDATE_CART_CONTENTS", 2)
    expect(second?.orderNo).not.toBe(first?.orderNo)
  })

  it("steps aside for the shop's own basket", async () => {
    const { page } = await openPlayer()
    await hold(page, "UPDATE_CART_CONTENTS")
    await productCard(page, LAMP.id).getByTestId("svc-add").click()
    await waitForCalls(page, "UPDATE_CART_CONTENTS", 1)
    await page.getByTestId("svc-go-to-cart").click()
    // Not before it holds what was added last. Time enough for a player that does not wait.
    await page.waitForTimeout(300)
    expect(await callsOf(page, "OPEN_CART")).toEqual([])
    await release(page)
    const [payload] = await waitForCalls(page, "OPEN_CART", 1)
    expect(payload).toEqual({ orderNo: (await orders()).orders[0]?.order_no })
    expect(await page.evaluate(() => (window as unknown as ShopWindow).shop.basket.length)).toBe(1)
    await page.getByTestId("svc-player-open").waitFor()
    await page.getByTestId("svc-product").first().waitFor({ state: "hidden" })
  })

  it("shows what the shop refused, in the shop's words, and takes the line back", async () => {
    const { page } = await openPlayer()
    await answerWith(page, "UPDATE_CART_CONTENTS", {
      status: "FAILURE",
      message: "Not all is well.",
      failedProducts: [
        { product: { product_id: LAMP.id }, errorMessage: "The last one was just sold." },
      ],
    })
    await productCard(page, LAMP.id).getByTestId("svc-add").click()
    const notice = page.getByTestId("svc-notice")
    await notice.waitFor()
    expect(await notice.textContent()).toContain("Not all is well.")
    expect(await page.getByTestId("svc-failed-products").textContent()).toBe(
      "Harbour lamp The last one was just sold.",
    )
    expect(await page.getByTestId("svc-cart-line").count()).toBe(0)
    await screenshot(page, "player-failure")
  })

  it("says what to do where a handler is missing", async () => {
    const { page, said } = await visit("/?none")
    await page.clock.install()
    await page.getByTestId("svc-player-open").click()
    await isMissing(page, "GET_CART_CONTENTS")
    await productCard(page, LAMP.id).getByTestId("svc-add").click()
    await isMissing(page, "UPDATE_CART_CONTENTS")
    expect(await page.getByTestId("svc-cart-line").count()).toBe(0)
    expect(said.join("\n")).toContain("registered no handler for UPDATE_CART_CONTENTS")
    await screenshot(page, "player-no-handler")
  })

  it.each([
    ["registers its handlers after the player came", "/?late"],
    ["has styles and scripts that are against it", "/?hostile"],
  ])("lives with a shop that %s", async (_, path) => {
    const { page, failed } = await openPlayer(path)
    await productCard(page, LAMP.id).getByTestId("svc-add").click()
    await waitForCalls(page, "UPDATE_CART_CONTENTS", 1)
    await page.locator("[data-testid=svc-cart-line]:not([data-pending])").waitFor()
    expect(await page.getByTestId("svc-developer-note").count()).toBe(0)
    expect(failed).toEqual([])
  })

  it("keeps the focus while it is open, and gives it back with Escape", async () => {
    const { page } = await visit()
    const bubble = page.getByTestId("svc-player-open")
    await bubble.press("Enter")
    await page.getByTestId("svc-product").first().waitFor()
    // Once around and further: the shop's button is never reached.
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press("Tab")
      expect(await page.locator("#shop-button:focus").count()).toBe(0)
    }
    await page.keyboard.press("Escape")
    await bubble.and(page.locator(":focus")).waitFor()
  })

  it("follows the show while it runs: price, new product, sold out, end", async () => {
    const { page } = await openPlayer()
    const path = `/events/${show.id}/products/${show.uids[LAMP.id]}`
    const lamp = productCard(page, LAMP.id)

    await sandbox.control(path, { price: 699 })
    await lamp.getByTestId("svc-price").getByText("699").waitFor()
    expect(await lamp.getByTestId("svc-retail-price").textContent()).toMatch(/1,?099/)
    expect(await page.getByText("The price of the Harbour lamp just dropped!").count()).toBe(1)

    await sandbox.control(path, { available: false })
    await lamp.getByText("Sold out").waitFor()
    await expectSoon(() => lamp.getByTestId("svc-add").isDisabled())

    await sandbox.control(path, undefined, "DELETE")
    await lamp.waitFor({ state: "detached" })

    await sandbox.control(`/events/${show.id}/end`, {})
    const broadcast = page.getByRole("region", { name: "Broadcast" })
    await broadcast.getByText("Just ended").waitFor()
    const add = productCard(page, KNIT.id).getByTestId("svc-add")
    await add.getByText("Not for sale").waitFor()
    expect(await add.isDisabled()).toBe(true)
    await sandbox.control(`/events/${show.id}/complete`, {})
    await broadcast.getByText("The show's prices have ended.").waitFor()
  })

  it("offers nothing while there is no show, and appears by itself with the next one", async () => {
    await sandbox.control(`/events/${show.id}/end`, {})
    const { page, said } = await visit()
    await page.waitForFunction(() => (window as unknown as ShopWindow).sdk !== undefined)
    await expectSoon(() => said.some((line) => line.includes("no show is running")))
    expect(await page.getByTestId("svc-player-open").count()).toBe(0)

    const next = await liveShow(sandbox, shop, "The next one")
    await page.getByRole("button", { name: "Open the show: The next one" }).click()
    await productCard(page, LAMP.id).getByTestId("svc-add").click()
    const [payload] = await waitForCalls(page, "UPDATE_CART_CONTENTS", 1)
    expect(payload?.campaignUid).toBe(next.campaign_uid)
  })

  describe("social checkout", () => {
    const list = `${LAMP.id}::2,${KNIT.id}:var_knit_L:1`
    const encoded = Buffer.from(list).toString("base64url")

    const link = (products: string) =>
      `/?svc_checkout=${encodeURIComponent(products)}&svc_campaign=${show.campaign_uid}`

    it("fills the basket from a plain link, once", async () => {
      const { page } = await visit(link(list))
      const overlay = page.getByTestId("svc-checkout")
      await overlay.getByText("Your basket is ready").waitFor()
      const payloads = await callsOf(page, "SOME_CHECKOUT")
      expect(payloads).toEqual([
        {
          campaignUid: show.campaign_uid,
          pageUid: PAGE_UID,
          orderNo: (await orders()).orders[0]?.order_no,
          products: [
            { product_id: LAMP.id, sku: "LAMP", quantity: 2 },
            { product_id: KNIT.id, variant_id: "var_knit_L", sku: "KNIT-L", quantity: 1 },
          ],
        },
      ])
      expect(new URL(page.url()).search).toBe("")
      await screenshot(page, "player-checkout-done")

      await page.getByTestId("svc-checkout-go").click()
      await waitForCalls(page, "OPEN_CART", 1)
      await overlay.waitFor({ state: "detached" })
    })

    it("asks for a new order number where the basket of the last link was ordered", async () => {
      const { page } = await visit(link(list))
      const done = page.getByTestId("svc-checkout").getByText("Your basket is ready")
      await done.waitFor()
      const [first] = await callsOf(page, "SOME_CHECKOUT")
      // The player was never opened, and the shop empties the basket with the order.
      await page.evaluate(() => sessionStorage.setItem("basket", "[]"))
      await page.goto(shop.url + link(list))
      await done.waitFor()
      const [second] = await callsOf(page, "SOME_CHECKOUT")
      expect(second?.orderNo).not.toBe(first?.orderNo)
      expect((await orders()).count).toBe(2)
    })

    it("shows the progress that the handler tells, and names what did not make it", async () => {
      const one = await openPage(browser)
      opened.push(one)
      const { page } = one
      await page.addInitScript((id) => {
        addEventListener("DOMContentLoaded", () => {
          const { shop } = window as unknown as ShopWindow
          shop.hold.SOME_CHECKOUT = true
          shop.answers.SOME_CHECKOUT = {
            status: "PARTIAL",
            failedProducts: [{ product: { product_id: id }, errorMessage: "Sold out in size L." }],
          }
        })
      }, KNIT.id)
      await page.goto(shop.url + link(encoded))
      await waitForCalls(page, "SOME_CHECKOUT", 1)
      await page.evaluate(() => {
        const { progress } = (window as unknown as ShopWindow).sdk
        progress.plan({ totalSteps: 50, msPerStep: 3_600_000 })
        progress.set({ step: 48 })
        // Backwards would look broken.
        progress.set({ percent: 10 })
      })
      await page.locator('[role=progressbar][aria-valuenow="96"]').waitFor()
      await screenshot(page, "player-checkout-working")
      await release(page)
      const overlay = page.getByTestId("svc-checkout")
      await overlay.getByText("Almost everything is in").waitFor()
      expect(await overlay.getByTestId("svc-failed-products").textContent()).toBe(
        "Fjord knit Sold out in size L.",
      )
      await screenshot(page, "player-checkout-partial")
    })

    it("says why a link fires nothing: it names no product, or its show is gone", async () => {
      const { page } = await visit(link("::"))
      await page.getByText("This link names no product. Ask for a new one.").waitFor()
      expect(await callsOf(page, "SOME_CHECKOUT")).toEqual([])
      await sandbox.control(`/events/${show.id}`, undefined, "DELETE")
      await page.goto(shop.url + link(encoded))
      await page.getByTestId("svc-checkout").getByText("The show of this link is over").waitFor()
      expect(await callsOf(page, "SOME_CHECKOUT")).toEqual([])
    })

    it("passes on a wish to empty the basket and a place to go, from a base64url link", async () => {
      const { page } = await visit(`${link(encoded)}&svc_clear=1&svc_redirect=%2Fbasket`)
      const [payload] = await waitForCalls(page, "SOME_CHECKOUT", 1)
      expect(payload).toMatchObject({
        clear_cart: true,
        redirect_url: "/basket",
        products: [
          { product_id: LAMP.id, quantity: 2 },
          { product_id: KNIT.id, variant_id: "var_knit_L", quantity: 1 },
        ],
      })
    })
  })

  it("is a whole page at /player, which says what a shop has to do, on a phone", async () => {
    const one = await openPage(browser, { viewport: PHONE })
    opened.push(one)
    const { page } = one
    await page.goto(`${sandbox.url}/player?campaign_uid=${show.campaign_uid}`)
    await page.clock.install()
    await productCard(page, KNIT.id).getByTestId("svc-add").click()
    await isMissing(page, "UPDATE_CART_CONTENTS")
    expect(one.failed).toEqual([])
    await screenshot(page, "player-page-phone")
  })
})

/** Asks again until it is so. */
const expectSoon = (condition: () => boolean | Promise<boolean>) =>
  eventually(async () => condition(), Boolean)
