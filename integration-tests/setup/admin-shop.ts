/** A whole shop as it is after its first evenings: connected, with shows and orders. */
import { Client } from "@medusajs/framework/pg"
import {
  connect,
  importCatalog,
  type Market,
  readMarkets,
  registerWebhook,
} from "../../demo/start-up/connect"
import { startShow } from "../../demo/start-up/show"
import { eventually } from "./market"
import { deliverCart, MANUAL_PAYMENT, paymentSessionsOf, type StoreCall } from "./order-steps"
import type { WholeShop } from "./whole-shop"

type LiveEvent = {
  id: string
  event_id: string
  campaign_uid: string
  name: string
  status: string
}
type Product = { id: string; title: string; variants: { id: string }[] }

export type Evening = {
  connectionId: string
  market: Market
  /** Runs, with six products. */
  show: LiveEvent
}

/** Connects the Danish market and starts a show with six products. */
export async function openTheEvening(shop: WholeShop): Promise<Evening> {
  const [market] = await readMarkets(shop.admin)
  if (!market) throw new Error("no market")
  const { sandbox, admin, storefrontUrl } = shop
  const connectionId = await connect(admin, market, {
    sandbox: sandbox.url,
    storefront: storefrontUrl,
  })
  await admin.post(`/admin/svc/connections/${connectionId}/setup/storefront`)
  await importCatalog(admin, connectionId, () => undefined)
  await registerWebhook(admin, connectionId, sandbox.url)
  await startShow(admin, sandbox.url)
  return { connectionId, market, show: await showOf(shop, ({ status }) => status === "live") }
}

/** The first show that is as asked for, as the store knows it, once it does. */
export async function showOf(
  shop: WholeShop,
  wanted: (show: LiveEvent) => boolean,
): Promise<LiveEvent> {
  const { live_events } = await eventually(
    () => shop.admin.get<{ live_events: LiveEvent[] }>("/admin/svc/live-events?limit=50"),
    (answer) => answer.live_events.some(wanted),
  )
  const show = live_events.find(wanted)
  if (!show) throw new Error("no such show")
  return show
}

/** Makes a show with one product of the store and starts it. */
export async function startSmallShow(
  shop: WholeShop,
  name: string,
  product: Product,
  price: number,
): Promise<LiveEvent> {
  const { event } = await shop.sandbox.control<{ event: { id: string } }>("/events", {
    page_uid: "demo-page",
    kind: "live",
    name,
    is_published: true,
  })
  await shop.sandbox.control(`/events/${event.id}/products`, { external_id: product.id, price })
  await shop.sandbox.control(`/events/${event.id}/start`, {})
  return showOf(shop, (show) => show.event_id === event.id && show.status === "live")
}

export async function productOf(shop: WholeShop, handle: string): Promise<Product> {
  const { products } = await shop.admin.get<{ products: Product[] }>(
    `/admin/products?handle=${handle}&fields=id,title,variants.id`,
  )
  const [product] = products
  if (!product) throw new Error(`no ${handle}`)
  return product
}

/** Moves the sales of a product in a show an hour back, so that the show has sold in two hours. */
export async function sellAnHourEarlier(
  shop: WholeShop,
  show: Pick<LiveEvent, "campaign_uid">,
  product: Pick<Product, "id">,
): Promise<void> {
  const client = new Client({ connectionString: shop.databaseUrl })
  await client.connect()
  try {
    // The order itself: a ledger that is written anew takes its time from there.
    await client.query(
      `UPDATE "order" SET created_at = created_at - interval '1 hour' WHERE id IN (
         SELECT order_id FROM svc_ledger_entry WHERE campaign_uid = $1 AND product_id = $2)`,
      [show.campaign_uid, product.id],
    )
    await client.query(
      `UPDATE svc_ledger_entry SET occurred_at = occurred_at - interval '1 hour'
       WHERE campaign_uid = $1 AND product_id = $2`,
      [show.campaign_uid, product.id],
    )
  } finally {
    await client.end()
  }
}

type OrderInput = {
  market: Market
  show: Pick<LiveEvent, "campaign_uid">
  product: Product
  quantity?: number
  /** What happens between the basket and the order. */
  meanwhile?: () => Promise<unknown>
}

/** The service's number for a basket: the player asks for it and sends it along. */
async function orderNumber(
  shop: WholeShop,
  { campaign_uid }: Pick<LiveEvent, "campaign_uid">,
): Promise<string> {
  const { order_no } = await shop.sandbox.control<{ order_no: string }>("/order-numbers", {
    campaign_uid,
  })
  return order_no
}

/** A shopper adds a product in the player and pays; where a price has changed meanwhile, they agree to the new one. */
export async function placeOrder(shop: WholeShop, input: OrderInput): Promise<{ id: string }> {
  const { market, show, product, quantity = 1, meanwhile } = input
  const headers = {
    "content-type": "application/json",
    "x-publishable-api-key": market.publishableKey,
  }
  const call: StoreCall = async (path, body) => {
    const answer = await fetch(`${shop.storeUrl}${path}`, {
      headers,
      ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!answer.ok && answer.status !== 409) throw new Error(`${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }
  const order_no = await orderNumber(shop, show)
  const { cart } = await call<{ cart: { id: string } }>("/store/carts", {
    region_id: market.regionId,
    sales_channel_id: market.salesChannelId,
  })
  const path = `/store/carts/${cart.id}`
  const added = await call<{ status: string }>(`${path}/svc/update-cart-contents`, {
    campaign_uid: show.campaign_uid,
    page_uid: "demo-page",
    order_no,
    products: [
      { action: "add", product_id: product.id, variant_id: product.variants[0]?.id, quantity },
    ],
  })
  if (added.status !== "SUCCESS") throw new Error(`not added: ${JSON.stringify(added)}`)
  await deliverCart(call, cart.id)
  await meanwhile?.()
  // Twice: the first time a shopper is told of what has changed.
  for (let tries = 0; tries < 4; tries += 1) {
    await call(await paymentSessionsOf(call, cart.id), MANUAL_PAYMENT)
    const { order } = await call<{ order?: { id: string } }>(`${path}/complete`, {})
    if (order) return order
  }
  throw new Error("The order was not placed")
}
