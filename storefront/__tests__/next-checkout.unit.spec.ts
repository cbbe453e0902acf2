/** The Next recipe's server file as the starter runs it: on a store's socket, with cookies and pages that this test keeps. */
import { buildRecipe } from "./built-recipe"
import { startLocalStore } from "./local-store"

type Shown = { total: number; provider_id: string }
type Recipe = {
  svcCartId: (purpose: string, country: string, gone?: string) => Promise<string | null>
  svcStartPayment: (shown: Shown) => Promise<object>
  svcStartOrder: (shown: Shown) => Promise<object>
  svcPlaceOrder: (shown: Shown) => Promise<object>
  svcUpdateLineItem: (lineId: string, quantity: number) => Promise<string | null>
}

/** What Next and the starter's own files have, as much of it as the recipe calls. */
const AROUND: Record<string, string> = {
  "next/cache": "export const revalidateTag = () => undefined",
  "next/headers": `
    export const cookies = async () => ({ get: () => undefined })
    export const headers = async () => new Headers({ "accept-language": "da" })`,
  "next/navigation": "export const redirect = (to) => { throw new Error('to ' + to) }",
  "./cookies": `
    export const getAuthHeaders = async () => ({})
    export const getCacheTag = async (tag) => tag
    export const getCartId = async () => globalThis.shop.cookie
    export const removeCartId = async () => { globalThis.shop.cookie = undefined }`,
  "./cart": `
    export const getOrSetCart = async () => ({ id: (globalThis.shop.cookie ??= "cart_new") })`,
  "@lib/config": `
    const { url } = globalThis.shop
    const retrieve = async (id) => (await fetch(url + "/store/carts/" + id)).json()
    const updateLineItem = (id, line, body, query, headers) =>
      fetch(url + "/store/carts/" + id + "/line-items/" + line, { method: "POST", headers })
    export const sdk = { store: { cart: { retrieve, updateLineItem } } }`,
}

const shop: { url: string; cookie: string | undefined } = { url: "", cookie: undefined }
let store: Awaited<ReturnType<typeof startLocalStore>>
let recipe: Recipe

beforeAll(async () => {
  store = await startLocalStore()
  shop.url = store.url
  Object.assign(globalThis, { shop })
  // As in a container, which has no way to the address of the browsers.
  recipe = await buildRecipe<Recipe>("svc.ts", AROUND, {
    MEDUSA_BACKEND_URL: store.url,
    NEXT_PUBLIC_MEDUSA_BACKEND_URL: "http://127.0.0.1:1",
  })
})
afterAll(() => store.close())

const SHOWN = { total: 129, provider_id: "pp_stripe_stripe" }
const SESSIONS = "POST /store/payment-collections/pay_1/payment-sessions"
const COMPLETE = "POST /store/carts/cart_1/complete"

beforeEach(() => {
  store.reset()
  shop.cookie = "cart_1"
})

const refuses = (code: string, message: string) =>
  store.on(SESSIONS, () => ({ status: 409, body: { type: "conflict", code, message } }))

/** @param completed_at when the order was placed */
const basket = (completed_at: string | null = null, total = SHOWN.total) =>
  store.on("GET /store/carts/cart_1", () => ({
    body: { cart: { id: "cart_1", total, completed_at, payment_collection: { id: "pay_1" } } },
  }))
const ordered = () => ({
  body: { type: "order", order: { id: "order_1", shipping_address: { country_code: "DK" } } },
})
const began = () => store.seen.filter(({ path }) => path.endsWith("/payment-sessions")).length
const TO_ORDER = "to /dk/order/order_1/confirmed"

describe("a second press of the recipe's button", () => {
  it("finds the order whose answer was lost, and begins no other payment", async () => {
    basket()
    store.on(COMPLETE, (_seen, response) => {
      basket("2026-11-26T10:00:00Z")
      store.on(COMPLETE, ordered)
      response.destroy()
    })
    expect(await recipe.svcPlaceOrder(SHOWN)).toEqual({ message: expect.any(String) })
    expect(shop.cookie).toBe("cart_1")
    await expect(recipe.svcStartOrder(SHOWN)).rejects.toThrow(TO_ORDER)
    expect([began(), shop.cookie]).toEqual([0, undefined])
  })

  it.each(["payment_under_way", "cart_completed"])(
    "places the order of a basket that was paid: %s",
    async (code) => {
      basket()
      refuses(code, "Paid.")
      store.on(COMPLETE, ordered)
      await expect(recipe.svcStartOrder(SHOWN)).rejects.toThrow(TO_ORDER)
      expect(shop.cookie).toBeUndefined()
    },
  )

  it("finds the order at whatever total the page has left", async () => {
    basket("2026-11-26T10:00:00Z")
    store.on(COMPLETE, ordered)
    await expect(recipe.svcPlaceOrder({ ...SHOWN, total: 0 })).rejects.toThrow(TO_ORDER)
  })

  it("is told what else the store refuses", async () => {
    basket()
    store.on(SESSIONS, () => ({
      status: 429,
      body: { code: "too_many_requests", message: "Wait." },
    }))
    expect(await recipe.svcStartOrder(SHOWN)).toEqual({ message: "Wait." })
    expect(store.seen.filter(({ path }) => path.endsWith("/complete"))).toEqual([])
  })
})

describe("the step where the shopper chooses how to pay", () => {
  // A payment on delivery may call itself made as soon as it is begun.
  it.each<[string, string, object]>([
    ["says what the store says", SHOWN.provider_id, { message: "Paid." }],
    ["goes on to the review of a payment on delivery", "pp_system_default", { session: null }],
  ])("places no order of a basket that was paid, and %s", async (_what, provider_id, answer) => {
    basket()
    refuses("payment_under_way", "Paid.")
    store.on(COMPLETE, ordered)
    expect(await recipe.svcStartPayment({ ...SHOWN, provider_id })).toEqual(answer)
    expect(store.seen.filter(({ path }) => path.endsWith("/complete"))).toEqual([])
    expect(shop.cookie).toBe("cart_1")
  })

  it("leads to the order of a basket that is ordered already", async () => {
    store.on(COMPLETE, ordered)
    basket("2026-11-26T10:00:00Z")
    await expect(recipe.svcStartPayment(SHOWN)).rejects.toThrow(TO_ORDER)
    // In another tab, since the basket was read.
    basket()
    shop.cookie = "cart_1"
    refuses("cart_completed", "Ordered.")
    await expect(recipe.svcStartPayment(SHOWN)).rejects.toThrow(TO_ORDER)
  })
})

describe("the recipe's payment", () => {
  const session = { id: "payses_1", provider_id: SHOWN.provider_id }
  const beginsFor = (amount: number) => {
    store.on(SESSIONS, () => ({
      body: { payment_collection: { id: "pay_1", amount, payment_sessions: [session] } },
    }))
    store.on("POST /store/carts/cart_1", () => ({ body: { cart: { id: "cart_1" } } }))
  }

  it("is not confirmed for another total than the page showed, and goes on once the page shows it", async () => {
    basket()
    // Another tab put a piece in after the recipe had read the basket.
    beginsFor(258)
    expect(await recipe.svcStartPayment(SHOWN)).toEqual({ changes: [] })
    basket(null, 258)
    expect(await recipe.svcStartPayment({ ...SHOWN, total: 258 })).toEqual({ session })
  })

  it("is not confirmed where the basket costs another total than the page showed, though its old amount is the shown one", async () => {
    basket(null, 258)
    beginsFor(SHOWN.total)
    store.on("POST /store/carts/cart_1", () => {
      beginsFor(258)
      return { body: { cart: { id: "cart_1" } } }
    })
    expect(await recipe.svcStartPayment(SHOWN)).toEqual({ changes: [] })
    expect(await recipe.svcStartPayment({ ...SHOWN, total: 258 })).toEqual({ session })
    // Nor where what is to be paid is right already.
    expect(await recipe.svcStartPayment(SHOWN)).toEqual({ changes: [] })
  })
})

it("asks the store to answer in the shopper's language", async () => {
  basket()
  await recipe.svcUpdateLineItem("line_1", 2)
  await recipe.svcStartPayment(SHOWN)
  await recipe.svcPlaceOrder(SHOWN)
  const asked = store.seen.filter(({ method }) => method === "POST")
  expect(asked.map(({ path, headers }) => [path, headers["accept-language"]])).toEqual([
    ["/store/carts/cart_1/line-items/line_1", "da"],
    ["/store/payment-collections/pay_1/payment-sessions", "da"],
    ["/store/carts/cart_1/complete", "da"],
  ])
})

it("keeps the basket that another tab has made since the one that is gone", async () => {
  shop.cookie = "cart_2"
  expect(await recipe.svcCartId("renew", "dk", "cart_1")).toBe("cart_2")
  expect(await recipe.svcCartId("renew", "dk", "cart_2")).toBe("cart_new")
  expect(await recipe.svcCartId("renew", "dk")).toBe("cart_new")
})
