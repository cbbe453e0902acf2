/** The first live show as people meet it: the merchant in the admin, the shopper in the shop, the host at the service. */
import type { Browser, Page } from "playwright-core"
import { DEMO_ADMIN } from "../../demo/catalog/seed-names"
import { launchBrowser, logIntoAdmin } from "../setup/browser"
import { eventually } from "../setup/market"
import { type Person, person } from "../setup/person"
import { SLOW_START_MS } from "../setup/store-process"
import { startWholeShop, type WholeShop } from "../setup/whole-shop"
import { describeWithBrowser, openPage, PHONE } from "./sandbox-browser"

describeWithBrowser("the first live show", () => {
  let shop: WholeShop
  let browser: Browser

  beforeAll(async () => {
    shop = await startWholeShop()
    browser = await launchBrowser()
  }, SLOW_START_MS)
  afterAll(async () => {
    await browser?.close()
    await shop?.stop()
  })

  /** A select of Medusa's: a button that opens a list. */
  const choose = async (by: Person, page: Page, label: string, option: RegExp) => {
    await by.press(page.getByLabel(label, { exact: true }))
    await by.press(page.getByRole("option", { name: option }))
  }
  const amount = async (page: Page, testId: string) =>
    Number(await page.getByTestId(testId).first().getAttribute("data-amount"))

  it("goes from a token in the admin to a conversion at the service", async () => {
    // The merchant does what the screen says, from an empty store on: the menu, the form, and each step's one button.
    const { page: admin } = await openPage(browser)
    await logIntoAdmin(admin, shop.storeUrl, DEMO_ADMIN)
    const { page: host } = await openPage(browser)
    await host.goto(`${shop.sandbox.url}/#/deliveries`)
    const merchant = person()
    const button = (name: string) => admin.getByRole("button", { name, exact: true })
    await merchant.press(admin.getByRole("link", { name: "Live commerce" }).first())
    await merchant.read(admin.getByText("No page is connected yet"))
    await merchant.press(admin.getByRole("link", { name: "Create connection" }))
    await merchant.fill(admin.getByLabel("Name", { exact: true }), "Hede & Havn, Denmark")
    await merchant.fill(admin.getByLabel("Page UID"), "demo-page")
    await merchant.fill(admin.getByLabel("Service address"), shop.sandbox.url)
    await merchant.fill(admin.getByLabel("API token"), "sandbox-token-demo-page")
    await merchant.press(button("Test address and token"))
    await merchant.read(admin.getByText(/accepts the token/))
    await choose(merchant, admin, "Sales channel", /^Webshop$/)
    await choose(merchant, admin, "Region", /Denmark/)
    await merchant.fill(admin.getByLabel("Storefront URL"), shop.storefrontUrl)
    await merchant.press(button("Save"))

    const step = (name: string) => admin.locator(`[data-step="${name}"]`)
    const isDone = (name: string) => admin.locator(`[data-step="${name}"][data-state="done"]`)
    /** What can be pressed in a step that is to be done: one thing, else a person has to guess. */
    const onlyButton = async (name: string) => {
      await step(name).getByText("To do", { exact: true }).waitFor()
      const all = step(name).getByRole("button")
      expect([name, await all.count()]).toEqual([name, 1])
      return all
    }
    // Nobody pressed anything for these three.
    for (const name of ["service", "market", "storefront"]) await merchant.read(isDone(name))
    await merchant.press(await onlyButton("import"))
    await merchant.read(isDone("import"))
    await merchant.read(step("test_delivery").getByText("Register the webhook first."))
    await merchant.press(await onlyButton("webhook"))
    await merchant.read(isDone("webhook"))
    await merchant.press(await onlyButton("test_delivery"))
    await merchant.read(admin.getByText("Send the test now, in the service's webhook settings."))
    await merchant.press(host.getByRole("button", { name: "Send a test" }))
    await merchant.read(isDone("test_delivery"))
    await merchant.read(admin.getByText("6 of 8 steps done"))
    const { acts, seconds } = merchant.done()
    // Counted by hand: the menu, a button, seven fields of which two are lists, the test, Save, three steps, one press there.
    expect(acts).toBe(17)
    if (process.env.HUMAN_PACE_MS) console.log(`First connection: ${acts} acts in ${seconds} s`)
    // The token went in and never comes out again.
    expect(await admin.content()).not.toContain("sandbox-token-demo-page")

    // The host puts a product of the store into a show and goes live.
    const { products } = await shop.sandbox.control<{
      products: { product: { id: string; name: string; price: number } }[]
    }>("/products?page_uid=demo-page&limit=500")
    expect(products.length).toBeGreaterThanOrEqual(14)
    const bowl = products.find(({ product }) => product.name === "Lyng serving bowl")?.product
    if (!bowl) throw new Error("The bowl did not arrive")
    const { event } = await shop.sandbox.control<{ event: { id: string; campaign_uid: string } }>(
      "/events",
      { page_uid: "demo-page", kind: "live", name: "An evening with clay" },
    )
    await shop.sandbox.control(`/events/${event.id}/products`, { external_id: bowl.id, price: 299 })

    await host.goto(`${shop.sandbox.url}/#/shows/${event.id}`)
    await host
      .getByRole("button", { name: /go live/i })
      .first()
      .click()
    await eventually(
      () => shop.sandbox.control<{ event: { status: string } }>(`/events/${event.id}`),
      ({ event: shown }) => shown.status === "live",
    )

    // The shopper taps it in the player and finds it in the shop's basket at the show's price.
    const { page: shopper, failed } = await openPage(browser)
    await shopper.goto(shop.storefrontUrl)
    await shopper.getByTestId("svc-player-open").click()
    await shopper.getByTestId("svc-add").first().click()
    // The shop has answered: the line is no longer a promise.
    await shopper.locator("[data-testid=svc-cart-line]:not([data-pending])").first().waitFor()
    await shopper.getByTestId("svc-go-to-cart").click()
    await shopper.getByTestId("cart-line").first().waitFor()
    expect(await amount(shopper, "line-price")).toBe(299)
    const struck = shopper.getByTestId("line-original-price").first()
    expect(await amount(shopper, "line-original-price")).toBe(bowl.price)
    expect(bowl.price).toBeGreaterThan(299)
    expect(
      await struck.evaluate((element) => getComputedStyle(element).textDecorationLine),
    ).toContain("line-through")

    // And pays it.
    await shopper.goto(`${shop.storefrontUrl}/checkout`)
    await shopper.getByTestId("checkout-email").fill("karen@example.test")
    for (const [name, value] of Object.entries({
      first_name: "Karen",
      last_name: "Holm",
      address_1: "Strandvejen 1",
      postal_code: "7700",
      city: "Thisted",
    })) {
      await shopper.getByTestId(`checkout-${name}`).fill(value)
    }
    // The service is busy when it is told the first time.
    await shop.sandbox.control("/faults", {
      on: "process_orders",
      kind: "status",
      status: 503,
      times: 1,
    })
    await shopper.getByTestId("place-order").click()
    await shopper.getByTestId("order-confirmed").waitFor()
    expect(failed).toEqual([])

    // The service counts one conversion, and shows it.
    const { conversions } = await eventually(
      () =>
        shop.sandbox.control<{ conversions: { campaign_uid: string; reports: number }[] }>(
          "/conversions",
        ),
      (found) => found.conversions.length > 0,
    )
    expect(conversions).toMatchObject([{ campaign_uid: event.campaign_uid, reports: 1 }])
    await host.goto(`${shop.sandbox.url}/#/orders`)
    await host.getByTestId("conversions").getByText("1", { exact: true }).waitFor()

    // The merchant sees it too.
    await admin.goto(`${shop.storeUrl}/app/svc/orders`)
    await admin.getByText("Reported").first().waitFor()
    await admin.getByRole("row").filter({ hasText: "Reported" }).first().click()
    const calls = admin.getByRole("dialog").getByRole("region", { name: "Calls to the service" })
    await calls.getByText("Accepted", { exact: true }).waitFor()
    await calls.getByText("Refused", { exact: true }).waitFor()
    await calls.getByText("HTTP 503", { exact: true }).waitFor()
    // And what the show earns while it runs: on the first page, and on the show's own.
    await admin.goto(`${shop.storeUrl}/app/svc`)
    await admin.getByText(/299\.00 net, 1 orders?/).waitFor()
    await admin.getByRole("link", { name: "An evening with clay" }).click()
    const results = admin.getByRole("definition")
    await results
      .filter({ hasText: /299\.00/ })
      .first()
      .waitFor()
    expect(await admin.getByText("Net without VAT").count()).toBe(1)
    // 25 % VAT is in the price.
    await results.filter({ hasText: /239\.20/ }).waitFor()

    // Every step of the first connection was seen to work, and a reload does not forget it.
    await admin.goto(`${shop.storeUrl}/app/settings/svc`)
    await admin.getByRole("link", { name: "Hede & Havn, Denmark" }).click()
    await admin.getByRole("heading", { name: "Webhook", exact: true }).waitFor()
    await admin.goto(`${admin.url()}/setup`)
    await admin.getByText("All steps are done.").waitFor()
    await admin.reload()
    await admin.getByText("All steps are done.").waitFor()
    expect(await admin.locator('[data-step][data-state="done"]').count()).toBe(8)

    const { page: phone } = await openPage(browser, { viewport: PHONE })
    await phone.goto(shop.storefrontUrl)
    await phone.getByTestId("product-card").first().waitFor()
    await phone.getByTestId("svc-player-open").click()
    await phone.getByTestId("svc-product").first().waitFor()
  })
})
