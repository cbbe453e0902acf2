/**
 * What a tap on a product in the show takes, against what Medusa's own routes take for the same basket: a real store
 * process, a Postgres and the sandbox. Pairs are measured in turn within one run and compared by their medians, so
 * that a busy machine slows both.
 */

import { resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Knex, knex } from "@medusajs/framework/mikro-orm/knex"
import { connect, importCatalog, type Market, PAGE, readMarkets } from "../demo/start-up/connect"
import { startTestDatabaseServer } from "../integration-tests/setup/database"
import { startWholeShop, type WholeShop } from "../integration-tests/setup/whole-shop"
import type { Figure } from "./catalog"

const PAIRS = Number(process.env.BENCH_PAIRS ?? 40)
const WARM_UP = 8
/** More products than are asked for within the life of a looked-up price: each tap on the next one is a first tap. */
const PRODUCTS = 24
const LINK = 5
/** Shoppers who tap one product, all within `CROWD_MS`. */
const CROWD = Number(process.env.BENCH_CROWD ?? 300)
const CROWD_MS = 10_000
/** Baskets with a line of a show that ends. */
const BASKETS = Number(process.env.BENCH_BASKETS ?? 5_000)

type Product = { id: string; variantId: string }

export async function run(): Promise<Figure[]> {
  const server = await startTestDatabaseServer(resolve(__dirname, ".."))
  Object.assign(process.env, server.env)
  try {
    const shop = await startWholeShop()
    try {
      return await measure(shop)
    } finally {
      await shop.stop()
    }
  } finally {
    await server.stop()
  }
}

async function measure(shop: WholeShop): Promise<Figure[]> {
  const [market] = await readMarkets(shop.admin)
  if (!market) throw new Error("The shop has no market.")
  const connectionId = await connect(shop.admin, market, {
    sandbox: shop.sandbox.url,
    storefront: shop.storefrontUrl,
  })
  await importCatalog(shop.admin, connectionId, () => undefined)
  const products = await simpleProducts(shop)
  const show = await runningShow(shop, products)
  const store = storeOf(shop, market)

  const cart = async () =>
    (await store<{ cart: { id: string } }>("/store/carts", { region_id: market.regionId })).cart.id
  const action = (cartId: string, name: string, some: (Product & { action?: string })[]) =>
    store(`/store/carts/${cartId}/svc/${name}`, {
      campaign_uid: show.campaignUid,
      page_uid: PAGE.uid,
      order_no: show.orderNo,
      products: some.map(({ id, action: what }) => ({
        product_id: id,
        quantity: 1,
        ...(what ? { action: what } : {}),
      })),
    })
  const coreAdd = (cartId: string, { variantId }: Product) =>
    store(`/store/carts/${cartId}/line-items`, { variant_id: variantId, quantity: 1 })
  const pick = (n: number) => products[n % products.length] as Product
  const hot = pick(0)

  const add = await inTurn({
    core: async () => timed(await cart(), (id) => coreAdd(id, hot)),
    // The crowd's product: its price has just been looked up for somebody else.
    crowd: async () =>
      timed(await cart(), (id) => action(id, "update-cart-contents", [{ ...hot, action: "add" }])),
    first: async (n) =>
      timed(await cart(), (id) =>
        action(id, "update-cart-contents", [{ ...pick(1 + n), action: "add" }]),
      ),
  })
  const some = products.slice(0, LINK)
  const link = await inTurn({
    core: async () =>
      timed(await cart(), async (id) => {
        for (const product of some) await coreAdd(id, product)
      }),
    ours: async () => timed(await cart(), (id) => action(id, "some-checkout", some)),
  })
  const full = await cart()
  await action(full, "some-checkout", some)
  const read = await inTurn({
    core: () => timed(full, (id) => store(`/store/carts/${id}`)),
    ours: () => timed(full, (id) => store(`/store/carts/${id}/svc/cart-contents`)),
  })
  const crowd = await crowded(cart, {
    core: (id) => coreAdd(id, hot),
    ours: (id) => action(id, "update-cart-contents", [{ ...hot, action: "add" }]),
    lookups: async () => {
      const q = encodeURIComponent(`endpoint:price path:*${show.campaignUid}`)
      return (await shop.sandbox.control<{ count: number }>(`/journal?q=${q}`)).count
    },
  })
  await shop.admin.post(`/admin/svc/connections/${connectionId}/webhook`, {})
  const ended = await endShow(shop, show, full, async () =>
    timed(await cart(), (id) => coreAdd(id, hot)),
  )
  return [
    { name: "cart: Medusa's own route, one product", value: add.core, unit: "ms" },
    {
      name: "cart: from the player, against Medusa's own",
      value: add.crowd / add.core,
      unit: "x",
      atMost: 1.15,
    },
    {
      name: "cart: the same with a price nobody asked for yet",
      value: add.first / add.core,
      unit: "x",
      atMost: 1.3,
    },
    {
      name: `cart: checkout link of ${LINK}, against ${LINK} of Medusa's own`,
      value: link.ours / link.core,
      unit: "x",
      atMost: 0.6,
    },
    {
      name: "cart: contents for the player, against Medusa's own",
      value: read.ours / read.core,
      unit: "x",
      atMost: 1,
    },
    {
      name: `cart: ${CROWD} shoppers within 10 s, the slowest 5 %`,
      value: crowd.ours / crowd.core,
      unit: "x",
      atMost: 1.1,
    },
    {
      name: "cart: lookups that they cost",
      value: crowd.lookups,
      unit: "",
      // A price is kept for five seconds.
      atMost: Math.ceil(CROWD_MS / 5_000) + 2,
    },
    {
      name: `cart: ${BASKETS} baskets back at the catalog price`,
      value: ended.seconds,
      unit: "s",
      atMost: 120,
    },
    {
      name: "cart: Medusa's own route meanwhile, against before",
      value: ended.meanwhile / ended.before,
      unit: "x",
      atMost: 2,
    },
  ]
}

/** The 95th percentile of a crowd's taps, by Medusa's own route and then from the player. */
async function crowded(
  cart: () => Promise<string>,
  ways: {
    core: (cartId: string) => Promise<unknown>
    ours: (cartId: string) => Promise<unknown>
    lookups: () => Promise<number>
  },
): Promise<{ core: number; ours: number; lookups: number }> {
  const rush = async (tap: (cartId: string) => Promise<unknown>): Promise<number> => {
    const carts: string[] = []
    for (let n = 0; n < CROWD; n++) carts.push(await cart())
    const taken = await Promise.all(
      carts.map(async (cartId, n) => {
        await sleep((n * CROWD_MS) / CROWD)
        return timed(cartId, tap)
      }),
    )
    return [...taken].sort((a, b) => a - b)[Math.floor(CROWD * 0.95)] ?? 0
  }
  const core = await rush(ways.core)
  const before = await ways.lookups()
  const ours = await rush(ways.ours)
  return { core, ours, lookups: (await ways.lookups()) - before }
}

/** Ends a show that very many baskets have a line of, and waits for the minute's job to put them back. */
async function endShow(
  shop: WholeShop,
  show: { eventId: string },
  cartId: string,
  tap: () => Promise<number>,
): Promise<{ seconds: number; before: number; meanwhile: number }> {
  const db = knex({ client: "pg", connection: shop.databaseUrl, pool: { min: 0, max: 1 } })
  try {
    await copyBasket(db, cartId)
    const taps = async (go: (n: number) => Promise<boolean> | boolean) => {
      const seen: number[] = []
      for (let n = 0; await go(n); n++) {
        seen.push(await tap())
        await sleep(200)
      }
      return median(seen)
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
    return { seconds: (Date.now() - started) / 1000, before, meanwhile }
  } finally {
    await db.destroy()
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

/** Runs each way in turn, in an order that alternates, and answers the median of each in ms. */
async function inTurn<Name extends string>(
  ways: Record<Name, (n: number) => Promise<number>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(ways) as Name[]
  const seen = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let n = 0; n < WARM_UP + PAIRS; n++) {
    for (const name of n % 2 === 0 ? names : [...names].reverse()) {
      const ms = await ways[name](n)
      if (n >= WARM_UP) seen.get(name)?.push(ms)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(seen.get(name) ?? [])])) as Record<
    Name,
    number
  >
}

async function timed(cartId: string, work: (cartId: string) => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work(cartId)
  return performance.now() - started
}

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function simpleProducts(shop: WholeShop): Promise<Product[]> {
  const { products } = await shop.sandbox.control<{
    products: { product: { id: string; type: string; status: string; inventory: number } }[]
  }>(`/products?page_uid=${PAGE.uid}&limit=500`)
  const ids = products
    .map(({ product }) => product)
    .filter(
      ({ type, status, inventory }) => type === "simple" && status === "enabled" && inventory > 20,
    )
    .map(({ id }) => id)
    .slice(0, PRODUCTS)
  const query = ids.map((id) => `id[]=${id}`).join("&")
  const answer = await shop.admin.get<{ products: { id: string; variants: { id: string }[] }[] }>(
    `/admin/products?${query}&fields=id,variants.id&limit=${PRODUCTS}`,
  )
  return answer.products.map(({ id, variants }) => ({ id, variantId: variants[0]?.id ?? "" }))
}

async function runningShow(shop: WholeShop, products: Product[]) {
  const { event } = await shop.sandbox.control<{ event: { id: string; campaign_uid: string } }>(
    "/events",
    { page_uid: PAGE.uid, kind: "live", name: "The benchmark's show" },
  )
  for (const { id } of products) {
    await shop.sandbox.control(`/events/${event.id}/products`, { external_id: id, price: 9 })
  }
  await shop.sandbox.control(`/events/${event.id}/start`, {})
  const { order_no } = await shop.sandbox.control<{ order_no: string }>("/order-numbers", {
    campaign_uid: event.campaign_uid,
  })
  return { eventId: event.id, campaignUid: event.campaign_uid, orderNo: order_no }
}

function storeOf({ storeUrl }: WholeShop, { publishableKey }: Market) {
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
