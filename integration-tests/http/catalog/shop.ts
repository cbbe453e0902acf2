/** What the parts of `catalog.spec.ts` share: an empty shop, products to put in it, and what the sandbox got of them. */
import type { IncomingMessage } from "node:http"
import {
  createPriceListsWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  createShippingProfilesWorkflow,
  createStockLocationsWorkflow,
  linkSalesChannelsToStockLocationWorkflow,
  updateProductsWorkflow,
} from "@medusajs/core-flows"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../../src/modules/svc"
import { wakeCatalog, workCatalog } from "../../../src/workflows/catalog"
import { believedEmpty } from "../../setup/believed-empty"
import { type HttpServer, serve } from "../../setup/http-server"
import { eventually } from "../../setup/market"
import { adminHeaders, eventsAreMarked, type StoreSuite } from "../../setup/medusa"
import { type RunningSandbox, startSandbox } from "../../setup/sandbox"

export type Pushed = {
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
  description?: string
  brand?: string
  productCategories?: string[]
  configurableOptions?: { name: string; values: string[] }[]
  variants?: {
    id: string
    sku: string
    name: string
    price: number
    inventory: number
    status: string
  }[]
}
export type Received = { page_uid: string; product: Pushed; pushes: number }
type Reason = {
  code: string
  message: string
  fix: string
  params?: Record<string, string> | null
}
export type ItemAnswer = {
  id: string
  product_id: string
  connection_id: string
  title: string
  state: string
  reason: Reason | null
  attempts: number
  next_attempt_at: string | null
  last_pushed_at: string | null
  payload?: Pushed | null
  last_payload?: Pushed | null
  difference?: { path: string; before?: unknown; after?: unknown }[]
}
export type Sync = {
  status: string
  total: number
  done: number
  failed: number
  rate: number
  eta_seconds: number | null
  started_at: string | null
  reason: Reason | null
  next_attempt_at: string | null
}
export type Answer = { status: number; body: unknown; headers?: Record<string, string> }
export type Variant = {
  title: string
  sku: string
  options: Record<string, string>
  prices: { amount: number; currency_code: string }[]
} & Record<string, unknown>

/** One variant of the only option that the tests use. */
export const variant = (
  title: string,
  price: number | null,
  extra: Record<string, unknown> = {},
): Variant => ({
  title,
  sku: `${title}-${Math.random().toString(36).slice(2, 8)}`,
  options: { Size: title },
  prices: price === null ? [] : [{ amount: price, currency_code: "dkk" }],
  ...extra,
})

export const titles = (count: number, prefix = "Product"): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix} ${n}`)

export { gate } from "../../setup/gate"

export type CatalogShop = ReturnType<typeof catalogShop>

/** To be called where the store is described: its hooks are for every part. */
export function catalogShop({ api, getContainer, databaseUrl }: StoreSuite) {
  let sandbox: RunningSandbox
  let knex: Knex
  let admin: Awaited<ReturnType<typeof adminHeaders>>
  let region: string
  let channel: string
  let location: string
  let profile: string
  const servers: HttpServer[] = []

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
    for (const server of servers) await server.stop()
    await sandbox.stop()
  })
  /** Takes all faults away; fails where one never struck. */
  const heal = () => sandbox.endFaults()
  beforeEach(async () => {
    await sandbox.control("/reset", {})
  })
  afterEach(heal)

  /** When it returns, the rows are marked for what it changed: no event of one step falls into the next. */
  // biome-ignore lint/suspicious/noExplicitAny: every workflow has its own types; the tests name what they read.
  async function result(workflow: any, input: unknown): Promise<any> {
    const { result } = await workflow(getContainer()).run({ input })
    await eventsAreMarked(getContainer())
    return result
  }
  const refused = () => ({ ...admin, validateStatus: () => true })

  /** Has the sandbox answer badly, until the test ends or `heal`. */
  const fault = (rule: Record<string, unknown>) =>
    sandbox.control("/faults", { on: "products", ...rule })
  /** At the same address, after `sandbox.stop()`. */
  async function startSandboxAgain(): Promise<void> {
    sandbox = await startSandbox({ port: sandbox.port })
  }

  async function inventoryItemOf(variantId: string): Promise<string> {
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

  /** @returns the connection's id */
  async function connect(settings: Record<string, unknown> = {}): Promise<string> {
    const { data } = await api.post(
      "/admin/svc/connections",
      {
        name: "Denmark",
        page_uid: "demo-page",
        base_url: sandbox.url,
        api_token: "sandbox-token-demo-page",
        sales_channel_id: channel,
        region_id: region,
        storefront_url: "https://shop.example/",
        ...settings,
      },
      admin,
    )
    return data.connection.id
  }

  /** A start of the store whose `medusa-config.ts` declares the demo's page. */
  async function declare(settings: Record<string, string>): Promise<void> {
    const svc = getContainer().resolve(SVC_MODULE)
    Object.assign(svc.options, {
      connections: [
        {
          name: "Declared",
          pageUid: "demo-page",
          baseUrl: sandbox.url,
          apiToken: "sandbox-token-demo-page",
          salesChannelId: channel,
          regionId: region,
          storefrontUrl: "https://shop.example/",
          pricesIncludeVat: true,
          ...settings,
        },
      ],
    })
    await svc.adoptDeclaredConnections()
  }

  /** Other settings, by a person. */
  const change = (connection: string, settings: Record<string, unknown>) =>
    api.post(`/admin/svc/connections/${connection}`, settings, admin)

  /** Another page of the sandbox, connected to the same shop. */
  async function connectPage(uid: string, settings: Record<string, unknown> = {}): Promise<string> {
    await sandbox
      .control("/pages", { uid, name: uid, api_token: `token-${uid}` })
      .catch(() => undefined)
    return connect({ name: uid, page_uid: uid, api_token: `token-${uid}`, ...settings })
  }

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

  const edit = (id: string | undefined, update: Record<string, unknown>) =>
    result(updateProductsWorkflow, { selector: { id }, update })

  /** A sale of one variant, from now on where `more` does not say otherwise. */
  async function createSale(
    { variants: [first] }: { variants: { id: string }[] },
    amount: number,
    more: Record<string, unknown> = {},
  ): Promise<{ id: string }> {
    const prices = [{ amount, currency_code: "dkk", variant_id: first?.id }]
    const [list] = await result(createPriceListsWorkflow, {
      price_lists_data: [
        { title: "Sale", description: "", type: "sale", status: "active", prices, ...more },
      ],
    })
    return list
  }

  /** An import as it stands once somebody has paused it. @returns its id */
  async function insertImport(
    connection_id: string,
    more: Record<string, unknown> = {},
  ): Promise<string> {
    const row = { id: "svcimp_inserted", connection_id, status: "paused", started_at: new Date() }
    await knex("svc_catalog_import").insert({ ...row, ...more })
    return row.id
  }

  let made = 0
  /** Products that came by SQL, one variant and a price each, so that no event told of them. */
  async function insertProducts(titles: string[], channelId: string = channel): Promise<string[]> {
    made += 1
    const rows = titles.map((title, n) => {
      const id = `prod_sql_${String(made).padStart(3, "0")}_${String(n).padStart(4, "0")}`
      return { title, id, key: `sql_${id}` }
    })
    const each = <Row>(row: (one: (typeof rows)[number]) => Row) => rows.map(row)
    await knex.batchInsert(
      "product",
      each(({ id, title }) => ({ id, title, handle: id, status: "published" })),
    )
    await knex.batchInsert(
      "product_sales_channel",
      each(({ id, key }) => ({ id: key, product_id: id, sales_channel_id: channelId })),
    )
    await knex.batchInsert(
      "product_variant",
      each(({ id, key }) => ({ id: key, title: "S", product_id: id })),
    )
    await knex.batchInsert(
      "price_set",
      each(({ key }) => ({ id: key })),
    )
    await knex.batchInsert(
      "product_variant_price_set",
      each(({ key }) => ({ id: key, variant_id: key, price_set_id: key })),
    )
    await knex.batchInsert(
      "price",
      each(({ key }) => ({
        id: key,
        price_set_id: key,
        currency_code: "dkk",
        amount: 10,
        raw_amount: { value: "10", precision: 20 },
      })),
    )
    return rows.map(({ id }) => id)
  }

  const received = async (pageUid = "demo-page"): Promise<Map<string, Received>> => {
    const { products } = await sandbox.control<{ products: Received[] }>(
      `/products?page_uid=${pageUid}`,
    )
    return new Map(products.map((entry) => [entry.product.id, entry]))
  }
  /**
   * As if the second had passed that the catalog leaves between two calls about a product, and the minute that it leaves
   * between two comparisons.
   */
  async function hurry(productId: string): Promise<void> {
    const hurried: { connection_id: string }[] = await knex("svc_catalog_item")
      .where({ product_id: productId, attempts: 0, lease_token: null })
      .whereRaw("next_attempt_at BETWEEN now() AND now() + interval '1 second'")
      .update({ next_attempt_at: knex.fn.now() }, ["connection_id"])
    const compared: { connection_id: string }[] = await knex("svc_catalog_import")
      .where({ kind: "compare", status: "running", cursor: null, lease_token: null, attempts: 0 })
      .whereRaw("NOT marked_all AND next_attempt_at BETWEEN now() AND now() + interval '1 minute'")
      .update({ next_attempt_at: knex.fn.now() }, ["connection_id"])
    wakeCatalog(
      getContainer(),
      [...hurried, ...compared].map(({ connection_id }) => connection_id),
    )
  }
  /** A product as the service has it, once it is like that. */
  const productAt = (
    id: string,
    isLike: Partial<Pushed> | ((seen: Received) => boolean) = {},
    pageUid?: string,
  ) => {
    const holds =
      typeof isLike === "function"
        ? isLike
        : ({ product }: Received) =>
            Object.entries(isLike).every(([name, value]) => Reflect.get(product, name) === value)
    return eventually(
      async () => {
        await hurry(id)
        return (await received(pageUid)).get(id)
      },
      (seen) => seen !== undefined && holds(seen),
    ) as Promise<Received>
  }

  const items = async (query: Record<string, string> = {}): Promise<ItemAnswer[]> =>
    (await api.get("/admin/svc/products", { ...admin, params: { limit: 1000, ...query } })).data
      .products
  const itemOf = async (productId: string, more = {}): Promise<ItemAnswer> => {
    const [item] = await items({ product_id: productId, ...more })
    if (!item) throw new Error(`No row for ${productId}`)
    return item
  }
  const settled = (productId: string, state: string, more = {}) =>
    eventually(
      async () => {
        await hurry(productId)
        return (await items({ product_id: productId, ...more }))[0]
      },
      (item) => item?.state === state,
    ) as Promise<ItemAnswer>

  /** As a person sends a row's product. */
  const sendNow = (row: string) => api.post(`/admin/svc/products/${row}/push`, {}, admin)

  const sync = async (connectionId: string, step = "", body: unknown = {}): Promise<Sync> =>
    (await api.post(`/admin/svc/connections/${connectionId}/sync${step}`, body, admin)).data.sync
  const syncOf = async (connectionId: string): Promise<Sync> =>
    (await api.get(`/admin/svc/connections/${connectionId}/sync`, admin)).data.sync
  const importEnds = (connectionId: string) =>
    eventually(
      () => syncOf(connectionId),
      (seen) => seen.status === "completed",
    )
  /** Everything in the channel is at the service. */
  async function importAll(connectionId: string, body: unknown = {}): Promise<Sync> {
    await eventually(
      () => syncOf(connectionId),
      ({ status }) => status !== "running",
    )
    await sync(connectionId, "", body)
    return importEnds(connectionId)
  }

  /**
   * The worker of this process has nothing to wake up for, so that a test knows who does what it marks next.
   *
   * @param batchSize products in a call: with fewer than usual, a test needs fewer to fill several
   */
  async function atRest(connectionId: string, { batchSize }: { batchSize: number }): Promise<void> {
    await importAll(connectionId)
    await workCatalog(getContainer())
    // Made by whoever asks first.
    await getContainer().resolve(SVC_MODULE).catalog.pace.take(connectionId)
    await knex("svc_catalog_pace")
      .where({ connection_id: connectionId })
      .update({ batch_size: batchSize })
  }

  /** What the worker finds: why nothing is sent. */
  async function standing() {
    const rows: { due: boolean }[] = await knex("svc_catalog_item")
      .groupByRaw("1, 2, 3, 4")
      .select(knex.raw("wanted > acknowledged AS due, lane, attempts, reason_code, count(*)::int"))
    return { rows, holds: await knex("svc_hold").select("endpoint", "until", "reason_code") }
  }

  /** Calls of `POST /products` so far. */
  const calls = async (query = ""): Promise<number> => {
    const q = `endpoint:products ${query}`
    return (await sandbox.client.journal.find({ q, limit: 1 })).count
  }

  /** Bodies of the calls of `POST /products` that match, the oldest first. The journal cuts very long ones. */
  const journal = async (query: string): Promise<string[]> => {
    const { entries } = await sandbox.client.journal.find({ q: `endpoint:products ${query}` })
    return entries.map(({ request }) => request.body)
  }

  let moments: Map<string, string[]> | undefined
  /** Columns that hold a moment, by table of the catalog. */
  async function readMoments(): Promise<Map<string, string[]>> {
    const { rows } = await knex.raw<{ rows: { table_name: string; column_name: string }[] }>(
      `SELECT table_name, column_name FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type = 'timestamp with time zone'
         AND table_name IN ('svc_connection', 'svc_catalog_item', 'svc_catalog_import', 'svc_catalog_pace', 'svc_hold', 'inventory_level')
         AND column_name NOT IN ('deleted_at', 'created_at', 'api_token_updated_at')`,
    )
    const tables = new Map<string, string[]>()
    for (const { table_name, column_name } of rows) {
      tables.set(table_name, [...(tables.get(table_name) ?? []), column_name])
    }
    return tables
  }

  /** As if time had passed for the catalog: what waits for its time is that much nearer. */
  async function pass(interval: string): Promise<void> {
    moments ??= await readMoments()
    for (const [table, columns] of moments) {
      const aged = columns.map((name) => `${name} = ${name} - interval '${interval}'`)
      await knex.transaction(async (trx) => {
        // As everybody locks them: a worker that is under way is waited for.
        if (table === "svc_catalog_item") {
          await trx.raw(`SELECT FROM ${table} ORDER BY connection_id, product_id FOR UPDATE`)
        }
        await trx.raw(`UPDATE ${table} SET ${aged.join(", ")}`)
      })
    }
    await knex.raw(
      `UPDATE svc_cursor SET position = position - interval '${interval}' WHERE name IN ('price_lists', 'inventory_levels')`,
    )
  }

  /** A minute later, with the work that falls due in it. */
  async function aMinuteLater(): Promise<void> {
    await workCatalog(getContainer())
    await pass("1 minute")
    await workCatalog(getContainer())
  }

  /** A service that answers as told, or breaks the connection: the sandbox is kinder than some. */
  async function answering(
    answer: (
      products: Pushed[],
      call: { token: string; path: string },
    ) => Answer | "broken" | Promise<Answer | "broken">,
    { checksToo = () => false }: { checksToo?: (token: string) => boolean } = {},
  ): Promise<string> {
    const server = await serve(async (request, response) => {
      const token = (request.headers.authorization ?? "").replace(/^Token /, "")
      // A connection is checked as it is saved, and its shows are read: that is not what most of these tests are about.
      const isCheck = request.method === "GET" && request.url?.startsWith("/api/v1/")
      // It has no webhook: whoever asks for one by its id is told so, as only the service does.
      const namesOne = /^\/api\/v1\/webhooks\/./.test(request.url ?? "")
      if (isCheck && !checksToo(token)) {
        response.writeHead(namesOne ? 404 : 200, { "content-type": "application/json" })
        response.end("[]")
        return
      }
      const { products = [] } = JSON.parse((await bodyOf(request)) || "{}") as {
        products?: Pushed[]
      }
      const answered = await answer(products, { token, path: request.url ?? "" })
      if (answered === "broken") {
        request.socket.destroy()
        return
      }
      const { headers } = answered
      const status = namesOne && answered.status === 200 ? 404 : answered.status
      const body = isCheck && status === 200 ? [] : answered.body
      response.writeHead(status, { "content-type": "application/json", ...headers })
      response.end(JSON.stringify(body))
    })
    servers.push(server)
    return server.url
  }

  return {
    api,
    getContainer,
    // Known once `beforeAll` has run.
    get sandbox() {
      return sandbox
    },
    databaseUrl,
    get knex() {
      return knex
    },
    get admin() {
      return admin
    },
    get region() {
      return region
    },
    get channel() {
      return channel
    },
    get location() {
      return location
    },
    get profile() {
      return profile
    },
    refused,
    fault,
    heal,
    startSandboxAgain,
    inventoryItemOf,
    result,
    connect,
    connectPage,
    declare,
    change,
    createProduct,
    edit,
    createSale,
    insertImport,
    insertProducts,
    received,
    productAt,
    items,
    itemOf,
    settled,
    sendNow,
    sync,
    syncOf,
    importEnds,
    importAll,
    atRest,
    believedEmpty: (tables: string[], work: () => Promise<unknown>) =>
      believedEmpty(knex, tables, work),
    standing,
    calls,
    journal,
    pass,
    aMinuteLater,
    answering,
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ""
  for await (const chunk of request) body += chunk
  return body
}
