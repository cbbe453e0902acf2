/** What the parts of `catalog.spec.ts` share: an empty shop, products to put in it, and what the sandbox got of them. */
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import {
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  createShippingProfilesWorkflow,
  createStockLocationsWorkflow,
  linkSalesChannelsToStockLocationWorkflow,
} from "@medusajs/core-flows"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { workCatalog } from "../../../src/workflows/catalog"
import { eventually } from "../../setup/market"
import { adminHeaders, eventsAreMarked, type StoreSuite } from "../../setup/medusa"
import { type RunningSandbox, startSandbox } from "../../setup/sandbox"

type Pushed = {
  id: string
  sku: string
  name: string
  price: number
  url: string
  type: string
  status: string
  inventory?: number
  manageStock?: boolean
  image?: string
  images?: string[]
  configurableOptions?: { name: string; values: string[] }[]
  variants?: { id: string; sku: string; price: number; inventory: number; status: string }[]
}
export type Received = { product: Pushed; pushes: number }
export type ItemAnswer = {
  id: string
  product_id: string
  state: string
  reason: { code: string; message: string; fix: string } | null
  attempts: number
  next_attempt_at: string | null
  payload?: Pushed | null
  last_payload?: Pushed | null
}
type Answer = { status: number; body: unknown }
type Sync = { status: string; total: number; done: number; failed: number }

export type CatalogShop = ReturnType<typeof catalogShop>

/** To be called where the store is described: its hooks are for every part. */
export function catalogShop({ api, getContainer }: StoreSuite) {
  let sandbox: RunningSandbox
  let admin: { headers: { authorization: string } }
  let channel: string
  let region: string
  let location: string
  let profile: string
  let knex: Knex
  const servers: Server[] = []

  beforeAll(async () => {
    sandbox = await startSandbox()
    const container = getContainer()
    knex = container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
    admin = await adminHeaders(container)
    const [regionRow] = await result(createRegionsWorkflow, {
      regions: [{ name: "Denmark", currency_code: "dkk", countries: ["dk"] }],
    })
    const [channelRow] = await result(createSalesChannelsWorkflow, {
      salesChannelsData: [{ name: "Shop" }],
    })
    const [locationRow] = await result(createStockLocationsWorkflow, {
      locations: [{ name: "Warehouse" }],
    })
    const [profileRow] = await result(createShippingProfilesWorkflow, {
      data: [{ name: "Parcels", type: "parcels" }],
    })
    region = regionRow.id
    channel = channelRow.id
    location = locationRow.id
    profile = profileRow.id
    await result(linkSalesChannelsToStockLocationWorkflow, { id: location, add: [channel] })
  })
  afterAll(async () => {
    for (const server of servers) server.close()
    await sandbox.stop()
  })
  beforeEach(async () => {
    await sandbox.control("/reset", {})
  })

  /** When it returns, the rows are marked for what it changed: no event of one step falls into the next. */
  // biome-ignore lint/suspicious/noExplicitAny: every workflow has its own types; the tests name what they read.
  async function result(workflow: any, input: unknown): Promise<any> {
    const { result } = await workflow(getContainer()).run({ input })
    await eventsAreMarked(getContainer())
    return result
  }

  async function connect(baseUrl = sandbox.url): Promise<string> {
    const { data } = await api.post(
      "/admin/svc/connections",
      {
        name: "Denmark",
        page_uid: "demo-page",
        base_url: baseUrl,
        api_token: "sandbox-token-demo-page",
        sales_channel_id: channel,
        region_id: region,
        storefront_url: "https://shop.example/",
      },
      admin,
    )
    return data.connection.id
  }

  let made = 0
  const variant = (title: string, price: number | null, extra: Record<string, unknown> = {}) => ({
    title,
    sku: `${title}-${++made}`,
    options: { Size: title },
    prices: price === null ? [] : [{ amount: price, currency_code: "dkk" }],
    ...extra,
  })

  async function createProduct(
    title: string,
    variants = [variant("S", 100), variant("M", 120)],
    extra: Record<string, unknown> = {},
  ) {
    const [product] = await result(createProductsWorkflow, {
      products: [
        {
          title,
          status: "published",
          shipping_profile_id: profile,
          sales_channels: [{ id: channel }],
          options: [{ title: "Size", values: variants.map((one) => one.title) }],
          // Without a rank Medusa keeps no order among variants that were made at once.
          variants: variants.map((one, variant_rank) => ({ ...one, variant_rank })),
          ...extra,
        },
      ],
    })
    return product as { id: string; handle: string; variants: { id: string; title: string }[] }
  }

  const received = async (): Promise<Map<string, Received>> => {
    const { products } = await sandbox.control<{ products: Received[] }>("/products?limit=100")
    return new Map(products.map((entry) => [entry.product.id, entry]))
  }
  const productAt = (id: string, holds: (seen: Received) => boolean = () => true) =>
    eventually(
      async () => (await received()).get(id),
      (seen) => seen !== undefined && holds(seen),
    ) as Promise<Received>
  const items = async (query: Record<string, string> = {}): Promise<ItemAnswer[]> =>
    (await api.get("/admin/svc/products", { ...admin, params: { limit: 200, ...query } })).data
      .products
  const itemOf = async (productId: string): Promise<ItemAnswer> => {
    const [item] = await items({ product_id: productId })
    if (!item) throw new Error(`No row for ${productId}`)
    return item
  }
  const settled = (productId: string, state: string) =>
    eventually(
      async () => (await items({ product_id: productId }))[0],
      (item) => item?.state === state,
    ) as Promise<ItemAnswer>
  const sync = async (connectionId: string, step = "", method: "get" | "post" = "post") =>
    (
      await (method === "post"
        ? api.post(`/admin/svc/connections/${connectionId}/sync${step}`, {}, admin)
        : api.get(`/admin/svc/connections/${connectionId}/sync`, admin))
    ).data.sync as Sync
  const importEnds = (connectionId: string) =>
    eventually(
      () => sync(connectionId, "", "get"),
      (seen) => seen.status === "completed",
    )
  const calls = async (): Promise<number> => {
    const { count } = await sandbox.control<{ count: number }>(
      "/journal?q=endpoint:products&limit=1",
    )
    return count
  }
  const inventoryItemOf = async (variantId: string): Promise<string> => {
    const { data } = await getContainer()
      .resolve(ContainerRegistrationKeys.QUERY)
      .graph({
        entity: "product_variant_inventory_items",
        fields: ["inventory_item_id"],
        filters: { variant_id: variantId },
      })
    const [link] = data
    if (!link) throw new Error("no inventory item")
    return link.inventory_item_id
  }

  /** The time for which work and a service that failed are left alone is over. */
  async function laterOn(): Promise<void> {
    await workCatalog(getContainer())
    await knex("svc_connection").update({ breaker_failures: 0, breaker_open_until: null })
    await knex("svc_catalog_item").update({ next_attempt_at: null })
    await workCatalog(getContainer())
  }

  const refused = () => ({ ...admin, validateStatus: () => true })

  /** Products that came by SQL, one variant and a price each, so that no event told of them. */
  async function insertProducts(titles: string[]): Promise<string[]> {
    const ids = titles.map((_, n) => `prod_sql_${String(n).padStart(3, "0")}_${titles.length}`)
    const rows = titles.map((title, n) => ({ title, id: ids[n] ?? "", key: `sql_${ids[n]}` }))
    await knex("product").insert(
      rows.map(({ id, title }) => ({ id, title, handle: id, status: "published" })),
    )
    await knex("product_sales_channel").insert(
      rows.map(({ id, key }) => ({ id: key, product_id: id, sales_channel_id: channel })),
    )
    await knex("product_variant").insert(
      rows.map(({ id, key }) => ({ id: key, title: "S", product_id: id })),
    )
    await knex("price_set").insert(rows.map(({ key }) => ({ id: key })))
    await knex("product_variant_price_set").insert(
      rows.map(({ key }) => ({ id: key, variant_id: key, price_set_id: key })),
    )
    await knex("price").insert(
      rows.map(({ key }) => ({
        id: key,
        price_set_id: key,
        currency_code: "dkk",
        amount: 10,
        raw_amount: { value: "10", precision: 20 },
      })),
    )
    return ids
  }

  const insertProduct = async (title: string): Promise<string> => {
    const [id] = await insertProducts([title])
    return id ?? ""
  }

  /** A service that answers as told: the sandbox is kinder than some. */
  async function answering(
    answer: (products: Pushed[]) => Answer | Promise<Answer>,
  ): Promise<string> {
    const server = createServer(async (request, response) => {
      const { products = [] } = JSON.parse((await bodyOf(request)) || "{}") as {
        products?: Pushed[]
      }
      const { status, body } = await answer(products)
      response.writeHead(status, { "content-type": "application/json" })
      response.end(JSON.stringify(body))
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  return {
    api,
    getContainer,
    get sandbox() {
      return sandbox
    },
    get admin() {
      return admin
    },
    get channel() {
      return channel
    },
    get location() {
      return location
    },
    get knex() {
      return knex
    },
    /** Starts the sandbox again, empty, where it was. */
    restartSandbox: async () => {
      sandbox = await startSandbox({ port: sandbox.port })
    },
    answering,
    calls,
    connect,
    createProduct,
    importEnds,
    insertProduct,
    insertProducts,
    inventoryItemOf,
    itemOf,
    items,
    laterOn,
    productAt,
    received,
    refused,
    result,
    settled,
    sync,
    variant,
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ""
  for await (const chunk of request) body += chunk
  return body
}
