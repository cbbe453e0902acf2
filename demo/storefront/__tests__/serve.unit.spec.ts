import { request } from "node:http"
import type { StorefrontConfig } from "../config"
import { type Storefront, startStorefront } from "../serve"

let shop: Storefront

const MARKET = {
  id: "denmark",
  label: 'Denmark <"&>',
  regionId: "reg_1",
  currency: "DKK",
  publishableKey: "pk_1",
}

const options = (port = 0) => ({
  port,
  storeUrl: "http://127.0.0.1:9000",
  sandboxUrl: "http://127.0.0.1:9400/",
  pageUid: "demo-page",
  markets: [MARKET],
})

beforeAll(async () => {
  shop = await startStorefront(options())
})

afterAll(() => shop?.close())

const get = (path: string, init?: RequestInit) => fetch(shop.url + path, init)

/** As it stands: `fetch` would tidy the path up first. */
const statusOf = (path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(shop.url)
    request({ hostname, port, path }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on("error", reject)
      .end()
  })

const unescaped = (text: string) =>
  text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&")

describe("the demo's shop", () => {
  it("lets its pages run and ask nothing but its own, the player's and the store's", async () => {
    for (const path of ["/", "/nowhere"]) {
      const policy = (await get(path)).headers.get("content-security-policy") ?? ""
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self' http://127.0.0.1:9400;")
      expect(policy).toContain("connect-src 'self' http://127.0.0.1:9000 http://127.0.0.1:9400;")
    }
  })

  it("tells its page where the store is, and includes the player", async () => {
    const html = await (await get("/")).text()
    const content = /name="shop-config" content="([^"]*)"/.exec(html)?.[1] ?? ""
    expect(JSON.parse(unescaped(content))).toEqual({
      storeUrl: "http://127.0.0.1:9000",
      markets: [MARKET],
    } satisfies StorefrontConfig)
    expect(html).toContain(
      '<script src="http://127.0.0.1:9400/player.js" data-page-uid="demo-page" async>',
    )
    expect(html).not.toContain("{{")
  })

  it.each(["/products/havn-mug", "/cart", "/checkout", "/thanks/order_1"])(
    "draws %s in the page",
    async (path) => {
      const response = await get(path)
      expect(response.status).toBe(200)
      expect(response.headers.get("content-type")).toContain("text/html")
    },
  )

  it("serves script, style and pictures in their types", async () => {
    const types = await Promise.all(
      ["/assets/app.js", "/assets/style.css", "/favicon.svg", "/pictures/havn-mug-oat.svg"].map(
        async (path) => (await get(path)).headers.get("content-type"),
      ),
    )
    expect(types).toEqual([
      "text/javascript; charset=utf-8",
      "text/css; charset=utf-8",
      "image/svg+xml",
      "image/svg+xml",
    ])
  })

  it.each([
    "/pictures/missing.svg",
    "/pictures/../serve.ts",
    "/pictures/..%2fserve.ts",
    "/pictures/%2e%2e/serve.ts",
    "/pictures/havn-mug-oat.svg%00.png",
    "/assets/../serve.ts",
    "/serve.ts",
    "/nothing",
    "//",
  ])("answers 404 for %s", async (path) => {
    expect(await statusOf(path)).toBe(404)
  })
})
