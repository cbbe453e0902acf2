import {
  acknowledge,
  completeCart,
  defaultMessages,
  describeChange,
  type PriceChange,
  readPriceChange,
  startPayment,
} from "../src/index"
import { startLocalStore } from "./local-store"

const page = globalThis as unknown as Record<string, unknown>

let store: Awaited<ReturnType<typeof startLocalStore>>
let told: [name: string, detail: unknown][]

beforeAll(async () => {
  store = await startLocalStore()
})

afterAll(async () => {
  await store.close()
})

beforeEach(() => {
  store.reset()
  told = []
  page.dispatchEvent = ({ type, detail }: CustomEvent) => told.push([type, detail])
})

const connection = () => ({ baseUrl: store.url, publishableKey: "pk_test" })

let changes = 0
/** The page hears of each change once, so every test has changes of its own. */
const change = (): PriceChange => ({
  id: `chg_${++changes}`,
  line_item_id: "cali_1",
  variant_id: "variant_m",
  title: "Rug",
  old_unit_price: 199,
  new_unit_price: 299,
  currency_code: "dkk",
  reason: "campaign_ended",
})

const HEADER = "x-svc-acknowledged-changes"
const COMPLETE = "POST /store/carts/cart_1/complete"

/** Core's own answer to a cart that could not be ordered. */
const notOrdered = (lines: PriceChange[]) => () => ({
  body: {
    type: "cart",
    cart: { id: "cart_1", total: 299 },
    error: {
      type: "conflict",
      name: "svc_price_changed",
      code: "svc_price_changed",
      message: "A price has changed.",
      lines,
    },
  },
})

describe("completeCart", () => {
  it("answers the order, and tells the page", async () => {
    const order = { id: "order_1", display_id: 7 }
    store.on(COMPLETE, () => ({ body: { type: "order", order } }))
    expect(await completeCart(connection(), "cart_1")).toEqual({ type: "order", order })
    expect(told).toEqual([["svc:ordered", { order }]])
    // Empty: the shop knows of acknowledgements, and the shopper has seen no change.
    expect(store.seen[0]?.headers[HEADER]).toBe("")
  })

  it("answers what changed when the show's price has ended, with the cart as it is now, and says what the shopper has agreed to", async () => {
    const lines = [change(), change()]
    store.on(COMPLETE, notOrdered(lines))
    expect(await completeCart(connection(), "cart_1")).toEqual({
      type: "price_changed",
      message: "A price has changed.",
      lines,
      cart: { id: "cart_1", total: 299 },
    })
    expect(told).toEqual([["svc:price_changed", { lines }]])
    store.on(COMPLETE, () => ({ body: { type: "order", order: { id: "order_1" } } }))
    await completeCart(connection(), "cart_1", { acknowledged: lines })
    expect(store.seen[1]?.headers[HEADER]).toBe(lines.map(({ id }) => id).join(","))
  })

  it("hands on why else there is no order, such as a payment that needs another step", async () => {
    const answer = {
      type: "cart",
      cart: { id: "cart_1" },
      error: { type: "payment_requires_more_error", name: "Error", message: "3D Secure" },
    }
    store.on(COMPLETE, () => ({ body: answer }))
    expect(await completeCart(connection(), "cart_1")).toEqual(answer)
    expect(told).toEqual([])
  })

  it.each([
    [409, { code: "conflict", message: "Cart is already being completed" }, "rejected"],
    [400, { code: "svc_price_changed" }, "rejected"],
    [502, {}, "broken"],
  ] as const)("throws for %i %j", async (status, body, kind) => {
    store.on(COMPLETE, () => ({ status, body }))
    await expect(completeCart(connection(), "cart_1")).rejects.toMatchObject({
      name: "StoreError",
      kind,
      status,
      ...(kind === "broken" && { message: defaultMessages.broken }),
    })
  })

  it("says in a sentence for a shopper that there was no answer, with what was behind it", async () => {
    store.on(COMPLETE, (_seen, response) => void response.destroy())
    const error = await completeCart(connection(), "cart_1").catch((thrown) => thrown)
    expect(error).toMatchObject({ kind: "offline", message: defaultMessages.offline })
    expect(String(error.cause)).toContain("fetch failed")
    store.on(COMPLETE, () => undefined)
    await expect(completeCart({ ...connection(), timeoutMs: 50 }, "cart_1")).rejects.toMatchObject({
      kind: "timeout",
      message: defaultMessages.timeout,
    })
  })

  it("never sends an id that climbs out of its path", async () => {
    await expect(completeCart(connection(), "..")).rejects.toMatchObject({ kind: "gone" })
    expect(store.seen).toEqual([])
  })
})

describe("startPayment", () => {
  const SESSIONS = "POST /store/payment-collections/pay_1/payment-sessions"
  const collection = { id: "pay_1", payment_sessions: [{ id: "payses_1" }] }
  const session = { provider_id: "pp_stripe_stripe", data: { return_url: "https://shop.example" } }

  beforeEach(() => {
    store.on("POST /store/payment-collections", () => ({
      body: { payment_collection: { id: "pay_1" } },
    }))
    store.on(SESSIONS, () => ({ body: { payment_collection: collection } }))
  })

  it("makes a session in the cart's payment collection, and that where there is none", async () => {
    const answer = { type: "payment", collection }
    expect(await startPayment(connection(), { id: "cart_1" }, session)).toEqual(answer)
    const cart = { id: "cart_1", payment_collection: collection }
    expect(await startPayment(connection(), cart, session)).toEqual(answer)
    expect(store.seen.map(({ path, body }) => [path, body])).toEqual([
      ["/store/payment-collections", { cart_id: "cart_1" }],
      ["/store/payment-collections/pay_1/payment-sessions", session],
      ["/store/payment-collections/pay_1/payment-sessions", session],
    ])
  })

  it("answers what changed where the store refuses to begin at a dead price, then what was agreed", async () => {
    const lines = [change()]
    store.on(SESSIONS, () => ({
      status: 409,
      body: { type: "conflict", code: "svc_price_changed", message: "A price has changed.", lines },
    }))
    expect(await startPayment(connection(), { id: "cart_1" }, session)).toEqual({
      type: "price_changed",
      message: "A price has changed.",
      lines,
    })
    expect(told).toEqual([["svc:price_changed", { lines }]])
    store.on(SESSIONS, () => ({ body: { payment_collection: collection } }))
    await startPayment(connection(), { id: "cart_1" }, session, { acknowledged: lines })
    expect(store.seen.at(-1)?.headers[HEADER]).toBe(lines[0]?.id)
  })

  it("answers that the total is another one where it began for more or less than the page shows, and has the store compute it anew", async () => {
    const cart = { id: "cart_1", payment_collection: collection }
    const began = (amount?: number) =>
      store.on(SESSIONS, () => ({ body: { payment_collection: { ...collection, amount } } }))
    store.on("POST /store/carts/cart_1", () => ({ body: { cart: { id: "cart_1" } } }))
    for (const amount of [116.1, 0]) {
      began(amount)
      expect(await startPayment(connection(), cart, session, { total: 103.2 })).toEqual({
        type: "price_changed",
        message: expect.any(String),
        lines: [],
      })
      expect(store.seen.at(-1)).toMatchObject({ path: "/store/carts/cart_1", body: {} })
    }
    store.seen.length = 0
    began(103.2)
    // Sums of prices with tax have more digits than money.
    for (const total of [103.2, 103.200_000_01, undefined]) {
      expect(await startPayment(connection(), cart, session, { total })).toMatchObject({
        type: "payment",
        collection: { amount: 103.2 },
      })
    }
    // Where the store leaves the amount out of its answer, none is asked for.
    began()
    expect(await startPayment(connection(), cart, session, { total: 103.2 })).toEqual({
      type: "payment",
      collection,
    })
    expect(store.seen.map(({ path }) => path)).not.toContain("/store/carts/cart_1")
  })

  it.each([
    [409, { code: "conflict" }],
    [404, {}],
  ])("throws for %i %j", async (status, body) => {
    store.on(SESSIONS, () => ({ status, body }))
    await expect(startPayment(connection(), { id: "cart_1" }, session)).rejects.toMatchObject({
      name: "StoreError",
      status,
    })
  })
})

describe("a shop that makes the requests itself", () => {
  const lines = [change()]

  it("reads a change from the answer to completion and from the refusal of a payment", () => {
    const read = { message: "A price has changed.", lines }
    expect(readPriceChange(notOrdered(lines)().body)).toEqual(read)
    expect(readPriceChange({ code: "svc_price_changed", ...read })).toEqual(read)
  })

  it.each([
    [undefined],
    [null],
    ["svc_price_changed"],
    [{ type: "order", order: { id: "order_1" } }],
    [{ type: "cart", cart: {}, error: { type: "payment_authorization_error", message: "No." } }],
    [{ code: "cart_busy", message: "Busy." }],
  ])("reads none from %j", (answer) => {
    expect(readPriceChange(answer)).toBeNull()
  })

  it("survives an answer without lines or a sentence", () => {
    expect(readPriceChange({ error: { code: "svc_price_changed", lines: "all" } })).toEqual({
      message: "A price has changed.",
      lines: [],
    })
  })

  it("acknowledges changes by a header, and says so too where there is nothing to acknowledge", () => {
    const [one] = lines
    expect(acknowledge(lines)).toEqual({ [HEADER]: one?.id })
    expect(acknowledge([])).toEqual({ [HEADER]: "" })
    expect(acknowledge()).toEqual({ [HEADER]: "" })
  })
})

describe("what a shopper is told of a change", () => {
  const change: PriceChange = {
    line_item_id: "line_1",
    variant_id: "variant_1",
    title: "Havn mug",
    old_unit_price: 129,
    new_unit_price: 199,
    currency_code: "dkk",
    reason: "campaign_ended",
    message: "This show's prices have ended.",
  }
  const told = (changes: Partial<PriceChange>) =>
    describeChange({ ...change, ...changes }, "en").replaceAll("\u00a0", " ")

  it("has its reason, and both prices where there are two", () => {
    expect(told({})).toBe("Havn mug: This show's prices have ended. DKK 129.00 → DKK 199.00")
    expect(told({ old_currency_code: "eur" })).toContain("€129.00 → DKK 199.00")
    expect(told({ new_unit_price: null, message: "This product is sold out." })).toBe(
      "Havn mug: This product is sold out.",
    )
    expect(told({ new_unit_price: 129, message: "At most 3 per customer." })).toBe(
      "Havn mug: At most 3 per customer.",
    )
    // A change that only the page itself noticed has no reason.
    expect(told({ message: undefined })).toBe("Havn mug: DKK 129.00 → DKK 199.00")
  })
})

describe("on a server", () => {
  it("places an order without a page to tell", async () => {
    delete page.dispatchEvent
    store.on(COMPLETE, () => ({ body: { type: "order", order: { id: "order_1" } } }))
    expect(await completeCart(connection(), "cart_1")).toMatchObject({ type: "order" })
  })
})
