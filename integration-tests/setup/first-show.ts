/** A merchant's first show over HTTP alone, in a store that has nothing yet: from the connection to the reported order. */
import axios, { type AxiosInstance } from "axios"
import { eventually, type Market, newOrderNo, placeOrder, runShow, type Variant } from "./market"
import type { RunningSandbox } from "./sandbox"

/** Major units, VAT of 25 % included. */
const CATALOG_PRICE = 189
const SHOW_PRICE = 129

export type ShowResult = {
  /** State of the product's row after the import. */
  product: string
  action: string
  total: number
  order: string
  /** How often the service was told of the order. */
  reports: number
}

/** What it all comes to where everything works. */
export const AS_PROMISED: ShowResult = {
  product: "synced",
  action: "SUCCESS",
  total: 2 * SHOW_PRICE,
  order: "order",
  reports: 1,
}

/**
 * A connected store whose show is running.
 *
 * @param admin the admin API of a store that `SVC_BACKEND_URL` gives its address to; it may have held a show before
 */
export async function openFirstShow(admin: AxiosInstance, sandbox: RunningSandbox) {
  const market = await openMarket(admin, sandbox)
  const variant = await addBowl(admin, market)
  const product = await importCatalog(admin, market, variant)
  await admin.post(`/admin/svc/connections/${market.connectionId}/webhook`, {})

  const show = await runShow(sandbox, market, [{ variant, price: SHOW_PRICE }])
  const shopper = axios.create({ baseURL: admin.defaults.baseURL, ...market.store })
  /** A new cart with two of the product, as the player puts them there. */
  const fillCart = async () => {
    const { data } = await shopper.post("/store/carts", {
      region_id: market.regionId,
      email: "karen@example.test",
    })
    const orderNo = await newOrderNo(sandbox, show.campaignUid)
    const action = await eventually(
      () =>
        shopper.post(`/store/carts/${data.cart.id}/svc/some-checkout`, {
          campaign_uid: show.campaignUid,
          page_uid: market.pageUid,
          order_no: orderNo,
          products: [{ product_id: variant.product_id, variant_id: variant.id, quantity: 2 }],
        }),
      // Not within the two seconds that a shopper waits: they tap again.
      ({ data: { failed_products } }) => failed_products[0]?.code !== "price_unavailable",
    )
    return { cartId: data.cart.id as string, orderNo, status: action.data.status as string }
  }
  return { market, shopper, product, fillCart }
}

/** @param admin as in `openFirstShow` */
export async function holdFirstShow(
  admin: AxiosInstance,
  sandbox: RunningSandbox,
): Promise<ShowResult> {
  const { market, shopper, product, fillCart } = await openFirstShow(admin, sandbox)
  const { cartId, orderNo, status } = await fillCart()
  const placed = await placeOrder(shopper as never, market, cartId)
  const reported = await eventually(
    () => sandbox.client.orders.conversions(),
    ({ conversions }) => conversions.some(({ order_no }) => order_no === orderNo),
  )
  return {
    product,
    action: status,
    total: placed.data.order?.total ?? 0,
    order: String(placed.data.type),
    reports: reported.conversions.find(({ order_no }) => order_no === orderNo)?.reports ?? 0,
  }
}

/** A region with its tax, and the store's own channel connected to the sandbox's page. */
async function openMarket(admin: AxiosInstance, sandbox: RunningSandbox): Promise<Market> {
  const { pages } = await sandbox.client.pages.list()
  const [page] = pages
  if (!page) throw new Error("The sandbox has no page")
  const channels = await admin.get("/admin/sales-channels")
  const [channel] = channels.data.sales_channels
  const keys = await admin.get("/admin/api-keys?type=publishable")
  const [known] = (await admin.get("/admin/regions")).data.regions
  const regionId: string = known?.id ?? (await addDenmark(admin))
  const connection = await admin.post("/admin/svc/connections", {
    name: "Denmark",
    page_uid: page.uid,
    base_url: sandbox.url,
    api_token: page.api_token,
    sales_channel_id: channel.id,
    region_id: regionId,
    storefront_url: "http://127.0.0.1:8000",
  })
  return {
    name: "denmark",
    pageUid: page.uid,
    apiToken: page.api_token,
    connectionId: connection.data.connection.id,
    regionId,
    currency: "dkk",
    salesChannelId: channel.id,
    store: { headers: { "x-publishable-api-key": keys.data.api_keys[0].token } },
    admin: { headers: {} },
  }
}

async function addDenmark(admin: AxiosInstance): Promise<string> {
  const { data } = await admin.post("/admin/regions", {
    name: "Denmark",
    currency_code: "dkk",
    countries: ["dk"],
    payment_providers: ["pp_system_default"],
    is_tax_inclusive: true,
  })
  await admin.post("/admin/tax-regions", {
    country_code: "dk",
    provider_id: "tp_system",
    default_tax_rate: { name: "VAT", code: "vat", rate: 25 },
  })
  return data.region.id
}

/** One product that needs no parcel and is never sold out. */
async function addBowl(admin: AxiosInstance, market: Market): Promise<Variant> {
  const { products } = (await admin.get("/admin/products?handle=bowl&fields=*variants")).data
  const product = products[0] ?? (await createBowl(admin, market))
  const [variant] = product.variants
  return { ...variant, product_id: product.id, handle: product.handle, siblings: 1 }
}

async function createBowl(admin: AxiosInstance, market: Market) {
  const { data } = await admin.post("/admin/products", {
    title: "Bowl",
    handle: "bowl",
    status: "published",
    options: [{ title: "Size", values: ["One"] }],
    sales_channels: [{ id: market.salesChannelId }],
    variants: [
      {
        title: "One",
        sku: "BOWL",
        manage_inventory: false,
        options: { Size: "One" },
        prices: [{ currency_code: "dkk", amount: CATALOG_PRICE }],
      },
    ],
  })
  return data.product
}

/** @returns the state of the product's row */
async function importCatalog(
  admin: AxiosInstance,
  market: Market,
  variant: Variant,
): Promise<string> {
  const path = `/admin/svc/connections/${market.connectionId}/sync`
  await admin.post(path, {})
  await eventually(
    async () => (await admin.get(path)).data.sync,
    ({ status }) => status === "completed",
  )
  const { data } = await admin.get(`/admin/svc/products?product_id=${variant.product_id}`)
  return data.products[0]?.state ?? "unknown"
}
