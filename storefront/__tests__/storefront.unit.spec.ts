import {
  connectPlayer,
  defaultMessages,
  liveEvents,
  openPlayer,
  type PlayerConnection,
  type PlayerOptions,
  rememberCart,
  setConsent,
} from "../src/index"
import { FakePlayer } from "./fake-player"
import { startLocalStore } from "./local-store"

const page = globalThis as unknown as Record<string, unknown>

/** What a browser has and Node has not. */
const storage = () => {
  const values = new Map<string, string>()
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  }
}

let store: Awaited<ReturnType<typeof startLocalStore>>
let player: FakePlayer
let connections: PlayerConnection[]
let went: string[]
let reported: unknown[]
let told: [name: string, detail: unknown][]

beforeAll(async () => {
  store = await startLocalStore()
})

afterAll(async () => {
  await store.close()
})

/** Whatever was put off has been done. */
const aTask = () => new Promise((done) => setTimeout(done))

beforeEach(() => {
  store.reset()
  player = new FakePlayer()
  connections = []
  went = []
  reported = []
  page.window = globalThis
  page.location = {
    href: "https://shop.example/products/rug",
    origin: "https://shop.example",
    assign: (url: string) => went.push(url),
  }
  page.reportError = (error: unknown) => reported.push(error)
  told = []
  page.dispatchEvent = ({ type, detail }: CustomEvent) => told.push([type, detail])
  delete page.onSvcReady
})

afterEach(() => {
  for (const connection of connections) {
    connection.disconnect()
  }
})

const connection = () => ({ baseUrl: `${store.url}/`, publishableKey: "pk_test" })

const connect = (options: Partial<PlayerOptions> = {}) => {
  const made = connectPlayer({ ...connection(), getCartId: () => "cart_1", ...options })
  connections.push(made)
  return made
}

/** A shop that is connected, and the player on its page. */
const ready = (options?: Partial<PlayerOptions>) => {
  connect(options)
  player.load()
}

const SOURCE = { campaignUid: "camp-1", pageUid: "demo-page", orderNo: "SO-1" }
const RUG = { product_id: "prod_rug", variant_id: "variant_m", sku: "RUG-M", quantity: 2 }
const SOME = "POST /store/carts/cart_1/svc/some-checkout"
const UPDATE = "POST /store/carts/cart_1/svc/update-cart-contents"
const CONTENTS = "GET /store/carts/cart_1/svc/cart-contents?campaign_uid="
const checkout = (more: object = {}) =>
  player.fire("SOME_CHECKOUT", { ...SOURCE, products: [RUG], ...more })
const update = (...products: object[]) =>
  player.fire("UPDATE_CART_CONTENTS", { ...SOURCE, products })
const ok =
  (cart: object = { id: "cart_1" }) =>
  () => ({
    body: { status: "SUCCESS", failed_products: [], cart },
  })

describe("meeting the player", () => {
  it("registers the four actions when the shop's script comes first, and keeps what others put in the queue", () => {
    const others: unknown[] = []
    page.onSvcReady = [(sdk: unknown) => others.push(sdk)]
    ready()
    expect(others).toEqual([player.sdk])
    expect(player.registered).toEqual(["a:some-checkout", "a:update", "a:get", "a:open"])
  })

  it("registers once however often a page connects, and the latest connection answers", async () => {
    store.on(SOME, ok())
    store.on("POST /store/carts/cart_2/svc/some-checkout", ok({ id: "cart_2" }))
    connect()
    ready({ getCartId: () => "cart_2" })
    connect({ getCartId: () => "cart_2" })
    await checkout()
    expect(player.registered).toHaveLength(4)
    expect(store.seen.map(({ path }) => path)).toEqual(["/store/carts/cart_2/svc/some-checkout"])
  })

  it("keeps the new connection when an old one is closed late", async () => {
    store.on(SOME, ok())
    const old = connect()
    connect()
    old.disconnect()
    player.load()
    expect(await checkout()).toEqual({
      status: "s:ok",
    })
  })

  it("does nothing where there is no browser", () => {
    delete page.window
    connect().disconnect()
    expect(page.onSvcReady).toBeUndefined()
  })
})

describe("a button of the shop that opens the player", () => {
  it("opens it at the product", () => {
    player.canOpen().load()
    expect(openPlayer({ product_id: "prod_rug", variant_id: "variant_m" })).toBe(true)
    expect(openPlayer()).toBe(true)
    expect(player.opened).toEqual([{ product_id: "prod_rug", variant_id: "variant_m" }, undefined])
  })

  it("says so where the player cannot be opened, and opens none that comes later, when the shopper is elsewhere", () => {
    player.load()
    expect(openPlayer()).toBe(false)
    delete page.onSvcReady
    expect(openPlayer()).toBe(false)
    player.canOpen().load()
    expect(player.opened).toEqual([])
  })
})

describe("SOME_CHECKOUT", () => {
  it("sends ids and quantities to the store, with the publishable key, and never a price", async () => {
    store.on(SOME, ok())
    ready()
    await player.fire("SOME_CHECKOUT", {
      ...SOURCE,
      products: [{ ...RUG, price: 1, unit_price: 1, custom_attributes: { price: 1 } }],
      clear_cart: true,
    })
    expect(store.seen).toHaveLength(1)
    expect(store.seen[0]?.body).toEqual({
      campaign_uid: "camp-1",
      page_uid: "demo-page",
      order_no: "SO-1",
      products: [RUG],
      clear_cart: true,
    })
    expect(store.seen[0]?.headers).toMatchObject({
      "x-publishable-api-key": "pk_test",
      "content-type": "application/json",
    })
    expect(store.seen[0]?.headers.authorization).toBeUndefined()
  })

  it("asks to clear the basket only where the link says so, and signs in where the shop has a customer's token", async () => {
    store.on(SOME, ok())
    ready({ getAuthToken: async () => "customer-token" })
    await checkout({ clear_cart: "no" })
    expect(store.seen[0]?.body).not.toHaveProperty("clear_cart")
    expect(store.seen[0]?.headers.authorization).toBe("Bearer customer-token")
  })

  it("clears the basket and redirects where the link says so in the interface's spelling", async () => {
    store.on(SOME, ok())
    ready()
    await checkout({ clearCart: true, redirectUrl: "/cart" })
    await aTask()
    expect(store.seen[0]?.body).toMatchObject({ clear_cart: true })
    expect(went).toEqual(["https://shop.example/cart"])
  })

  it.each<[string, PlayerOptions["language"]]>([
    ["as it is", "da-DK"],
    ["where it is asked for", async () => "da-DK"],
  ])("asks the store to speak the shop's language, %s", async (_how, language) => {
    store.on(SOME, ok())
    ready({ language })
    await checkout()
    expect(store.seen[0]?.headers["accept-language"]).toBe("da-DK")
  })

  it("takes numbers as ids, a missing quantity as one, and a sku alone", async () => {
    store.on(SOME, ok())
    ready()
    await player.fire("SOME_CHECKOUT", {
      ...SOURCE,
      products: [
        { product_id: 7 },
        { sku: "MUG", quantity: "3" },
        { productId: "p", variantId: "v" },
        { productId: "ep_1", externalId: "prod_1" },
      ],
    })
    expect(store.seen[0]?.body).toMatchObject({
      products: [
        { product_id: "7", quantity: 1 },
        { product_id: "MUG", sku: "MUG", quantity: 3 },
        { product_id: "p", variant_id: "v", quantity: 1 },
        // The other one may be the service's own (interface §2.7).
        { product_id: "prod_1", quantity: 1 },
      ],
    })
  })

  it("takes the ids that the service may give, and of more products than one request takes the first 50", async () => {
    store.on(SOME, ok())
    ready()
    const products = Array.from({ length: 51 }, (_, n) => ({
      product_id: `mug ${n}/å`,
      quantity: 1,
    }))
    const answer = await player.fire("SOME_CHECKOUT", { ...SOURCE, products })
    expect(store.seen[0]?.body).toMatchObject({ products: products.slice(0, 50) })
    expect(answer.failedProducts).toMatchObject([{ product: products[50] }])
  })

  it("tells the player which of its products failed, by the player's own object", async () => {
    store.on(SOME, () => ({
      body: {
        status: "PARTIAL",
        message: "Some products could not be added.",
        failed_products: [
          {
            product: { product_id: "prod_rug", variant_id: "variant_m", sku: "RUG-M", quantity: 2 },
            code: "insufficient_inventory",
            message: "Only 1 left.",
          },
        ],
        cart: { id: "cart_1" },
      },
    }))
    ready()
    const other = { product_id: "prod_rug", variant_id: "variant_l", quantity: 1 }
    const answer = await player.fire("SOME_CHECKOUT", { ...SOURCE, products: [other, RUG] })
    expect(answer).toEqual({
      status: "s:part",
      message: "Some products could not be added.",
      failedProducts: [
        { product: RUG, errorMessage: "Only 1 left.", code: "insufficient_inventory" },
      ],
    })
    expect(answer.failedProducts?.[0]?.product).toBe(RUG)
  })

  it("lets the others in beside products without an id or a number of pieces that can be sold", async () => {
    const broken = [
      { quantity: 1 },
      ...[0.5, 0, -1, 10_000, "many", ""].map((quantity) => ({ product_id: "p", quantity })),
      null,
    ]
    store.on(SOME, ok())
    ready()
    expect(await player.fire("SOME_CHECKOUT", { ...SOURCE, products: [...broken, RUG] })).toEqual({
      status: "s:part",
      failedProducts: broken.map((product) => ({
        product,
        errorMessage: defaultMessages.rejected,
      })),
    })
    expect(store.seen[0]?.body).toMatchObject({ products: [RUG] })
  })

  it.each([[undefined], [{}], [{ ...SOURCE, products: "all" }], [{ ...SOURCE, products: [] }]])(
    "answers a payload without products (%j) and asks the store for nothing",
    async (payload) => {
      ready()
      expect(await player.fire("SOME_CHECKOUT", payload)).toMatchObject({ status: "s:no" })
      expect(store.seen).toEqual([])
    },
  )

  it("drives the overlay from plan to the end, and works with a player that has none, or a broken one", async () => {
    store.on(SOME, ok())
    ready()
    await checkout()
    expect(player.progress).toEqual(["plan 2", "step 1", "100%"])
    const plan = () => {
      throw new Error("no overlay")
    }
    for (const progress of [undefined, { plan, set: () => undefined }]) {
      player.sdk.progress = progress
      expect(await checkout()).toMatchObject({ status: "s:ok" })
    }
  })

  it.each([
    ["/cart", ["https://shop.example/cart"]],
    ["checkout?step=1", ["https://shop.example/products/checkout?step=1"]],
    ["https://shop.example/thanks", ["https://shop.example/thanks"]],
    ["https://evil.example/cart", []],
    ["//evil.example/cart", []],
    ["http://shop.example/cart", []],
    ["https://shop.example:444/cart", []],
    ["https://shop.example@evil.example/", []],
    ["javascript:alert(1)", []],
    ["data:text/html,hello", []],
    ["https://", []],
  ])(
    "follows a redirect within the shop, and none that leads elsewhere: %s",
    async (redirect_url, targets) => {
      store.on(SOME, ok())
      ready()
      expect(await checkout({ redirect_url })).toMatchObject({ status: "s:ok" })
      await aTask()
      expect(went).toEqual(targets)
    },
  )

  it("does not redirect when nothing went into the basket", async () => {
    store.on(SOME, () => ({
      body: { status: "FAILURE", message: "Sold out.", failed_products: [] },
    }))
    ready()
    await checkout({ redirect_url: "/cart" })
    await aTask()
    expect(went).toEqual([])
  })

  it("uses the shop's own router where it gives one", async () => {
    store.on(SOME, ok())
    const routed: string[] = []
    ready({ redirect: (url) => routed.push(url) })
    await checkout({ redirect_url: "/cart" })
    // Not before the player has its answer, upon which it takes the link out of the address.
    expect(routed).toEqual([])
    await aTask()
    expect(routed).toEqual(["https://shop.example/cart"])
    expect(went).toEqual([])
  })

  it("keeps the shop's own mistakes out of the player and in the console", async () => {
    store.on(SOME, ok())
    const mistake = new Error("in the shop's code")
    ready({
      onCartChanged: () => {
        throw mistake
      },
    })
    expect(await checkout()).toEqual({
      status: "s:ok",
    })
    expect(reported).toEqual([mistake])
  })
})

describe("UPDATE_CART_CONTENTS", () => {
  it("sends add, change and remove however the player spells them, leaves what has no action to the store, and puts in nothing for a word that it does not know", async () => {
    store.on(UPDATE, ok())
    ready()
    const steal = { action: "steal", product_id: "e", quantity: 2 }
    // A field that is being edited is empty, and takes nothing out.
    const emptied = ["", " ", false, []].map((quantity) => ({ product_id: "h", quantity }))
    const answer = await player.fire("UPDATE_CART_CONTENTS", {
      ...SOURCE,
      // An id may be a number.
      orderNo: 1001,
      products: [
        { action: "add", product_id: "a", quantity: 1 },
        { action: "change", product_id: "b", quantity: 4 },
        { action: "REMOVE", product_id: "c", quantity: 1 },
        { product_id: "d", quantity: 0 },
        steal,
        ...emptied,
        // To how many it does not say: the store knows how many are there.
        { action: "change", product_id: "f" },
        { product_id: "g" },
      ],
    })
    expect(store.seen[0]?.body).toEqual({
      campaign_uid: "camp-1",
      page_uid: "demo-page",
      order_no: "1001",
      products: [
        { action: "add", product_id: "a", quantity: 1 },
        { action: "change", product_id: "b", quantity: 4 },
        { action: "remove", product_id: "c", quantity: 1 },
        { product_id: "d", quantity: 0 },
        { action: "change", product_id: "f" },
        { product_id: "g" },
      ],
    })
    expect(answer).toMatchObject({
      failedProducts: [steal, ...emptied].map((product) => ({
        product,
        errorMessage: defaultMessages.rejected,
      })),
    })
  })

  it("shows the store's reason when the store refuses all", async () => {
    store.on(UPDATE, () => ({
      body: {
        status: "FAILURE",
        message: "The show has ended.",
        failed_products: [{ product: RUG, code: "price_unavailable", message: "" }],
      },
    }))
    ready()
    expect(await update(RUG)).toEqual({
      status: "s:no",
      message: "The show has ended.",
      failedProducts: [
        { product: RUG, errorMessage: defaultMessages.rejected, code: "price_unavailable" },
      ],
    })
  })
})

describe("GET_CART_CONTENTS", () => {
  const contents = {
    products: [{ product_id: "prod_rug", name: "Rug" }],
    total: 398,
    currency: "DKK",
  }

  // gap 42
  it("passes the basket on as the store shows it", async () => {
    store.on(CONTENTS, () => ({ body: { status: "SUCCESS", ...contents } }))
    ready()
    expect(await player.fire("GET_CART_CONTENTS")).toEqual({ status: "s:ok", ...contents })
  })

  it("asks which lines are the player's own show's", async () => {
    store.on(`${CONTENTS}camp%2B1`, () => ({ body: contents }))
    ready()
    expect(await player.fire("GET_CART_CONTENTS", { campaignUid: "camp+1" })).toMatchObject(
      contents,
    )
  })

  it("shows an empty basket where there is none, and makes none by looking", async () => {
    const asked: string[] = []
    ready({
      currency: "DKK",
      getCartId: (purpose) => {
        asked.push(purpose)
        return null
      },
    })
    expect(await player.fire("GET_CART_CONTENTS")).toEqual({
      status: "s:ok",
      products: [],
      total: 0,
      currency: "DKK",
    })
    expect(asked).toEqual(["read"])
    expect(store.seen).toEqual([])
  })

  it.each([
    ["a gateway that does not know the path", { message: "no Route matched with those values" }],
    ["a store without this plugin", undefined],
  ])("keeps the basket where a 404 says nothing of it: %s", async (_who, body) => {
    const purposes: string[] = []
    const getCartId = (purpose: string) => {
      purposes.push(purpose)
      return "cart_1"
    }
    store.on("POST /store/carts/cart_1/svc/update-cart-contents", () => ({ status: 404, body }))
    ready({ getCartId })
    const answer = await update(RUG)
    expect(answer).toMatchObject({ message: defaultMessages.rejected })
    expect(purposes).toEqual(["write"])
  })

  it("shows an empty basket where the old one is gone", async () => {
    ready()
    expect(await player.fire("GET_CART_CONTENTS")).toMatchObject({ status: "s:ok", products: [] })
  })
})

// gap 43
describe("OPEN_CART", () => {
  it("opens the shop's drawer with the order number, and waits for nobody to close it", async () => {
    const opened: unknown[] = []
    const openCart = (payload: unknown) => {
      opened.push(payload)
      return new Promise(() => undefined)
    }
    ready({ openCart, cartUrl: "/cart" })
    expect(await player.fire("OPEN_CART", { orderNo: "SO-1" })).toEqual({ status: "s:ok" })
    expect(opened).toEqual([{ orderNo: "SO-1" }])
    expect(went).toEqual([])
    expect(await player.fire("GET_CART_CONTENTS")).toMatchObject({ status: "s:ok" })
  })

  it("goes to the basket page where there is no drawer", async () => {
    ready({ cartUrl: "/cart" })
    expect(await player.fire("OPEN_CART")).toEqual({ status: "s:ok" })
    expect(went).toEqual(["https://shop.example/cart"])
  })

  it("says so where the shop gave neither", async () => {
    ready()
    expect(await player.fire("OPEN_CART")).toEqual({
      status: "s:no",
      message: defaultMessages.no_cart_page,
    })
  })

  it("answers where the shop's drawer throws, and tells the console, also when it fails later", async () => {
    const mistake = new Error("in the shop's code")
    const throws = (): unknown => {
      throw mistake
    }
    let openCart = throws
    ready({ openCart: () => openCart() })
    expect(await player.fire("OPEN_CART")).toMatchObject({ status: "s:no" })
    openCart = () => Promise.reject(mistake)
    expect(await player.fire("OPEN_CART")).toEqual({ status: "s:ok" })
    expect(reported).toEqual([mistake, mistake])
  })
})

describe("one at a time", () => {
  it("starts an action only when the one before has its answer", async () => {
    const events: string[] = []
    store.on(UPDATE, async ({ body }) => {
      const { products } = body as { products: { product_id: string }[] }
      const name = products[0]?.product_id
      events.push(`${name} starts`)
      await new Promise((tick) => setTimeout(tick, name === "slow" ? 60 : 0))
      events.push(`${name} ends`)
      return ok()()
    })
    store.on(CONTENTS, () => {
      events.push("read")
      return { body: { products: [], total: 0, currency: "DKK" } }
    })
    ready({ openCart: () => events.push("open") })
    await Promise.all([
      update({ product_id: "slow", quantity: 1 }),
      update({ product_id: "quick", quantity: 1 }),
      player.fire("GET_CART_CONTENTS"),
      player.fire("OPEN_CART"),
    ])
    expect(events).toEqual([
      "slow starts",
      "slow ends",
      "quick starts",
      "quick ends",
      "read",
      "open",
    ])
  })

  it("goes on after an action that failed", async () => {
    store.on(SOME, () => ({ status: 500, body: {} }))
    store.on(CONTENTS, () => ({ body: { products: [], total: 0, currency: "DKK" } }))
    ready()
    const [failed, shown] = await Promise.all([checkout(), player.fire("GET_CART_CONTENTS")])
    expect([failed.status, shown.status]).toEqual(["s:no", "s:ok"])
  })
})

describe("a store in trouble", () => {
  const failure = (message: string) => ({ status: "s:no", message })

  it.each<[number, { code?: string; message?: string }, string]>([
    [400, {}, defaultMessages.rejected],
    [401, {}, defaultMessages.rejected],
    [429, {}, defaultMessages.busy],
    [500, {}, defaultMessages.broken],
    [503, { message: "pool exhausted at 10.0.0.3" }, defaultMessages.broken],
    // A refusal without a code is written for developers.
    [400, { message: "A publishable API key is required." }, defaultMessages.rejected],
    // Medusa's own. It may have been done: asked again by itself, it could be done twice.
    [409, { code: "invalid_state_error", message: "Retry." }, defaultMessages.busy],
    [422, { code: "invalid_request_error", message: "Retry." }, defaultMessages.rejected],
    // The store's own, of a request that it could not read.
    [400, { code: "invalid_request", message: "order_no: must be" }, defaultMessages.rejected],
    [413, { code: "body_too_large", message: "The body is" }, defaultMessages.rejected],
    [415, { code: "not_plain_json", message: "Send JSON." }, defaultMessages.rejected],
    [409, { code: "channel_mismatch" }, defaultMessages.rejected],
    // What the store says of a refusal is for the shopper.
    [
      409,
      { code: "cart_moved", message: "Changed at the same time." },
      "Changed at the same time.",
    ],
    [409, { code: "payment_under_way", message: "Paid already." }, "Paid already."],
    [400, { code: "channel_mismatch", message: "Another market." }, "Another market."],
    [400, { code: "members_only", message: "Only members." }, "Only members."],
    [429, { code: "too_many_requests", message: "In 12 seconds." }, "In 12 seconds."],
    // A gateway's own.
    [429, { code: "rate_limited", message: "10.0.0.3" }, defaultMessages.busy],
  ])("answers %i %j with one sentence for a shopper: %s", async (status, body, message) => {
    store.on(SOME, () => ({ status, body }))
    ready()
    expect(await checkout()).toEqual(failure(message))
    expect(store.seen).toHaveLength(1)
  })

  it("asks once more for a cart that another request holds, since nothing was done", async () => {
    const answers = [{ status: 409, body: { code: "cart_busy" } }, ok()()]
    store.on(SOME, () => answers.shift())
    ready()
    expect(await checkout()).toEqual({ status: "s:ok" })
    expect(store.seen.map(({ body }) => body)).toEqual([store.seen[0]?.body, store.seen[0]?.body])
  })

  it("says that it is busy in the shop's words where it has some: the store may not speak its language", async () => {
    ready({ messages: { busy: "Za chwilę." } })
    store.on(SOME, () => ({ status: 429, body: { code: "too_many_requests", message: "Later." } }))
    expect(await checkout()).toEqual(failure("Za chwilę."))
  })

  it("gives up on a cart that stays busy, and asks to try again, since nothing was done", async () => {
    ready()
    for (const [route, action] of [
      [SOME, "SOME_CHECKOUT"],
      [UPDATE, "UPDATE_CART_CONTENTS"],
    ] as const) {
      store.seen.length = 0
      store.on(route, () => ({ status: 409, body: { code: "cart_busy", message: "Gleich." } }))
      const answer = await player.fire(action, { ...SOURCE, products: [RUG] })
      expect(answer).toEqual(failure("Gleich."))
      expect(store.seen).toHaveLength(2)
    }
  })

  const answers: [string, Parameters<typeof store.on>[1], Partial<PlayerOptions>, string][] = [
    [
      "a body that never ends",
      (_seen, response) => {
        response.writeHead(200, { "content-type": "application/json" }).write('{"status":')
      },
      { timeoutMs: 50 },
      defaultMessages.timeout,
    ],
    [
      "a shop whose own basket function hangs",
      ok(),
      { timeoutMs: 50, getCartId: () => new Promise<string>(() => undefined) },
      defaultMessages.timeout,
    ],
    [
      "a shop that cannot be reached",
      (_seen, response) => void response.destroy(),
      {},
      defaultMessages.offline,
    ],
    [
      "a proxy's page with status 200",
      (_seen, response) => {
        response.writeHead(200, { "content-type": "text/html" }).end("<h1>Back soon</h1>")
      },
      {},
      defaultMessages.broken,
    ],
    [
      "a failure, in the shop's language",
      () => ({ status: 500, body: {} }),
      { messages: { broken: "Noget gik galt." } },
      "Noget gik galt.",
    ],
  ]
  it.each(answers)("says so of %s", async (_what, answer, options, message) => {
    store.on(SOME, answer)
    ready(options)
    expect(await checkout()).toEqual(failure(message))
  })

  const lost: [string, Parameters<typeof store.on>[1], Partial<PlayerOptions>][] = [
    ["is lost", (_seen, response) => void response.destroy(), {}],
    ["does not come", () => new Promise(() => undefined), { timeoutMs: 50 }],
    ["says that the store failed", () => ({ status: 500, body: {} }), {}],
  ]
  it.each(lost)(
    "asks nobody to add once more what may have been added: the answer %s",
    async (_what, answer, options) => {
      store.on(UPDATE, answer)
      ready({ ...options, messages: { unsure: "Se først i kurven." } })
      expect(await update({ ...RUG, action: "add" })).toEqual(failure("Se først i kurven."))
      expect(defaultMessages.unsure).not.toMatch(/try again/)
    },
  )

  it("says in the shop's language that nobody is connected any more", async () => {
    const made = connect({ messages: { disconnected: "Butikken er ikke klar." } })
    player.load()
    made.disconnect()
    expect(await checkout()).toEqual(failure("Butikken er ikke klar."))
    expect(await player.fire("OPEN_CART")).toEqual(failure("Butikken er ikke klar."))
    expect(store.seen).toEqual([])
  })

  it("lets go of a request when the page disconnects", async () => {
    const closed = new Promise<string>((resolve) => {
      store.on(SOME, (_seen, response) => {
        response.on("close", () => resolve("closed"))
        made.disconnect()
      })
    })
    const made = connect()
    player.load()
    expect(await checkout()).toMatchObject({ status: "s:no" })
    expect(await closed).toBe("closed")
  })

  it("never sends an id that climbs out of its path", async () => {
    ready({ getCartId: () => ".." })
    expect(await checkout()).toMatchObject({ status: "s:no" })
    expect(store.seen).toEqual([])
  })
})

describe("a basket that is lost", () => {
  const renewing = (ids: Record<string, string>) => {
    const asked: string[] = []
    ready({
      getCartId: (purpose, gone) => {
        asked.push(gone ? `${purpose} ${gone}` : purpose)
        return ids[purpose]
      },
    })
    return asked
  }

  const missing = (message: string) => () => ({
    status: 404,
    body: { type: "not_found", message },
  })

  it.each<[string, Parameters<typeof store.on>[1]]>([
    ["the store's route", () => ({ status: 404, body: { type: "not_found", code: "not_found" } })],
    ["core", missing("Cart with id 'cart_1' not found")],
  ])("is renewed once, and the products go into the new one, as %s says", async (_who, answer) => {
    store.on(SOME, answer)
    store.on("POST /store/carts/cart_new/svc/some-checkout", ok({ id: "cart_new" }))
    const asked = renewing({ write: "cart_1", renew: "cart_new" })
    expect(await checkout()).toEqual({ status: "s:ok" })
    expect(asked).toEqual(["write", "renew cart_1"])
    expect(store.seen.map(({ body }) => body)).toEqual([store.seen[0]?.body, store.seen[0]?.body])
  })

  // The number that the player has sent is that order's: a second order under it could not be reported.
  it("is renewed where it was ordered under the number that is sent, and the next tap goes into the new one", async () => {
    const body = { code: "cart_completed", message: "Ordered.", params: { order_no: "N1" } }
    store.on(UPDATE, () => ({ status: 409, body }))
    store.on("POST /store/carts/cart_new/svc/update-cart-contents", ok({ id: "cart_new" }))
    const ids = { write: "cart_1", renew: "cart_new" }
    const asked = renewing(ids)
    expect(await update(RUG)).toEqual({ status: "s:no", message: defaultMessages.ordered })
    expect(asked).toEqual(["write", "renew cart_1"])
    expect(store.seen).toHaveLength(1)
    ids.write = "cart_new"
    expect(await update(RUG)).toEqual({ status: "s:ok" })
  })

  // A shopper who comes back days later: the player has another number, and the shop still the old basket.
  it("is renewed at once where it was ordered under another number", async () => {
    const body = { code: "cart_completed", message: "Ordered." }
    store.on(SOME, () => ({ status: 409, body }))
    store.on("POST /store/carts/cart_new/svc/some-checkout", ok({ id: "cart_new" }))
    renewing({ write: "cart_1", renew: "cart_new" })
    expect(await checkout()).toEqual({ status: "s:ok" })
    expect(store.seen).toHaveLength(2)
  })

  it("is kept where a rule of the store's own has found something else missing", async () => {
    store.on(SOME, missing("Your membership was not found."))
    const asked = renewing({ write: "cart_1", renew: "cart_new" })
    expect(await checkout()).toEqual({ status: "s:no", message: defaultMessages.rejected })
    expect(asked).toEqual(["write"])
  })

  it("is not renewed twice", async () => {
    const asked = renewing({ write: "cart_1", renew: "cart_new" })
    expect(await checkout()).toEqual({
      status: "s:no",
      message: defaultMessages.gone,
    })
    expect(asked).toEqual(["write", "renew cart_1"])
    expect(store.seen).toHaveLength(2)
  })

  it("is not asked again where the shop has no other", async () => {
    renewing({ write: "cart_1", renew: "cart_1" })
    await checkout()
    expect(store.seen).toHaveLength(1)
  })
})

describe("rememberCart", () => {
  let made: number
  beforeEach(() => {
    made = 0
    store.on("POST /store/carts", async () => {
      const id = `cart_${++made}`
      await new Promise((tick) => setTimeout(tick, 20))
      return { body: { cart: { id } } }
    })
  })

  const remember = (kept = storage(), regionId = "reg_dk") => ({
    kept,
    cart: rememberCart({ ...connection(), regionId, storage: kept }),
  })

  it("makes a basket in the shop's region for the first product, keeps its id alone, and finds it on the next page", async () => {
    const { cart, kept } = remember()
    expect(await cart.getCartId("read")).toBeNull()
    expect(await cart.getCartId("write")).toBe("cart_1")
    expect(store.seen.map(({ body }) => body)).toEqual([{ region_id: "reg_dk" }])
    expect([...kept.values]).toEqual([["svc_cart_id:reg_dk", "cart_1"]])
    expect(await remember(kept).cart.getCartId("read")).toBe("cart_1")
    expect(await remember(kept, "reg_eu").cart.getCartId("read")).toBeNull()
  })

  it("makes one basket for a double click", async () => {
    const { cart } = remember()
    expect(await Promise.all([cart.getCartId(), cart.getCartId(), cart.getCartId("read")])).toEqual(
      ["cart_1", "cart_1", "cart_1"],
    )
    expect(made).toBe(1)
  })

  it("forgets a basket that was ordered, here and in the other tab", async () => {
    const { kept, cart } = remember()
    await cart.getCartId()
    const otherTab = remember(kept).cart
    expect(await otherTab.getCartId("read")).toBe("cart_1")
    cart.forget()
    expect(await otherTab.getCartId("read")).toBeNull()
    expect(await cart.getCartId()).toBe("cart_2")
  })

  it("shares the first basket of two tabs that ask at once", async () => {
    const { kept, cart } = remember()
    const other = remember(kept).cart
    const [here, there] = await Promise.all([cart.getCartId(), other.getCartId()])
    expect(there).toBe(here)
    expect([await cart.getCartId("read"), await other.getCartId("read")]).toEqual([here, here])
  })

  it("renews to the basket that another tab has made meanwhile", async () => {
    const { kept, cart } = remember()
    const other = remember(kept).cart
    expect([await cart.getCartId(), await other.getCartId()]).toEqual(["cart_1", "cart_1"])
    expect(await cart.getCartId("renew", "cart_1")).toBe("cart_2")
    expect(await other.getCartId("renew", "cart_1")).toBe("cart_2")
    const [here, there] = await Promise.all([
      cart.getCartId("renew", "cart_2"),
      other.getCartId("renew", "cart_2"),
    ])
    expect([here, await cart.getCartId()]).toEqual([there, there])
    expect(there).not.toBe("cart_2")
  })

  it("keeps a basket that lives, whoever renews the one before it, and gives no dead one back", async () => {
    const { kept, cart } = remember()
    await cart.getCartId()
    const other = remember(kept).cart
    // A page that has only looked at the basket finds it ordered.
    expect(await other.getCartId("read")).toBe("cart_1")
    expect(await other.getCartId("renew")).toBe("cart_2")
    // The first page has put something into the new one since, and only now hears that the old one is gone.
    expect(await cart.getCartId()).toBe("cart_2")
    expect(await cart.getCartId("renew", "cart_1")).toBe("cart_2")
  })

  it.each(["cannot be read", "can be read and not written, because it is full"])(
    "keeps one basket where storage %s",
    async (which) => {
      const refuse = () => {
        throw new DOMException("denied", "SecurityError")
      }
      const refused = { ...storage(), setItem: refuse }
      const { cart } = remember(
        which === "cannot be read" ? { ...refused, getItem: refuse } : refused,
      )
      expect([await cart.getCartId(), await cart.getCartId()]).toEqual(["cart_1", "cart_1"])
      expect(await cart.getCartId("read")).toBe("cart_1")
      cart.forget()
      expect(await cart.getCartId("read")).toBeNull()
    },
  )

  it("keeps one basket where the storage became full after an order, with whatever it has left of the one before", async () => {
    for (const left of ["", "cart_ordered"]) {
      const { cart, kept } = remember()
      kept.setItem("svc_cart_id:reg_dk", left)
      kept.setItem = () => {
        throw new DOMException("full", "QuotaExceededError")
      }
      const renewed = await cart.getCartId("renew", "cart_ordered")
      expect([await cart.getCartId(), await cart.getCartId("read")]).toEqual([renewed, renewed])
      // Another tab, which could write.
      kept.values.set("svc_cart_id:reg_dk", "cart_other")
      expect(await cart.getCartId()).toBe("cart_other")
    }
    expect(made).toBe(2)
  })

  it("asks for the shopper's consent when it makes a cart", async () => {
    let agreed = false
    const cart = rememberCart({
      ...connection(),
      regionId: "reg_dk",
      storage: storage(),
      consent: () => agreed,
    })
    await cart.getCartId()
    agreed = true
    await cart.getCartId("renew")
    expect(store.seen.map(({ body }) => body)).toEqual([
      { region_id: "reg_dk", metadata: { svc_consent: false } },
      { region_id: "reg_dk", metadata: { svc_consent: true } },
    ])
  })

  it("begins a basket as the shop says: in its sales channel and language", async () => {
    let locale = "da-DK"
    const cart = rememberCart({
      ...connection(),
      regionId: "reg_dk",
      storage: storage(),
      cart: () => ({ sales_channel_id: "sc_live", locale }),
    })
    await cart.getCartId()
    locale = "de-DE"
    await cart.getCartId("renew")
    const begun = { region_id: "reg_dk", sales_channel_id: "sc_live" }
    expect(store.seen.map(({ body }) => body)).toEqual([
      { ...begun, locale: "da-DK" },
      { ...begun, locale: "de-DE" },
    ])
  })

  it("has no basket where the shop has cleared its storage, as at a log-out, and does not believe what somebody else wrote", async () => {
    const { cart, kept } = remember()
    await cart.getCartId()
    kept.values.clear()
    expect(await cart.getCartId("read")).toBeNull()
    kept.setItem("svc_cart_id:reg_dk", "../../admin/users")
    expect(await cart.getCartId("read")).toBeNull()
  })
})

describe("liveEvents", () => {
  it("asks for what is shown, without a session, so that a cache may keep the answer", async () => {
    const path =
      "GET /store/svc/live-events?status=live&status=planned&kind=live&page_uid=page_dk&limit=10"
    const live_events = [{ id: "svcle_1", name: "Friday show", status: "live", products: [] }]
    store.on(path, () => ({ body: { live_events } }))
    const asked = {
      kind: "live",
      status: ["live", "planned"],
      page_uid: "page_dk",
      limit: 10,
    } as const
    const shop = { ...connection(), getAuthToken: () => "jwt" }
    expect(await liveEvents(shop, undefined, asked)).toEqual(live_events)
    const [seen] = store.seen
    expect(seen?.headers).toMatchObject({ "x-publishable-api-key": "pk_test" })
    expect(seen?.headers.authorization).toBeUndefined()
    expect(seen?.headers["content-type"]).toBeUndefined()
  })

  it("asks for the same in a browser whose queries have no size", async () => {
    store.on("GET /store/svc/live-events?status=live&limit=1", () => ({
      body: { live_events: [] },
    }))
    const size = Object.getOwnPropertyDescriptor(URLSearchParams.prototype, "size")
    Object.defineProperty(URLSearchParams.prototype, "size", {
      value: undefined,
      configurable: true,
    })
    try {
      await liveEvents(connection(), undefined, { status: ["live"], limit: 1 })
    } finally {
      Object.defineProperty(URLSearchParams.prototype, "size", size ?? {})
    }
    expect(store.seen).toHaveLength(1)
  })

  it("throws where the store has nothing to say", async () => {
    await expect(liveEvents(connection())).rejects.toMatchObject({ kind: "broken", status: 404 })
  })
})

describe("consent that is given or taken back later", () => {
  it("is written into the cart, and nothing else is", async () => {
    store.on("POST /store/carts/cart_1", () => ({ body: { cart: { id: "cart_1" } } }))
    await setConsent(connection(), "cart_1", true)
    await setConsent(connection(), "cart_1", false)
    expect(store.seen.map(({ body }) => body)).toEqual([
      { metadata: { svc_consent: true } },
      { metadata: { svc_consent: false } },
    ])
  })
})

describe("what the page is told", () => {
  const MUG = { product_id: "prod_mug", quantity: 1 }
  const change = (id: string) => ({
    id,
    line_item_id: "cali_1",
    title: "Rug",
    old_unit_price: 199,
    new_unit_price: 299,
    currency_code: "dkk",
    reason: "campaign_ended",
  })

  it("are the products that went in and those that were refused, with the store's code", async () => {
    store.on(UPDATE, () => ({
      body: {
        status: "PARTIAL",
        failed_products: [{ product: MUG, code: "sold_out", message: "Mug is sold out." }],
        cart: { id: "cart_1" },
      },
    }))
    const outcomes: unknown[] = []
    ready({ onCartChanged: (cart, outcome) => outcomes.push([cart, outcome]) })
    await update(RUG, { ...MUG, action: "add" }, { product_id: "p", action: "remove" })
    const source = { campaign_uid: "camp-1", page_uid: "demo-page", order_no: "SO-1" }
    const refused = [
      { product: { ...MUG, action: "add" }, errorMessage: "Mug is sold out.", code: "sold_out" },
    ]
    expect(told).toEqual([
      ["svc:added", { ...source, products: [RUG], cart: { id: "cart_1" } }],
      ["svc:refused", { ...source, products: refused }],
    ])
    expect(outcomes).toEqual([[{ id: "cart_1" }, { failedProducts: refused, changes: [] }]])
  })

  it("calls what the merchant sells at the catalog price meanwhile added, and not refused", async () => {
    const failed = { product: MUG, code: "catalog_price", message: "At the regular price." }
    store.on(UPDATE, () => ({
      body: { status: "PARTIAL", failed_products: [failed], cart: { id: "cart_1" } },
    }))
    ready()
    const answer = await update(MUG)
    expect(told).toEqual([["svc:added", expect.objectContaining({ products: [MUG] })]])
    // The shopper is told of the price all the same.
    expect(answer).toMatchObject({
      status: "s:part",
      failedProducts: [{ errorMessage: "At the regular price." }],
    })
  })

  it("is nothing where only a quantity changed, a line was removed, or the store refused all without saying which", async () => {
    store.on(UPDATE, ok())
    ready()
    await update({ ...RUG, action: "change" }, { ...MUG, quantity: 0 })
    store.on(UPDATE, () => ({ body: { status: "FAILURE", message: "No.", cart: { id: "c" } } }))
    await update(RUG)
    expect(told).toEqual([])
  })

  it("is each price that changed, once, however often the store names it", async () => {
    const changes = [change("chg_1")]
    const shown = { products: [], total: 0, currency: "DKK" }
    store.on(UPDATE, () => ({ body: { status: "SUCCESS", cart: { id: "cart_1" }, changes } }))
    store.on(CONTENTS, () => ({ body: { ...shown, changes: [...changes, change("chg_2")] } }))
    const outcomes: { changes: unknown[] }[] = []
    ready({ onCartChanged: (_cart, outcome) => outcomes.push(outcome) })
    const answer = await update({ ...RUG, action: "change" })
    await player.fire("GET_CART_CONTENTS")
    await player.fire("GET_CART_CONTENTS")
    expect(told).toEqual([
      ["svc:price_changed", { lines: [change("chg_1")] }],
      ["svc:price_changed", { lines: [change("chg_2")] }],
    ])
    expect(answer.changes).toEqual(changes)
    expect(outcomes[0]?.changes).toEqual(changes)
  })
})
