/** What people do in a market of a running store, and what the sandbox shows in it. It loads nothing of Medusa. */
import type { MedusaSuiteOptions } from "@medusajs/test-utils"
import type { REGIONS } from "../../demo/catalog/seed-names"
import {
  deliverCart as deliver,
  MANUAL_PAYMENT,
  paymentSessionsOf,
  type StoreCall,
  UNREAD,
} from "./order-steps"
import type { RunningSandbox } from "./sandbox"

export type MarketName = keyof typeof REGIONS
type Api = MedusaSuiteOptions["api"]
type Headers = { headers: Record<string, string> }

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

/** Variants as the merchant has ranked them: Medusa answers in no order, and of some there are two pieces only. */
export const ranked = <T extends { variant_rank: number }>(variants: T[]): T[] =>
  [...variants].sort((one, other) => one.variant_rank - other.variant_rank)

/** What a shopper's storefront knows of a market. */
export type Place = Pick<Market, "name" | "regionId" | "currency" | "salesChannelId" | "store">

export async function createCart(api: Api, market: Place): Promise<string> {
  const body = { region_id: market.regionId }
  const { data } = await api.post(`/store/carts${UNREAD}`, body, market.store)
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
  const created = await sandbox.client.events.create({
    page_uid: market.pageUid,
    kind: "live",
    name: "Evening at the kiln",
    ...event,
  })
  for (const { variant, price, extra } of products) {
    await sandbox.control(`/events/${created.id}/products`, {
      external_id: variant.product_id,
      name: variant.handle,
      sku: variant.sku ?? variant.handle,
      url: `http://127.0.0.1:8000/products/${variant.handle}`,
      price,
      ...(variant.siblings > 1 ? { variants: [{ external_id: variant.id, price }] } : {}),
      ...extra,
    })
  }
  await sandbox.control(`/events/${created.id}/start`, {})
  return {
    eventId: created.id,
    campaignUid: created.campaign_uid,
    orderNo: await newOrderNo(sandbox, created.campaign_uid),
  }
}

export async function newOrderNo(sandbox: RunningSandbox, campaignUid: string): Promise<string> {
  return (await sandbox.client.orders.issueNumber({ campaign_uid: campaignUid })).order_no
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
  market: Place,
  cartId: string,
  country: string,
): Promise<void> {
  await deliver(callOf(api, market), cartId, country)
}

/** What a shopper of a market asks the store; an answer that refuses is thrown. */
const callOf =
  (api: Api, { store }: Place): StoreCall =>
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

/** The same for what comes to be one value. */
export const eventuallyIs = <T>(look: () => T | Promise<T>, value: T): Promise<T> =>
  eventually(
    async () => look(),
    (seen) => seen === value,
  )
