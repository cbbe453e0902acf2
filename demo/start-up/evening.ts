/**
 * `--evening`: a show from its plan to its refund, in half a minute, through the routes that a shopper's browser and a
 * merchant's admin call. Shoppers buy before and after a price drop, one thing sells out, the show ends, an order is
 * refunded. Nobody is made to believe that hours passed: every time in the admin is that of the call.
 */
import { type Market, PAGE } from "./connect"
import { planShow, type Show } from "./show"
import { apiAt, control, type StoreApi } from "./store-api"

type Addresses = { store: string; sandbox: string }
type Sold = { uid: string; external_id: string; data: { name: string; variants?: Variant[] } }
type Variant = { externalId: string }

const ADDRESS = {
  last_name: "Holm",
  address_1: "Strandvejen 1",
  postal_code: "7700",
  city: "Thisted",
  country_code: "dk",
}
const WITHIN_MS = 60_000

/** @param detail  is told what goes on */
export async function playEvening(
  store: StoreApi,
  url: Addresses,
  market: Market,
  detail: (text: string) => void,
): Promise<void> {
  const show = await planShow(store, url.sandbox)
  const at = `/events/${show.id}`
  const { products } = await control<{ products: Sold[] }>(url.sandbox, at)
  const named = (word: string) => {
    const found = products.find(({ data }) => data.name.includes(word))
    if (!found) throw new Error(`The show has no ${word}.`)
    return found
  }
  const change = (product: Sold, changes: object) =>
    control(url.sandbox, `${at}/products/${product.uid}`, changes)
  const buy = (name: string, word: string, quantity = 1) =>
    buyInShow(url, market, show, { name, product: named(word), quantity })

  detail("planned")
  await until(store, show, "planned")
  await control(url.sandbox, `${at}/start`, {})
  await until(store, show, "live")
  detail("live: the first orders")
  await buy("Karen", "mug", 2)
  const regretted = await buy("Jens", "lamp")
  await buy("Ida", "sweater")

  detail("the lamp's price drops")
  await change(named("lamp"), { price: 649 })
  await buy("Bodil", "lamp")
  await buy("Aksel", "throw")

  detail("the vase is sold out")
  await buy("Tove", "vase", 3)
  await change(named("vase"), { available: false })

  await control(url.sandbox, `${at}/end`, {})
  await until(store, show, "processing")
  await control(url.sandbox, `${at}/complete`, {})
  await until(store, show, "vod")

  detail("over: one order is refunded")
  const { order } = await store.get<{
    order: { payment_collections: { payments: { id: string; amount: number }[] }[] }
  }>(`/admin/orders/${regretted}?fields=id,*payment_collections.payments`)
  const payment = order.payment_collections[0]?.payments[0]
  if (!payment) throw new Error("The order has no payment.")
  await store.post(`/admin/payments/${payment.id}/capture`)
  await store.post(`/admin/payments/${payment.id}/refund`, { amount: payment.amount })
  detail("6 orders, one of them refunded")
}

/** The store hears of a show by webhook. */
async function until(store: StoreApi, show: Show, status: string): Promise<void> {
  for (const end = Date.now() + WITHIN_MS; Date.now() < end; ) {
    const { live_events } = await store.get<{
      live_events: { event_id: string; status: string }[]
    }>("/admin/svc/live-events?limit=50")
    if (live_events.some((one) => one.event_id === show.id && one.status === status)) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`The store has not heard that the show is ${status}; its deliveries say why.`)
}

/** A shopper who adds a product in the player and pays. @returns the order's id */
async function buyInShow(
  url: Addresses,
  market: Market,
  show: Show,
  { name, product, quantity }: { name: string; product: Sold; quantity: number },
): Promise<string> {
  const shop = apiAt(`${url.store}/store`, { "x-publishable-api-key": market.publishableKey })
  const { campaign_uid } = show
  const { order_no } = await control<{ order_no: string }>(url.sandbox, "/order-numbers", {
    campaign_uid,
  })
  const { cart } = await shop.post<{ cart: { id: string } }>("/carts", {
    region_id: market.regionId,
    sales_channel_id: market.salesChannelId,
  })
  const path = `/carts/${cart.id}`
  const bought = {
    product_id: product.external_id,
    variant_id: product.data.variants?.[0]?.externalId,
    quantity,
  }
  await shop.post(`${path}/svc/some-checkout`, {
    campaign_uid,
    page_uid: PAGE.uid,
    order_no,
    products: [bought],
  })
  const address = { first_name: name, ...ADDRESS }
  await shop.post(path, {
    email: `${name.toLowerCase()}@example.test`,
    shipping_address: address,
    billing_address: address,
  })
  const { shipping_options } = await shop.get<{ shipping_options: { id: string }[] }>(
    `/shipping-options?cart_id=${cart.id}`,
  )
  await shop.post(`${path}/shipping-methods`, { option_id: shipping_options[0]?.id })
  const { payment_collection } = await shop.post<{ payment_collection: { id: string } }>(
    "/payment-collections",
    { cart_id: cart.id },
  )
  const sessions = `/payment-collections/${payment_collection.id}/payment-sessions`
  await shop.post(sessions, { provider_id: "pp_system_default" })
  const { order } = await shop.post<{ order?: { id: string } }>(`${path}/complete`, {})
  if (!order) throw new Error("The order was not placed.")
  return order.id
}
