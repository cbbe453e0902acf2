/** The demo's shop with one of its markets connected to a running sandbox: what most HTTP tests begin with. */
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { MedusaSuiteOptions } from "@medusajs/test-utils"
import { seedDemo } from "../../demo/catalog/seed"
import { CHANNELS, REGIONS } from "../../demo/catalog/seed-names"
import { type Market, type MarketName, type Place, ranked, type Variant } from "./market"
import { adminHeaders, eventsAreMarked } from "./medusa"
import type { RunningSandbox } from "./sandbox"

type Api = MedusaSuiteOptions["api"]

/** Two pages at the service, one per market, as a merchant with two markets has them. */
const PAGES = {
  denmark: { uid: "demo-page", currency: "DKK", vat: { rate: 25, included: true } },
  europe: { uid: "europe-page", currency: "EUR", vat: { rate: 19, included: false } },
} as const

/** Seeds the demo's shop; once per file, in `beforeAll`. */
export async function seedShop(container: MedusaContainer): Promise<void> {
  await seedDemo(container)
  await eventsAreMarked(container)
}

/** A market of the demo's shop, connected or not. */
export async function placeOf(container: MedusaContainer, name: MarketName): Promise<Place> {
  const [region] = await container
    .resolve(Modules.REGION)
    .listRegions({ name: REGIONS[name] }, { take: 1 })
  const [channel] = await container
    .resolve(Modules.SALES_CHANNEL)
    .listSalesChannels({ name: CHANNELS[name] }, { take: 1 })
  if (!region || !channel) throw new Error("The demo's shop is not seeded")
  return {
    name,
    regionId: region.id,
    currency: region.currency_code,
    salesChannelId: channel.id,
    store: { headers: { "x-publishable-api-key": await publishableKey(container, channel.id) } },
  }
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
  const { pages } = await sandbox.client.pages.list()
  // The sandbox keeps its pages from test to test; the store forgets its connections.
  const { api_token: apiToken } =
    pages.find(({ uid }) => uid === page.uid) ??
    (await sandbox.client.pages.create({ ...page, name: "Europe" }))

  const place = await placeOf(container, name)
  const { data } = await api.post(
    "/admin/svc/connections",
    {
      name: `Demo ${name}`,
      page_uid: page.uid,
      base_url: sandbox.url,
      api_token: apiToken,
      sales_channel_id: place.salesChannelId,
      region_id: place.regionId,
      // As the page tells its show prices.
      prices_include_vat: PAGES[name].vat.included,
      storefront_url: "http://127.0.0.1:8000",
    },
    admin,
  )
  return { ...place, pageUid: page.uid, apiToken, connectionId: data.connection.id, admin }
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
  type Row = { id: string; sku: string | null; title: string; variant_rank: number }
  return ranked<Row>(product.variants).map(
    (variant): Variant => ({
      id: variant.id,
      sku: variant.sku,
      title: variant.title,
      product_id: product.id,
      handle,
      siblings: product.variants.length,
    }),
  )
}

/** A code that takes some percent off what a cart has in it, or off its delivery. */
export async function createPercentOff(
  container: MedusaContainer,
  code: string,
  value = 10,
  target_type: "items" | "shipping_methods" = "items",
): Promise<void> {
  await container.resolve(Modules.PROMOTION).createPromotions({
    code,
    type: "standard",
    status: "active",
    application_method: {
      type: "percentage",
      target_type,
      allocation: "across",
      value,
    },
  })
}
