/** A whole shop as it is after its first evenings: connected, with shows and orders. */
import { Client } from "@medusajs/framework/pg"
import axios from "axios"
import { importCatalog, registerWebhook } from "../../demo/start-up/connect"
import { startShow } from "../../demo/start-up/show"
import { connectHomeMarket, sell } from "./home-market"
import { eventually, type Market, ranked } from "./market"
import type { WholeShop } from "./whole-shop"

export type LiveEvent = {
  id: string
  event_id: string
  campaign_uid: string
  name: string
  status: string
}
type Product = { id: string; title: string; variants: { id: string; variant_rank: number }[] }

export type Evening = {
  connectionId: string
  market: Market
  /** Runs, with six products. */
  show: LiveEvent
}

/** Connects the Danish market and starts a show with six products. */
export async function openTheEvening(shop: WholeShop): Promise<Evening> {
  const { sandbox, admin, storeUrl, storefrontUrl } = shop
  const { market } = await connectHomeMarket(storeUrl, sandbox, storefrontUrl)
  const { connectionId } = market
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

/** A product of the demo's shop, with its variants as the merchant has ranked them. */
export async function productOf(shop: WholeShop, handle: string): Promise<Product> {
  const { products } = await shop.admin.get<{ products: Product[] }>(
    `/admin/products?handle=${handle}&fields=id,title,variants.id,variants.variant_rank`,
  )
  const [product] = products
  if (!product) throw new Error(`no ${handle}`)
  return { ...product, variants: ranked(product.variants) }
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

/** A shopper adds a product in the player and pays. */
export async function placeOrder(
  { storeUrl, sandbox }: WholeShop,
  {
    show,
    product,
    ...input
  }: Pick<Parameters<typeof sell>[1], "market" | "quantity" | "meanwhile"> & {
    show: Pick<LiveEvent, "campaign_uid">
    product: Product
  },
): Promise<{ id: string }> {
  const [variant] = product.variants
  if (!variant) throw new Error(`${product.title} has no variant`)
  const api = axios.create({ baseURL: storeUrl })
  const { order } = await sell(
    { campaignUid: show.campaign_uid },
    { ...input, api, sandbox, variant: { id: variant.id, product_id: product.id } },
  )
  return order
}
