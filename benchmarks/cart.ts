/**
 * What a tap on a product in the show takes, against what Medusa's own routes take for the same basket: a real store
 * process, the same store without the plugin on the same database, a Postgres and the sandbox. Pairs are measured in turn
 * within one run and compared by their medians, so that a busy machine slows both.
 *
 * `BENCH_PAIRS`, `BENCH_CROWD` and `BENCH_BASKETS` set how many.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { type Knex, knex } from "@medusajs/framework/mikro-orm/knex"
import { connect, importCatalog, type Market, PAGE, readMarkets } from "../demo/start-up/connect"
import {
  deliverCart,
  MANUAL_PAYMENT,
  paymentSessionsOf,
} from "../integration-tests/setup/order-steps"
import { startStore } from "../integration-tests/setup/store-process"
import { startWholeShop, type WholeShop } from "../integration-tests/setup/whole-shop"
import { freePort } from "../tools/ports"
import { type Figure, inTurn, median } from "./figures"
import { onOwnServer, type Stops } from "./on-own-server"

const PAIRS = Number(process.env.BENCH_PAIRS ?? 40)
const WARM_UP = 8
/** More products than are asked for within the life of a looked-up price: each tap on the next one is a first tap. */
const PRODUCTS = 24
/** Products of one action. */
const [SOME, MANY] = [5, 20]
/** Single requests of one shop; a difference below this is the machine's. */
const NOISE = 1.1
/** Shoppers who tap one product, all within `CROWD_MS`. */
const CROWD = Number(process.env.BENCH_CROWD ?? 300)
const CROWD_MS = 10_000
/** Baskets with a line of a show that ends. */
const BASKETS = Number(process.env.BENCH_BASKETS ?? 5_000)

/** `isSimple`: it has no variants, and none is named to the service or the player. */
type Product = { id: string; variantId: string; isSimple: boolean }

export const run = (): Promise<Figure[]> => onOwnServer(startAndMeasure)

async function startAndMeasure(stops: Stops): Promise<Figure[]> {
  const shop = await startWholeShop()
  stops.push(shop.stop)
  const db = knex({ client: "pg", connection: shop.databaseUrl, pool: { min: 0, max: 1 } })
  stops.push(() => db.destroy())
  const port = await freePort()
  const plain = await startStore({ url: shop.databaseUrl }, port, {
    ready: "/health",
    script: "benchmarks/plain-store/serve.ts",
    env: { LOG_LEVEL: "error" },
  })
  stops.push(() => plain.stop())
  return measure(shop, `http://127.0.0.1:${port}`, db)
}

async function measure(shop: WholeShop, plainUrl: string, db: Knex): Promise<Figure[]> {
  const [market] = await readMarkets(shop.admin)
  if (!market) throw new Error("The shop has no market.")
  const connectionId = await connect(shop.admin, market, {
    sandbox: shop.sandbox.url,
    storefront: shop.storefrontUrl,
  })
  // More than the benchmark sells; before the service hears of it, which sells nothing that is sold out.
  await db.raw(
    `UPDATE inventory_level SET stocked_quantity = 100000,
       raw_stocked_quantity = '{"value": "100000", "precision": 20}'`,
  )
  await addProducts(shop, market)
  await importCatalog(shop.admin, connectionId, () => undefined)
  const products = await soldProducts(shop)
  if (products.length < PRODUCTS) throw new Error("The shop has too few products.")
  const show = await runningShow(shop, products)
  const store = storeOf(shop.storeUrl, market)
  const plain = storeOf(plainUrl, market)

  const cart = async () =>
    (await store<{ cart: { id: string } }>("/store/carts", { region_id: market.regionId })).cart.id
  const action = (cartId: string, name: string, some: (Product & { action?: string })[]) =>
    store(`/store/carts/${cartId}/svc/${name}`, {
      campaign_uid: show.campaignUid,
      page_uid: PAGE.uid,
      order_no: show.orderNo,
      products: some.map(({ id, variantId, isSimple, action: what }) => ({
        product_id: id,
        ...(isSimple ? {} : { variant_id: variantId }),
        quantity: 1,
        ...(what ? { action: what } : {}),
      })),
    })
  const addTo =
    (shop: Store) =>
    (cartId: string, { variantId }: Product) =>
      shop(`/store/carts/${cartId}/line-items`, { variant_id: variantId, quantity: 1 })
  const coreAdd = addTo(store)
  const pick = (n: number) => products[n % products.length] as Product
  const hot = pick(0)
  const tap = (cartId: string, product: Product) =>
    action(cartId, "update-cart-contents", [{ ...product, action: "add" }])

  const add = await compare({
    core: async () => timed(await cart(), (id) => coreAdd(id, hot)),
    without: async () => timed(await cart(), (id) => addTo(plain)(id, hot)),
    // The crowd's product: its price has just been looked up for somebody else.
    crowd: async () => timed(await cart(), (id) => tap(id, hot)),
    first: async (n) => timed(await cart(), (id) => tap(id, pick(1 + (n % (PRODUCTS - 1))))),
    lookup: (n) => timed("", () => lookUp(shop, show, pick(1 + (n % (PRODUCTS - 1))))),
  })
  /** Several products in one action, against one run of Medusa's workflow with as many. */
  const several = async (count: number) => {
    const some = products.slice(0, count)
    const items = some.map(({ variantId }) => ({ variant_id: variantId, quantity: 1 }))
    return compare({
      core: async () => timed(await cart(), (id) => plain(`/store/bench-carts/${id}`, { items })),
      ours: async () => {
        // Their prices have just been looked up for somebody else.
        await action(await cart(), "some-checkout", some)
        return timed(await cart(), (id) => action(id, "some-checkout", some))
      },
    })
  }
  const [some, many] = [await several(SOME), await several(MANY)]

  const full = await cart()
  await action(full, "some-checkout", products.slice(0, SOME))
  const read = await compare({
    core: () => timed(full, (id) => store(`/store/carts/${id}`)),
    ours: () => timed(full, (id) => store(`/store/carts/${id}/svc/cart-contents`)),
  })
  const bought = { ours: orders(store, market, hot), without: orders(plain, market, hot) }
  const payment = await compare({ ours: bought.ours.payment, without: bought.without.payment })
  const order = await compare({ ours: bought.ours.order, without: bought.without.order })

  const crowd = await crowded(cart, {
    core: (id) => coreAdd(id, hot),
    ours: (id) => tap(id, hot),
    lookups: async () => {
      const q = encodeURIComponent(`endpoint:price path:*${show.campaignUid}`)
      return (await shop.sandbox.control<{ count: number }>(`/journal?q=${q}`)).count
    },
    lines: async (carts) => {
      const [row] = await db("cart_line_item")
        .whereIn("cart_id", carts)
        .where({ is_custom_price: true, deleted_at: null })
        .count({ count: "*" })
      return Number(row?.count ?? 0)
    },
  })
  await shop.admin.post(`/admin/svc/connections/${connectionId}/webhook`, {})
  const ended = await endShow(shop, db, show, full, async () =>
    timed(await cart(), (id) => coreAdd(id, hot)),
  )
  const ratio = (name: string, value: number, atMost: number): Figure => ({
    name: `cart: ${name}`,
    value,
    unit: "x",
    atMost,
  })
  return [
    { name: "cart: Medusa's own route, one product", value: add.core, unit: "ms" },
    ratio("the same with the plugin, against without", add.core / add.without, NOISE),
    ratio("from the player, against Medusa's own", add.crowd / add.core, 1.05),
    { name: "cart: one round trip to the service", value: add.lookup, unit: "ms" },
    ratio(
      "a price nobody asked for yet, less the round trip",
      (add.first - add.lookup) / add.core,
      1.05,
    ),
    ratio(`${SOME} products, against addToCart with ${SOME}`, some.ours / some.core, 1.1),
    ratio(`${MANY} products, against addToCart with ${MANY}`, many.ours / many.core, 1.1),
    ratio("contents for the player, against Medusa's own", read.ours / read.core, 1),
    ratio(
      "an ordinary payment begins, against without plugin",
      payment.ours / payment.without,
      NOISE,
    ),
    ratio("an ordinary cart is ordered, against without plugin", order.ours / order.without, NOISE),
    ratio(`${CROWD} shoppers within 10 s, the slowest 5 %`, crowd.ours / crowd.core, 1.1),
    {
      name: "cart: lookups that they cost",
      value: crowd.lookups,
      unit: "",
      // A price is kept for five seconds.
      atMost: Math.ceil(CROWD_MS / 5_000) + 1,
    },
    { name: "cart: lines that they lost", value: CROWD - crowd.lines, unit: "", atMost: 0 },
    {
      name: `cart: ${BASKETS} baskets back at the catalog price`,
      value: ended.seconds,
      unit: "s",
      atMost: 120,
    },
    ratio("Medusa's own route meanwhile, against before", ended.meanwhile / ended.before, 2),
    {
      name: "cart: the slowest of them, against the slowest before",
      value: ended.slowest / ended.slowestBefore,
      unit: "x",
    },
  ]
}

/** The service's answer to one price lookup, as the store waits for it. */
async function lookUp(
  shop: WholeShop,
  show: { campaignUid: string },
  { id, variantId, isSimple }: Product,
): Promise<void> {
  const response = await fetch(`${shop.sandbox.url}/getCampaignProductPrice/${show.campaignUid}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Token ${PAGE.token}` },
    body: JSON.stringify({ productId: id, ...(isSimple ? {} : { variantId }) }),
  })
  if (!response.ok) throw new Error(`The sandbox answered ${response.status}.`)
  await response.json()
}

/** How long an ordinary cart's payment takes to begin, and its order to be placed. */
function orders(shop: Store, { regionId }: Market, { variantId }: Product) {
  const filled = async (): Promise<string> => {
    const { cart } = await shop<{ cart: { id: string } }>("/store/carts", { region_id: regionId })
    await shop(`/store/carts/${cart.id}/line-items`, { variant_id: variantId, quantity: 1 })
    await deliverCart(shop, cart.id)
    return cart.id
  }
  const begin = (sessions: string) => shop(sessions, MANUAL_PAYMENT)
  return {
    payment: async () => timed(await paymentSessionsOf(shop, await filled()), begin),
    order: async () => {
      const cartId = await filled()
      await begin(await paymentSessionsOf(shop, cartId))
      return timed(cartId, async (id) => {
        const { type } = await shop<{ type?: string }>(`/store/carts/${id}/complete`, {})
        if (type !== "order") throw new Error("A cart could not be ordered.")
      })
    },
  }
}

/** The 95th percentile of a crowd's taps, by Medusa's own route and then from the player. */
async function crowded(
  cart: () => Promise<string>,
  ways: {
    core: (cartId: string) => Promise<unknown>
    ours: (cartId: string) => Promise<unknown>
    lookups: () => Promise<number>
    lines: (carts: string[]) => Promise<number>
  },
): Promise<{ core: number; ours: number; lookups: number; lines: number }> {
  const rush = async (tap: (cartId: string) => Promise<unknown>) => {
    const carts: string[] = []
    for (let n = 0; n < CROWD; n++) carts.push(await cart())
    const taken = await Promise.all(
      carts.map(async (cartId, n) => {
        await sleep((n * CROWD_MS) / CROWD)
        return timed(cartId, tap)
      }),
    )
    return { carts, slow: [...taken].sort((a, b) => a - b)[Math.floor(CROWD * 0.95)] ?? 0 }
  }
  const core = await rush(ways.core)
  const before = await ways.lookups()
  const ours = await rush(ways.ours)
  return {
    core: core.slow,
    ours: ours.slow,
    lookups: (await ways.lookups()) - before,
    lines: await ways.lines(ours.carts),
  }
}

/** Ends a show that very many baskets have a line of, and waits for the minute's job to put them back. */
async function endShow(
  shop: WholeShop,
  db: Knex,
  show: { eventId: string },
  cartId: string,
  tap: () => Promise<number>,
) {
  await copyBasket(db, cartId)
  const taps = async (go: (n: number) => Promise<boolean> | boolean) => {
    const seen: number[] = []
    for (let n = 0; await go(n); n++) {
      seen.push(await tap())
      await sleep(200)
    }
    return { middle: median(seen), slowest: Math.max(...seen) }
  }
  const before = await taps((n) => n < 20)
  await shop.sandbox.control(`/events/${show.eventId}/cancel`, {})
  const started = Date.now()
  const left = async () => {
    const [row] = await db("cart_line_item")
      .where("id", "like", "%_copy_%")
      .where({ is_custom_price: true })
      .count({ count: "*" })
    return Number(row?.count ?? 0)
  }
  const meanwhile = await taps(async () => (await left()) > 0 && Date.now() - started < 300_000)
  return {
    seconds: (Date.now() - started) / 1000,
    before: before.middle,
    meanwhile: meanwhile.middle,
    slowestBefore: before.slowest,
    slowest: meanwhile.slowest,
  }
}

/** As many baskets like this one, with the proofs of their lines. */
async function copyBasket(db: Knex, cartId: string): Promise<void> {
  for (const [table, column, ids] of [
    ["cart", "id", ["id"]],
    ["cart_line_item", "cart_id", ["id", "cart_id"]],
    ["svc_line_price", "cart_id", ["id", "cart_id", "line_item_id"]],
  ] as const) {
    const changed = ids.map((id) => `'${id}', original.${id} || '_copy_' || n`).join(", ")
    await db.raw(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(original, jsonb_build_object(${changed}))).*
       FROM ${table} original, generate_series(1, ?) n WHERE original.${column} = ?`,
      [BASKETS, cartId],
    )
  }
}

/** The median of each way in ms. */
async function compare<Name extends string>(
  ways: Record<Name, (n: number) => Promise<number>>,
): Promise<Record<Name, number>> {
  const seen = await inTurn(ways, { pairs: PAIRS, warmUp: WARM_UP })
  const medians = Object.entries<number[]>(seen).map(([name, times]) => [name, median(times)])
  return Object.fromEntries(medians) as Record<Name, number>
}

async function timed(cartId: string, work: (cartId: string) => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work(cartId)
  return performance.now() - started
}

/** The demo sells fewer products than a first tap on each needs. */
async function addProducts({ admin }: WholeShop, { salesChannelId }: Market): Promise<void> {
  const { shipping_profiles } = await admin.get<{ shipping_profiles: { id: string }[] }>(
    "/admin/shipping-profiles",
  )
  for (let n = 1; n <= PRODUCTS; n++) {
    await admin.post("/admin/products", {
      title: `A mug for the benchmark ${n}`,
      status: "published",
      shipping_profile_id: shipping_profiles[0]?.id,
      sales_channels: [{ id: salesChannelId }],
      options: [{ title: "Size", values: ["One"] }],
      variants: [
        {
          title: "One",
          sku: `BENCH-${n}`,
          options: { Size: "One" },
          manage_inventory: false,
          prices: ["dkk", "eur"].map((currency_code) => ({ currency_code, amount: 12 })),
        },
      ],
    })
  }
}

/** Different products, each with its first variant; simple ones first. */
async function soldProducts(shop: WholeShop): Promise<Product[]> {
  const { products } = await shop.sandbox.control<{
    products: { product: { id: string; type: string; status: string } }[]
  }>(`/products?page_uid=${PAGE.uid}&limit=500`)
  const isSimple = ({ type }: { type: string }) => type === "simple"
  const chosen = products
    .map(({ product }) => product)
    .filter(({ status }) => status === "enabled")
    .sort((one, other) => Number(isSimple(other)) - Number(isSimple(one)))
    .slice(0, PRODUCTS)
  const query = chosen.map(({ id }) => `id[]=${id}`).join("&")
  const answer = await shop.admin.get<{ products: { id: string; variants: { id: string }[] }[] }>(
    `/admin/products?${query}&fields=id,variants.id&limit=${PRODUCTS}`,
  )
  return chosen.map((product) => {
    const variant = answer.products.find(({ id }) => id === product.id)?.variants[0]
    if (!variant) throw new Error(`The product ${product.id} has no variant.`)
    return { id: product.id, variantId: variant.id, isSimple: isSimple(product) }
  })
}

async function runningShow(shop: WholeShop, products: Product[]) {
  const { event } = await shop.sandbox.control<{ event: { id: string; campaign_uid: string } }>(
    "/events",
    { page_uid: PAGE.uid, kind: "live", name: "The benchmark's show" },
  )
  for (const { id, variantId, isSimple } of products) {
    await shop.sandbox.control(`/events/${event.id}/products`, {
      external_id: id,
      price: 9,
      ...(isSimple ? {} : { variants: [{ external_id: variantId, price: 9 }] }),
    })
  }
  await shop.sandbox.control(`/events/${event.id}/start`, {})
  const { order_no } = await shop.sandbox.control<{ order_no: string }>("/order-numbers", {
    campaign_uid: event.campaign_uid,
  })
  return { eventId: event.id, campaignUid: event.campaign_uid, orderNo: order_no }
}

type Store = ReturnType<typeof storeOf>

function storeOf(storeUrl: string, { publishableKey }: Market) {
  const headers = { "content-type": "application/json", "x-publishable-api-key": publishableKey }
  return async <T = { status?: string }>(path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${storeUrl}${path}`, {
      headers,
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    })
    const answer = await response.json()
    // A basket that was refused its product would be quick.
    if (!response.ok || (answer.status && answer.status !== "SUCCESS")) {
      throw new Error(
        `${path} answered ${response.status}: ${JSON.stringify(answer).slice(0, 300)}`,
      )
    }
    return answer
  }
}
