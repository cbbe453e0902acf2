import type { AxiosInstance } from "axios"
import { connect, type Market as HomeMarket, PAGE, readMarkets } from "../../demo/start-up/connect"
import { logIn, type StoreApi } from "../../demo/start-up/store-api"
import {
  createCart,
  deliverCart,
  eventually,
  type Market,
  newOrderNo,
  type OrderAnswer,
  placeOrder,
  ranked,
  type Show,
  type Variant,
} from "./market"
import type { RunningSandbox } from "./sandbox"

/** Connects the first market of the demo's shop, in a store of its own process, to a page of the sandbox. */
export async function connectHomeMarket(
  storeUrl: string,
  sandbox: { url: string },
  storefront = "http://127.0.0.1:8000",
): Promise<{ admin: StoreApi; market: Market }> {
  const admin = await logIn(storeUrl)
  const [home] = await readMarkets(admin)
  if (!home) throw new Error("The demo's shop has no market.")
  const connectionId = await connect(admin, home, {
    sandbox: sandbox.url,
    storefront,
  })
  return { admin, market: marketOf(home, connectionId) }
}

export const marketOf = (home: HomeMarket, connectionId: string): Market => ({
  ...home,
  name: "denmark",
  pageUid: PAGE.uid,
  apiToken: PAGE.token,
  connectionId,
  store: { headers: { "x-publishable-api-key": home.publishableKey } },
  admin: { headers: {} },
})

/** The mug of the demo's shop, as a show sells it. */
export async function findMug(admin: StoreApi): Promise<Variant> {
  const { products } = await admin.get<{
    products: {
      id: string
      handle: string
      variants: { id: string; sku: string; variant_rank: number }[]
    }[]
  }>(
    "/admin/products?handle=havn-mug&fields=id,handle,variants.id,variants.sku,variants.variant_rank",
  )
  const [product] = products
  const [variant] = ranked(product?.variants ?? [])
  if (!product || !variant) throw new Error("The demo's shop has no mug.")
  const siblings = product.variants.length
  return { ...variant, title: "", product_id: product.id, handle: product.handle, siblings }
}

type Sale = {
  api: AxiosInstance
  sandbox: RunningSandbox
  market: Market
  variant: Pick<Variant, "id" | "product_id">
  quantity?: number
  /** What happens between the basket and the order: the shopper is told of it first, and agrees. */
  meanwhile?: () => Promise<unknown>
}

/** A tap in the player of a show, up to the payment. @returns with the basket's number at the service */
export async function fillBasket(
  show: Pick<Show, "campaignUid">,
  { api, sandbox, market, variant, quantity = 1 }: Omit<Sale, "meanwhile">,
): Promise<{ orderNo: string; cartId: string }> {
  const orderNo = await newOrderNo(sandbox, show.campaignUid)
  const cartId = await createCart(api, market)
  const tap = () =>
    api.post(
      `/store/carts/${cartId}/svc/update-cart-contents`,
      {
        campaign_uid: show.campaignUid,
        page_uid: market.pageUid,
        order_no: orderNo,
        products: [
          { action: "add", product_id: variant.product_id, variant_id: variant.id, quantity },
        ],
      },
      market.store,
    )
  // A busy machine does not look a price up within the two seconds that a shopper waits: they tap again.
  const { data } = await eventually(
    tap,
    ({ data }) => data.failed_products[0]?.code !== "price_unavailable",
  )
  expect(data).toMatchObject({ status: "SUCCESS", failed_products: [] })
  await deliverCart(api, market, cartId, "dk")
  return { orderNo, cartId }
}

/** A tap in the player of a show, and the order. @returns with the order's number at the service */
export async function sell(
  show: Pick<Show, "campaignUid">,
  { meanwhile, ...sale }: Sale,
): Promise<{ orderNo: string; order: NonNullable<OrderAnswer["order"]> }> {
  const { api, market } = sale
  const { orderNo, cartId } = await fillBasket(show, sale)
  await meanwhile?.()
  let answer = (await placeOrder(api, market, cartId)).data
  for (let told = 0; meanwhile && !answer.order && told < 3; told += 1) {
    answer = (await placeOrder(api, market, cartId)).data
  }
  const { order } = answer
  if (!order) throw new Error(`The cart was not ordered: ${JSON.stringify(answer)}`)
  return { orderNo, order }
}

/** Numbers of the orders that the service has been told of, in order. */
export async function reportedTo(sandbox: RunningSandbox): Promise<string[]> {
  const { conversions } = await sandbox.client.orders.conversions()
  return conversions.map(({ order_no }) => order_no).sort()
}

/** Where an import of a connection is. */
export const syncOf = async (
  admin: StoreApi,
  { connectionId }: Market,
): Promise<{ status: string; total: number; done: number }> =>
  (
    await admin.get<{ sync: { status: string; total: number; done: number } }>(
      `/admin/svc/connections/${connectionId}/sync`,
    )
  ).sync
