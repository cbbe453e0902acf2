/** The parts of the storefront SDK that need a page: the strip and the React hook. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { build } from "esbuild"
import type { Browser, Page } from "playwright-core"
import { playerSnippets } from "../../src/admin/lib/player-snippet"
import { launchBrowser } from "../setup/browser"
import { type HttpServer, serve } from "../setup/http-server"
import { eventually } from "../setup/market"
import { describeWithBrowser, isQuiet, openPage } from "./sandbox-browser"

const ROOT = resolve(__dirname, "../..")

const scripts = new Map<string, string>()

/** A page's script, from the sources as a shop's bundler would take them. */
async function script(contents: string): Promise<string> {
  const known = scripts.get(contents)
  if (known) return known
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT, loader: "tsx" },
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"development"' },
    alias: {
      "svc-storefront/react": resolve(ROOT, "storefront/src/react.ts"),
      "svc-storefront/live-now": resolve(ROOT, "storefront/src/live-now.ts"),
      "svc-storefront": resolve(ROOT, "storefront/src/index.ts"),
    },
  })
  const text = outputFiles[0]?.text ?? ""
  scripts.set(contents, text)
  return text
}

const product = (changes: Record<string, unknown> = {}) => ({
  uid: "ep_1",
  sku: "LAMP",
  external_id: "prod_lamp",
  name: "Harbour lamp",
  handle: "harbour-lamp",
  url: "https://shop.test/harbour-lamp",
  image: null,
  brand: null,
  default_quantity: null,
  price: 799,
  suggested_retail_price: 1099,
  available: true,
  min_purchase_qty: null,
  max_qty_per_customer: null,
  variants: [],
  ...changes,
})

const show = (changes: Record<string, unknown> = {}) => ({
  id: "svcle_1",
  event_id: "event_1",
  page_uid: "page_dk",
  kind: "live",
  campaign_uid: "campaign_1",
  name: "Evening at the kiln",
  status: "live",
  starts_at: "2026-03-01T18:00:00.000Z",
  live_started_at: "2026-03-01T18:00:00.000Z",
  live_ended_at: null,
  deadline: null,
  cover_url: null,
  cover_urls: { landscape: null, portrait: null, video: null },
  description: null,
  video_url: null,
  tags: [],
  category: null,
  currency_code: "DKK",
  prices_include_tax: true,
  products: [product()],
  ...changes,
})

const PICTURE = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')}`

/** The player as it greets a page that it comes to at any time. */
const PLAYER = `
  const waiting = window.onSvcReady ?? []
  const sdk = { actions: {}, registerAction: () => { window.isConnected = true } }
  window.onSvcReady = { push: (entry) => entry(sdk) }
  waiting.forEach(window.onSvcReady.push)`

const NOW = new Date("2026-03-01T18:10:00.000Z")

describeWithBrowser("the storefront SDK in a page", () => {
  let browser: Browser
  let server: HttpServer
  let code = ""
  let body = ""
  /** What the store answers; null: it is down. */
  let shows: { page_uid: string }[] | null = []
  /** Of the page. */
  let policy = ""
  let asked = 0
  const opened: { failed: string[]; close: () => Promise<void> }[] = []

  beforeAll(async () => {
    browser = await launchBrowser()
    server = await serve((request, response) => {
      if (request.url?.startsWith("/store/svc/live-events")) {
        asked += 1
        response.statusCode = shows ? 200 : 503
        response.setHeader("content-type", "application/json")
        const of = new URL(request.url, server.url).searchParams.get("page_uid")
        const live_events = shows?.filter(({ page_uid }) => !of || page_uid === of)
        response.end(JSON.stringify({ live_events }))
        return
      }
      if (request.url === "/player.js") {
        response.setHeader("content-type", "text/javascript")
        response.end(PLAYER)
        return
      }
      response.setHeader("content-type", "text/html; charset=utf-8")
      if (policy) response.setHeader("content-security-policy", policy)
      response.end(`<!doctype html><html lang="en-GB"><title>A shop</title>${body}
<script>${code.replaceAll("</script", "<\\/script")}</script>`)
    })
  })

  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  afterEach(async () => {
    const failed = opened.flatMap((page) => page.failed)
    await Promise.all(opened.splice(0).map((page) => page.close()))
    policy = ""
    expect(failed).toEqual([])
  })

  async function open(contents: string, html = ""): Promise<Page> {
    code = await script(contents)
    body = html
    asked = 0
    const page = await openPage(browser)
    opened.push(page)
    await page.page.clock.install({ time: NOW })
    await page.page.goto(server.url)
    return page.page
  }

  describe("<svc-live-now>", () => {
    const strip = (attributes = "", inner = "") =>
      open(
        `import "svc-storefront/live-now"; ${inner}`,
        `<svc-live-now base-url="" publishable-key="pk_1" ${attributes}></svc-live-now>
         <script>document.querySelector("svc-live-now").setAttribute("base-url", location.origin)</script>`,
      )
    const part = (page: Page, name: string) => page.locator(`svc-live-now [part=${name}]`)

    it("shows the show that runs, its prices in the page's language, and the time that is left, and is gone at the deadline, whatever the store still says", async () => {
      // Nearly a minute until its words change: the page's clock runs while it is opened.
      shows = [show({ deadline: "2026-03-01T19:15:58.000Z" })]
      const page = await strip('product-href="/products/{id}?from=live"')
      await part(page, "name").getByText("Evening at the kiln").waitFor()
      expect(await part(page, "badge").textContent()).toBe("Live now")
      expect(await part(page, "price").textContent()).toMatch(/DKK\s?799\.00/)
      expect(await part(page, "before").textContent()).toMatch(/DKK\s?1,099\.00/)
      expect(await part(page, "product").getAttribute("href")).toBe("/products/prod_lamp?from=live")
      expect(await part(page, "countdown").textContent()).toBe("Prices end in 1 h 5 min")
      await page.clock.fastForward("06:00")
      await part(page, "countdown").getByText("Prices end in 59:").waitFor()
      await page.clock.fastForward("01:00:00")
      await part(page, "name").waitFor({ state: "hidden" })
    })

    it("shows pictures, leads to products by their handle, to none that has no handle, and lets the shop decide what a click does", async () => {
      shows = [
        show({
          cover_urls: { landscape: PICTURE, portrait: null, video: null },
          products: [product({ image: PICTURE }), product({ uid: "ep_2", handle: null })],
        }),
      ]
      const page = await strip(
        'product-href="/dk/products/{handle}"',
        `window.chosen = []
         addEventListener("svc-select", (event) => {
           chosen.push([event.detail.product.external_id, event.detail.show.campaign_uid])
           event.preventDefault()
         })`,
      )
      await part(page, "name").waitFor()
      const links = await part(page, "product").evaluateAll((cards) =>
        cards.map((card) => [card.tagName, card.getAttribute("href")]),
      )
      expect(links).toEqual([
        ["A", "/dk/products/harbour-lamp"],
        ["SPAN", null],
      ])
      const sizes = await page
        .locator("svc-live-now img")
        .evaluateAll((images) => images.map((one) => (one as HTMLImageElement).naturalWidth))
      expect(sizes).toEqual([9, 9])
      // A click for a tab of its own is the browser's.
      const isTaken = await part(page, "product")
        .first()
        .evaluate((card) => {
          let taken = false
          const look = (click: Event) => {
            taken = click.defaultPrevented
            click.preventDefault()
          }
          addEventListener("click", look, { once: true })
          const held = { ctrlKey: true, bubbles: true, composed: true, cancelable: true }
          card.dispatchEvent(new MouseEvent("click", held))
          return taken
        })
      expect([isTaken, await page.evaluate("chosen")]).toEqual([false, []])
      await part(page, "product").first().click()
      expect(await page.evaluate("chosen")).toEqual([["prod_lamp", "campaign_1"]])
      expect(new URL(page.url()).pathname).toBe("/")
    })

    it("shows its pictures under the policy that the guide names", async () => {
      const guide = readFileSync(resolve(ROOT, "docs/storefront.md"), "utf8")
      const [said = ""] = /Under a Content-Security-Policy[\s\S]*?\n\n/.exec(guide) ?? []
      const named = [...said.matchAll(/`([a-z]+-src)`/g)].map(([, name]) => name)
      expect(named).toContain("connect-src")
      policy = ["default-src", ...named]
        .map((name) => `${name} ${name === "default-src" ? "" : "'self' 'unsafe-inline' data:"}`)
        .join(";")
      shows = [show({ products: [product({ image: PICTURE })] })]
      const page = await strip()
      await eventually(
        () => part(page, "image").evaluate((one) => (one as HTMLImageElement).naturalWidth),
        (width) => width === 9,
        20_000,
      )
      // A film that the policy keeps out is an error of the page, whatever is at its address.
      shows = [show({ status: "vod", video_url: "/show.mp4" })]
      const again = await strip("replay")
      const blocked = again.evaluate(
        () =>
          new Promise((done) => {
            addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective))
            setTimeout(done, 2_000, "nothing")
          }),
      )
      await part(again, "video").evaluate((video) => (video as HTMLVideoElement).load())
      expect(await blocked).toBe("nothing")
    })

    it("offers the last show to be watched again, where the shop wants that and no show is near", async () => {
      const over = show({ status: "vod", name: "Last week", video_url: "/show.mp4" })
      shows = [over]
      const page = await strip("replay")
      await part(page, "badge").getByText("Watch again").waitFor()
      const video = part(page, "video")
      expect(await video.getAttribute("src")).toBe("/show.mp4")
      expect(await video.getAttribute("preload")).toBe("none")
      expect(await part(page, "price").count()).toBe(1)
      shows = [show({ status: "planned", starts_at: "2026-03-03T20:40:00Z" })]
      await page.clock.fastForward("01:10")
      await part(page, "badge").getByText("Coming up").waitFor()
      expect(await video.count()).toBe(0)
    })

    describe("whose film is being watched", () => {
      const watching = async () => {
        shows = [show({ status: "vod", name: "Last week", video_url: "/show.mp4" })]
        const page = await strip("replay")
        await part(page, "video").evaluate((video) => {
          Object.defineProperty(video, "paused", { value: false })
        })
        return page
      }
      const askedAgain = async (page: Page) => {
        const before = asked
        await page.clock.fastForward("01:10")
        await eventually(
          async () => asked,
          (times) => times > before,
        )
      }

      it("stops it where the show is gone: nobody could", async () => {
        const page = await watching()
        shows = []
        await askedAgain(page)
        await part(page, "video").waitFor({ state: "detached" })
      })

      it("says nothing of another show beside it", async () => {
        const page = await watching()
        shows = [show({ id: "svcle_2", status: "planned", starts_at: "2026-03-03T20:40:00Z" })]
        await askedAgain(page)
        await page.clock.runFor(5_000)
        expect(await part(page, "badge").textContent()).toBe("Watch again")
        expect(await part(page, "countdown").textContent()).toBe("")
        expect(await page.locator("svc-live-now").getAttribute("state")).toBe("replay")
      })
    })

    it("announces the next show, and no prices of it", async () => {
      shows = [
        show({
          id: "svcle_3",
          name: "Later",
          status: "planned",
          starts_at: "2026-03-09T18:00:00Z",
        }),
        show({ id: "svcle_2", name: "Next", status: "planned", starts_at: "2026-03-03T20:40:00Z" }),
        show({ id: "svcle_0", name: "Over", status: "planned", starts_at: "2026-02-01T18:00:00Z" }),
      ]
      const page = await strip()
      await part(page, "name").getByText("Next").waitFor()
      expect(await part(page, "countdown").textContent()).toBe("Starts in 2 d 2 h")
      expect(await part(page, "product").count()).toBe(0)
    })

    it("stays with a show that begins late, and sees within seconds that it has", async () => {
      const late = { name: "Any moment", starts_at: "2026-03-01T18:11:00Z" }
      shows = [show({ ...late, status: "planned" })]
      const page = await strip()
      await part(page, "name").getByText("Any moment").waitFor()
      await page.clock.fastForward("01:10")
      await isQuiet(page)
      expect(await part(page, "badge").textContent()).toBe("Coming up")
      expect(await part(page, "badge").isVisible()).toBe(true)
      expect(await part(page, "countdown").textContent()).toBe("")
      shows = [show(late)]
      await page.clock.fastForward("00:12")
      await part(page, "badge").getByText("Live now").waitFor()
      // An hour later nobody waits for it any more.
      shows = [show({ ...late, status: "planned" })]
      await page.clock.fastForward("00:12")
      await part(page, "badge").getByText("Coming up").waitFor()
      await page.clock.fastForward("01:00:00")
      await part(page, "name").waitFor({ state: "hidden" })
    })

    it("asks again, shows what changed, and keeps what it has while the store is down", async () => {
      shows = [show()]
      const page = await strip()
      await part(page, "price").getByText("799").waitFor()
      shows = null
      await page.clock.fastForward("00:11")
      await eventually(
        async () => asked,
        (times) => times >= 2,
      )
      expect(await part(page, "price").isVisible()).toBe(true)
      shows = [show({ products: [product({ price: 699 })] })]
      await page.clock.fastForward("00:11")
      await part(page, "price").getByText("699").waitFor()
      shows = []
      await page.clock.fastForward("00:11")
      await part(page, "name").waitFor({ state: "hidden" })
    })

    it("leaves out what cannot be bought and what has no price, and shows no more than asked for", async () => {
      shows = [
        show({
          products: [
            product({ name: "Sold out", available: false }),
            product({ name: "No price", price: null }),
            product({ name: "<b>One</b>" }),
            product({ name: "Two", suggested_retail_price: 799 }),
            product({ name: "Three" }),
          ],
        }),
      ]
      const page = await strip('max-products="2"')
      await part(page, "name").waitFor()
      const words = await part(page, "product").allTextContents()
      expect(words.map((text) => text.replace(/\s*DKK.*/, ""))).toEqual(["<b>One</b>", "Two"])
      expect(await part(page, "before").count()).toBe(1)
    })

    it("speaks the shop's language, also where that was said before its own script came, and wears its colours", async () => {
      shows = [show()]
      const page = await open(
        `import "svc-storefront/live-now"
         document.querySelector("svc-live-now").setAttribute("base-url", location.origin)`,
        `<svc-live-now publishable-key="pk_1" lang="da" style="--svc-live-accent: rgb(1, 2, 3)"></svc-live-now>
         <script>document.querySelector("svc-live-now").labels = { live: "Live nu" }</script>`,
      )
      await part(page, "badge").getByText("Live nu").waitFor()
      expect(await part(page, "price").textContent()).toMatch(/799,00\s?kr\./)
      const colour = await part(page, "badge").evaluate((badge) => getComputedStyle(badge).color)
      expect(colour).toBe("rgb(1, 2, 3)")
      await page.evaluate(() => {
        const strip = document.querySelector("svc-live-now")
        Object.assign(strip ?? {}, { labels: { live: "På skærmen" } })
      })
      await part(page, "badge").getByText("På skærmen").waitFor()
    })

    it("writes prices where the page calls its language en_US, or no language", async () => {
      shows = [show()]
      const page = await open(
        `import "svc-storefront/live-now"
         for (const one of document.querySelectorAll("svc-live-now")) one.setAttribute("base-url", location.origin)`,
        `<svc-live-now publishable-key="pk_1" lang="en_US"></svc-live-now>
         <svc-live-now publishable-key="pk_1" lang="no language"></svc-live-now>`,
      )
      for (const at of [0, 1]) await part(page, "price").getByText("799").nth(at).waitFor()
    })

    it("asks once for all that its tag says, shows the show of the player's page alone, and asks nothing any more when it is taken from the page", async () => {
      // Another market of the sales channel is on air, too.
      shows = [show(), show({ id: "svcle_2", page_uid: "page_se", name: "Kväll vid ugnen" })]
      const page = await open(
        `const { fetch } = window
         let calls = 0
         window.fetch = (...call) => {
           document.body.dataset.calls = String(++calls)
           return fetch(...call)
         }
         void import("svc-storefront/live-now")`,
        `<svc-live-now base-url="" publishable-key="pk_1" page-uid="page_se" replay></svc-live-now>
         <script>document.querySelector("svc-live-now").setAttribute("base-url", location.origin)</script>`,
      )
      await part(page, "name").getByText("Kväll vid ugnen").waitFor()
      expect(await page.locator("body").getAttribute("data-calls")).toBe("1")
      await page.evaluate(() => document.querySelector("svc-live-now")?.remove())
      // What it asked for just before may still be on its way.
      await isQuiet(page)
      const before = asked
      await page.clock.runFor(60_000)
      expect(asked).toBe(before)
    })
  })

  describe("useSvcPlayer", () => {
    it("connects once in strict mode, calls the latest callbacks, and lets go with the component", async () => {
      const page = await open(
        `
        import { StrictMode, useState } from "react"
        import { createRoot } from "react-dom/client"
        import { useSvcPlayer } from "svc-storefront/react"

        window.opened = []
        function Shop() {
          const [times, setTimes] = useState(0)
          useSvcPlayer({
            baseUrl: location.origin,
            publishableKey: "pk_1",
            getCartId: () => null,
            openCart: () => opened.push(times),
          })
          return <button onClick={() => setTimes(times + 1)}>{times}</button>
        }
        function Page() {
          const [shown, setShown] = useState(true)
          return <>{shown && <Shop />}<a onClick={() => setShown(false)}>Leave</a></>
        }
        createRoot(document.getElementById("root")).render(<StrictMode><Page /></StrictMode>)
        `,
        `<div id="root"></div><script>
          // The player's side: it comes before the shop's script here.
          window.registered = {}
          const names = { OPEN_CART: "OPEN_CART", GET_CART_CONTENTS: "GET", SOME_CHECKOUT: "SOME", UPDATE_CART_CONTENTS: "UPDATE" }
          const sdk = {
            actions: names,
            actionStatuses: { SUCCESS: "SUCCESS", PARTIAL: "PARTIAL", FAILURE: "FAILURE" },
            registerAction: (name, handler) => { (registered[name] ??= []).push(handler) },
          }
          window.onSvcReady = { push: (entry) => entry(sdk) }
        </script>`,
      )
      const fire = () =>
        page.evaluate(() => {
          type Handlers = Record<string, ((payload: unknown) => Promise<{ status: string }>)[]>
          const { OPEN_CART = [] } = (window as unknown as { registered: Handlers }).registered
          return Promise.all(OPEN_CART.map((handler) => handler({})))
        })
      await page.getByRole("button", { name: "0" }).click()
      await page.getByRole("button", { name: "1" }).waitFor()
      expect(await fire()).toEqual([expect.objectContaining({ status: "SUCCESS" })])
      expect(await page.evaluate("opened")).toEqual([1])
      await page.getByText("Leave").click()
      await page.getByRole("button").waitFor({ state: "detached" })
      expect(await fire()).toEqual([expect.objectContaining({ status: "FAILURE" })])
    })

    it("meets the player with the lines that the admin gives a React storefront", async () => {
      const values = {
        pageUid: "p",
        storeUrl: "",
        publishableKey: "pk_1",
        regionId: "reg_1",
        salesChannelId: "sc_1",
      }
      const react = playerSnippets(values).find(({ label }) => label === "React")
      const lines = react?.code.replaceAll(/https:\S+player.js/g, "/player.js") ?? ""
      const [tag = ""] = /<script.*<\/script>/.exec(lines) ?? []
      const page = await open(
        `${lines}
        import { createRoot } from "react-dom/client"
        createRoot(document.getElementById("root")).render(<LivePlayer />)`,
        `${tag}<div id="root"></div>`,
      )
      await page.waitForFunction("window.isConnected")
    })
  })
})
