/** The demo's shop with one of its markets connected to a running sandbox: what most HTTP tests begin with. */
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { MedusaSuiteOptions } from "@medusajs/test-utils"
import { seedDemo } from "../../demo/catalog/seed"
import { CHANNELS, REGIONS } from "../../demo/catalog/seed-names"
import { adminHeaders, eventsAreMarked } from "./medusa"
import {
  deliverCart as deliver,
  MANUAL_PAYMENT,
  paymentSessionsOf,
  type StoreCall,
} from "./order-steps"
import type { RunningSandbox } from "./sandbox"

export type MarketName = keyof typeof REGIONS
type Api = MedusaSuiteOptions["api"]
type Headers = { headers: Record<string, string> }

/** Two pages at the service, one per market, as a merchant with two markets has them. */
const PAGES = {
  denmark: { uid: "demo-page", currency: "DKK", vat: { rate: 25, included: true } },
  europe: { uid: "europe-page", currency: "EUR", vat: { rate: 19, included: false } },
} as const

export type Market = {
  name: MarketName
  pageUid: string
  apiToken: string
  connectionId: string
  regionId: string
  currency: string
  salesChannelId: string
  /** Headers of a store request in this market. */
  store: Headers
  admin: Headers
}

export type Variant = {
  id: string
  sku: string | null
  product_id: string
  title: string
  handle: string
  siblings: number
}

/** Seeds the demo's shop; once per file, in `beforeAll`. */
export async function seedShop(container: MedusaContainer): Promise<void> {
  await seedDemo(container)
  await eventsAreMarked(container)
}

/** Makes the page at the sandbox and the connection in the store. */
export async function connectMarket(
  api: Api,
  container: MedusaContainer,
  sandbox: RunningSandbox,
  name: MarketName,
): Promise<Market> {
  const page = PAGES[name]
  const admin = await adminHeaders(container)
  const readPages = () => sandbox.control<{ pages: { uid: string; api_token: string }[] }>("/pages")
  // The sandbox keeps its pages from test to test; the store forgets its connections.
  if (!(await readPages()).pages.some(({ uid }) => uid === page.uid)) {
    await sandbox.control("/pages", { ...page, name: "Europe" })
  }
  const { pages } = await readPages()
  const apiToken = pages.find((candidate) => candidate.uid === page.uid)?.api_token ?? ""

  const [region] = await container
    .resolve(Modules.REGION)
    .listRegions({ name: REGIONS[name] }, { take: 1 })
  const [channel] = await container
    .resolve(Modules.SALES_CHANNEL)
    .listSalesChannels({ name: CHANNELS[name] }, { take: 1 })
  if (!region || !channel) throw new Error("The demo's shop is not seeded")

  const { data } = await api.post(
    "/admin/svc/connections",
    {
      name: `Demo ${name}`,
      page_uid: page.uid,
      base_url: sandbox.url,
      api_token: apiToken,
      sales_channel_id: channel.id,
      region_id: region.id,
      // As the page tells its show prices.
      prices_include_vat: PAGES[name].vat.included,
      storefront_url: "http://127.0.0.1:8000",
    },
    admin,
  )
  return {
    name,
    pageUid: page.uid,
    apiToken,
    connectionId: data.connection.id,
    regionId: region.id,
    currency: region.currency_code,
    salesChannelId: channel.id,
    store: { headers: { "x-publishable-api-key": await publishableKey(container, channel.id) } },
    admin,
  }
}

async function publishableKey(container: MedusaContainer, channelId: string): Promise<string> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "api_key",
    fields: ["token", "type", "sales_channels_link.sales_channel_id"],
    filters: { type: "publishable" },
  })
  const key = data.find((candidate: { sales_channels_link?: { sales_channel_id: string }[] }) =>
    candidate.sales_channels_link?.some((link) => link.sales_channel_id === channelId),
  )
  if (!key) throw new Error(`No publishable key for ${channelId}`)
  return key.token
}

/** The variants of a product of the demo's shop, by its handle, as the merchant has ranked them. */
export async function variantsOf(container: MedusaContainer, handle: string): Promise<Variant[]> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "product",
    fields: [
      "id",
      "handle",
      "variants.id",
      "variants.sku",
      "variants.title",
      "variants.variant_rank",
    ],
    filters: { handle },
  })
  const product = data[0]
  if (!product) throw new Error(`No product ${handle}`)
  // Medusa answers in no order, and of some there are two pieces only.
  const ranked = [...product.variants].sort((one, other) => one.variant_rank - other.variant_rank)
  return ranked.map(
    (variant: { id: string; sku: string | null; title: string }): Variant => ({
      id: variant.id,
      sku: variant.sku,
      title: variant.title,
      product_id: product.id,
      handle,
      siblings: product.variants.length,
    }),
  )
}

export async function createCart(api: Api, market: Market): Promise<string> {
  const { data } = await api.post("/store/carts", { region_id: market.regionId }, market.store)
  return data.cart.id
}

export type Show = { eventId: string; campaignUid: string; orderNo: string }

/** A running show at the sandbox that sells the given products, and an order number as the player gets one. */
export async function runShow(
  sandbox: RunningSandbox,
  market: Market,
  products: { variant: Variant; price: number; extra?: Record<string, unknown> }[],
  event: Record<string, unknown> = {},
): Promise<Show> {
  const created = await sandbox.control<{ event: { id: string; campaign_uid: string } }>(
    "/events",
    { page_uid: market.pageUid, kind: "live", name: "Evening at the kiln", ...event },
  )
  for (const { variant, price, extra } of products) {
    await sandbox.control(`/events/${created.event.id}/products`, {
      external_id: variant.product_id,
      name: variant.handle,
      sku: variant.sku ?? variant.handle,
      url: `http://127.0.0.1:8000/products/${variant.handle}`,
      price,
      ...(variant.siblings > 1 ? { variants: [{ external_id: variant.id, price }] } : {}),
      ...extra,
    })
  }
  await sandbox.control(`/events/${created.event.id}/start`, {})
  return {
    eventId: created.event.id,
    campaignUid: created.event.campaign_uid,
    orderNo: await newOrderNo(sandbox, created.event.campaign_uid),
  }
}

export async function newOrderNo(sandbox: RunningSandbox, campaignUid: string): Promise<string> {
  const { order_no } = await sandbox.control<{ order_no: string }>("/order-numbers", {
    campaign_uid: campaignUid,
  })
  return order_no
}

/** Address, delivery, payment and the order, as a storefront does them. Where the payment is refused, that is the answer. */
export async function completeCart(
  api: Api,
  market: Market,
  cartId: string,
  country: string,
): Promise<{ status: number; data: OrderAnswer }> {
  await deliverCart(api, market, cartId, country)
  return placeOrder(api, market, cartId)
}

/** Address and delivery. */
export async function deliverCart(
  api: Api,
  market: Market,
  cartId: string,
  country: string,
): Promise<void> {
  await deliver(callOf(api, market), cartId, country)
}

/** What a shopper of a market asks the store; an answer that refuses is thrown. */
const callOf =
  (api: Api, { store }: Market): StoreCall =>
  async (path, body) =>
    (await (body ? api.post(path, body, store) : api.get(path, store))).data

export async function placeOrder(
  api: Api,
  market: Market,
  cartId: string,
): Promise<{ status: number; data: OrderAnswer }> {
  const begun = await beginPayment(api, market, cartId)
  if (begun.status !== 200) return begun
  return api.post(
    `/store/carts/${cartId}/complete`,
    {},
    { ...market.store, validateStatus: () => true },
  )
}

/** Starts a payment with Medusa's manual provider; our guard may answer 409. */
export async function beginPayment(
  api: Api,
  market: Market,
  cartId: string,
): Promise<{ status: number; data: OrderAnswer }> {
  const sessions = await paymentSessionsOf(callOf(api, market), cartId)
  return api.post(sessions, MANUAL_PAYMENT, { ...market.store, validateStatus: () => true })
}

/** What core, or our guards before it, answer to the beginning of a payment (`code`, `lines`) or to the order. */
export type OrderAnswer = Record<string, unknown> & {
  order?: PlacedOrder
  error?: { code: string; lines: { id: string }[] }
}

type PlacedOrder = {
  id: string
  total: number
  item_total: number
  tax_total: number
  items: { unit_price: number; quantity: number; total: number; subtotal: number }[]
}

/**
 * Waits until something is true that happens after the answer; fails with what it last saw. A look
 * that throws has seen nothing yet: the row it asks for may be on its way.
 *
 * @param patienceMs what is slow on purpose may take longer
 */
export async function eventually<T>(
  look: () => Promise<T>,
  holds: (seen: T) => boolean,
  patienceMs = 120_000,
): Promise<T> {
  const until = Date.now() + patienceMs
  // What is so at once is seen at once; what takes long is not slowed down by the looking.
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 250)) {
    let failure: Error
    try {
      const seen = await look()
      if (holds(seen)) return seen
      failure = new Error(`Still not so: ${JSON.stringify(seen)}`)
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error))
    }
    if (Date.now() > until) throw failure
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
