import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import {
  batchPriceListPricesWorkflow,
  createInventoryLevelsWorkflow,
  createPriceListsWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createReservationsWorkflow,
  createSalesChannelsWorkflow,
  createShippingProfilesWorkflow,
  createStockLocationsWorkflow,
  deleteProductsWorkflow,
  linkProductsToSalesChannelWorkflow,
  linkSalesChannelsToStockLocationWorkflow,
  updateInventoryLevelsWorkflow,
  updateProductsWorkflow,
  updateProductVariantsWorkflow,
  updateRegionsWorkflow,
} from "@medusajs/core-flows"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { ContainerRegistrationKeys, ProductStatus } from "@medusajs/framework/utils"
import eachMinute from "../../src/jobs/catalog-work"
import { CatalogRows } from "../../src/modules/svc/sql/catalog"
import { CatalogImportRows } from "../../src/modules/svc/sql/catalog-import"
import {
  sweepCatalog,
  sweepPriceLists,
  workCatalog,
  workImports,
} from "../../src/workflows/catalog"
import { drainCatalog } from "../../src/workflows/catalog/drain"
import { eventually } from "../setup/market"
import { adminHeaders, describeStore, eventsAreMarked } from "../setup/medusa"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"

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
type Received = { product: Pushed; pushes: number }
type ItemAnswer = {
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

describeStore(({ api, getContainer }) => {
  describe("the catalog", () => {
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

    it("arrives when a product is created, changed, made a draft, published again and deleted", async () => {
      await connect()
      const product = await createProduct("Havn mug", undefined, {
        thumbnail: "/pictures/mug.jpg",
        images: [{ url: "https://cdn.example/mug-1.jpg" }],
      })

      const created = await productAt(product.id, ({ product: at }) => at.variants?.length === 2)
      expect(created.product).toMatchObject({
        id: product.id,
        sku: "havn-mug",
        name: "Havn mug",
        price: 100,
        url: "https://shop.example/products/havn-mug",
        type: "configurable",
        status: "enabled",
        image: "https://shop.example/pictures/mug.jpg",
        images: ["https://cdn.example/mug-1.jpg"],
        configurableOptions: [{ name: "Size", values: ["S", "M"] }],
        inventory: 0,
        manageStock: true,
      })

      await result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { title: "Havn mug, blue" },
      })
      await productAt(product.id, ({ product: at }) => at.name === "Havn mug, blue")
      expect(await settled(product.id, "synced")).toMatchObject({ reason: null, attempts: 0 })

      await result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { status: ProductStatus.DRAFT },
      })
      const draft = await productAt(product.id, ({ product: at }) => at.status === "disabled")
      expect(draft.product).toMatchObject({ name: "Havn mug, blue", inventory: 0, price: 100 })
      expect(draft.product.variants?.map((one) => one.status)).toEqual(["disabled", "disabled"])
      expect((await settled(product.id, "removed")).reason?.code).toBe("not_published")

      await result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { status: ProductStatus.PUBLISHED },
      })
      await productAt(product.id, ({ product: at }) => at.status === "enabled")

      await result(deleteProductsWorkflow, { ids: [product.id] })
      await productAt(product.id, ({ product: at }) => at.status === "disabled")
      expect((await settled(product.id, "removed")).reason?.code).toBe("deleted")
    })

    it("follows prices, variants and the sales channel", async () => {
      await connect()
      const product = await createProduct("Rope bowl")
      await productAt(product.id, ({ product: at }) => at.price === 100)

      await result(updateProductVariantsWorkflow, {
        selector: { id: product.variants[0]?.id },
        update: { prices: [{ amount: 89.95, currency_code: "dkk" }] },
      })
      await productAt(product.id, ({ product: at }) => at.price === 89.95)

      await result(linkProductsToSalesChannelWorkflow, { id: channel, remove: [product.id] })
      await productAt(product.id, ({ product: at }) => at.status === "disabled")
      expect((await settled(product.id, "removed")).reason?.code).toBe("not_in_channel")

      await result(linkProductsToSalesChannelWorkflow, { id: channel, add: [product.id] })
      const back = await productAt(product.id, ({ product: at }) => at.status === "enabled")
      expect(back.product.variants).toHaveLength(2)
    })

    it("counts what is stocked less what is reserved, over the channel's locations", async () => {
      await connect()
      const product = await createProduct("Vase", [variant("S", 200)])
      const item = await inventoryItemOf(product.variants[0]?.id ?? "")
      const [elsewhere] = await result(createStockLocationsWorkflow, {
        locations: [{ name: "Another shop's warehouse" }],
      })

      await result(createInventoryLevelsWorkflow, {
        inventory_levels: [
          { inventory_item_id: item, location_id: location, stocked_quantity: 7 },
          { inventory_item_id: item, location_id: elsewhere.id, stocked_quantity: 100 },
        ],
      })
      const stocked = await productAt(product.id, ({ product: at }) => at.inventory === 7)
      expect(stocked.product).toMatchObject({ type: "simple", manageStock: true, price: 200 })
      expect(stocked.product.variants).toBeUndefined()

      await result(createReservationsWorkflow, {
        reservations: [{ inventory_item_id: item, location_id: location, quantity: 2 }],
      })
      await productAt(product.id, ({ product: at }) => at.inventory === 5)

      await result(updateInventoryLevelsWorkflow, {
        updates: [{ inventory_item_id: item, location_id: location, stocked_quantity: 2 }],
      })
      await productAt(product.id, ({ product: at }) => at.inventory === 0)

      await result(updateProductVariantsWorkflow, {
        selector: { id: product.variants[0]?.id },
        update: { allow_backorder: true },
      })
      await productAt(product.id, ({ product: at }) => at.manageStock === false)
    })

    it("shows a sale's price while its window is open, though Medusa tells nobody that it opened", async () => {
      await connect()
      const product = await createProduct("Blanket", [variant("S", 500)])
      await productAt(product.id, ({ product: at }) => at.price === 500)
      const [list] = await result(createPriceListsWorkflow, {
        price_lists_data: [
          {
            title: "Sale",
            description: "Winter",
            type: "sale",
            status: "draft",
            prices: [{ amount: 350, currency_code: "dkk", variant_id: product.variants[0]?.id }],
          },
        ],
      })
      await settled(product.id, "synced")

      // No event is emitted for any of the three. A change in the admin is noticed at once; a window that opens or closes
      // by itself is found by the sweep of each minute.
      await api.post(`/admin/price-lists/${list.id}`, { status: "active" }, admin)
      await productAt(product.id, ({ product: at }) => at.price === 350)

      await settled(product.id, "synced")
      await moveWindow(list.id, { ends: "now() - interval '1 second'" })
      await sweepPriceLists(getContainer())
      await productAt(product.id, ({ product: at }) => at.price === 500)

      await settled(product.id, "synced")
      await moveWindow(list.id, { starts: "now() - interval '1 second'", ends: "NULL" })
      await sweepPriceLists(getContainer())
      await productAt(product.id, ({ product: at }) => at.price === 350)

      await settled(product.id, "synced")
      await result(batchPriceListPricesWorkflow, {
        data: {
          id: list.id,
          create: [],
          update: [],
          delete: (await knex("price").where({ price_list_id: list.id }).select("id")).map(
            (row: { id: string }) => row.id,
          ),
        },
      })
      await productAt(product.id, ({ product: at }) => at.price === 500)
    })

    /** A window in SQL, so that nothing but the clock says that it opened or closed; long ago for the rest. */
    async function moveWindow(id: string, window: { starts?: string; ends: string }) {
      await knex.raw(
        `UPDATE price_list SET starts_at = ${window.starts ?? "NULL"}, ends_at = ${window.ends},
           updated_at = now() - interval '3 days' WHERE id = ?`,
        [id],
      )
    }

    it("tells each market its own price and stock, and a market's new currency by itself", async () => {
      await connect()
      await sandbox.control("/pages", { uid: "europe-page", name: "Europe", api_token: "europe" })
      const [europe] = await result(createRegionsWorkflow, {
        regions: [{ name: "Europe", currency_code: "eur", countries: ["de"] }],
      })
      const [abroad] = await result(createSalesChannelsWorkflow, {
        salesChannelsData: [{ name: "Abroad" }],
      })
      const { data } = await api.post(
        "/admin/svc/connections",
        {
          name: "Europe",
          page_uid: "europe-page",
          base_url: sandbox.url,
          api_token: "europe",
          sales_channel_id: abroad.id,
          region_id: europe.id,
          storefront_url: "https://shop.example/de",
        },
        admin,
      )
      const prices = [
        { amount: 100, currency_code: "dkk" },
        { amount: 15, currency_code: "eur" },
        { amount: 17, currency_code: "usd" },
      ]
      const product = await createProduct("Both", [variant("S", 100, { prices })], {
        sales_channels: [{ id: channel }, { id: abroad.id }],
      })
      const item = await inventoryItemOf(product.variants[0]?.id ?? "")
      await result(createInventoryLevelsWorkflow, {
        inventory_levels: [{ inventory_item_id: item, location_id: location, stocked_quantity: 3 }],
      })
      const seen = async () => {
        const { products } = await sandbox.control<{
          products: (Received & { page_uid: string })[]
        }>("/products")
        const of = (page: string) => products.find(({ page_uid }) => page_uid === page)?.product
        return ["demo-page", "europe-page"].map((page) => {
          const at = of(page)
          return [at?.price, at?.inventory, at?.url]
        })
      }
      const ofEurope = (price: number, inventory: number) => [
        [100, 3, "https://shop.example/products/both"],
        [price, inventory, "https://shop.example/de/products/both"],
      ]
      const become = (wanted: unknown) =>
        eventually(seen, (now) => JSON.stringify(now) === JSON.stringify(wanted))
      await become(ofEurope(15, 0))

      await result(linkSalesChannelsToStockLocationWorkflow, { id: location, add: [abroad.id] })
      await become(ofEurope(15, 3))
      await result(updateRegionsWorkflow, {
        selector: { id: europe.id },
        update: { currency_code: "usd" },
      })
      await become(ofEurope(17, 3))
      expect(await items({ connection_id: data.connection.id })).toHaveLength(1)
    })

    it("says why a product cannot be sold there, and withdraws what lost its price", async () => {
      const connection = await connect()
      const unpriced = await createProduct("No price", [variant("S", null)])
      const half = await createProduct("Half priced", [variant("S", 50), variant("M", null)])
      const product = await createProduct("Lost its price", [variant("S", 80)])
      await productAt(product.id)

      const invalid = await settled(unpriced.id, "invalid")
      expect(invalid.reason).toMatchObject({ code: "no_price" })
      expect(invalid.reason?.message).toContain("DKK")
      expect(invalid.reason?.fix).toContain("DKK")
      await productAt(half.id)
      expect((await settled(half.id, "synced")).reason).toMatchObject({
        code: "variants_without_price",
      })
      expect((await received()).has(unpriced.id)).toBe(false)

      await result(updateProductVariantsWorkflow, {
        selector: { id: product.variants[0]?.id },
        update: { prices: [{ amount: 10, currency_code: "eur" }] },
      })
      await productAt(product.id, ({ product: at }) => at.status === "disabled")
      expect((await settled(product.id, "invalid")).reason?.code).toBe("no_price")

      const { data } = await api.get("/admin/svc/products", {
        ...admin,
        params: { connection_id: connection, state: "invalid", q: "price", limit: 1 },
      })
      expect([data.count, data.limit, data.products.length]).toEqual([2, 1, 1])
    })

    it("keeps an edit while the service is down, and sends it when it is back", async () => {
      await connect()
      const product = await createProduct("Lamp")
      await productAt(product.id)
      const port = sandbox.port
      await sandbox.stop()

      await result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { title: "Lamp, brass" },
      })
      const failing = await eventually(
        () => itemOf(product.id),
        (item) => item.reason !== null,
      )
      expect(failing).toMatchObject({ state: "pending", reason: { code: "svc_unreachable" } })

      sandbox = await startSandbox({ port })
      const healed = await eventually(
        async () => {
          await laterOn()
          return itemOf(product.id)
        },
        (item) => item.state === "synced",
      )
      expect(healed).toMatchObject({ reason: null, attempts: 0 })
      expect((await received()).get(product.id)?.product.name).toBe("Lamp, brass")
    })

    /** The time for which work and a service that failed are left alone is over. */
    async function laterOn(): Promise<void> {
      await workCatalog(getContainer())
      await knex("svc_connection").update({ breaker_failures: 0, breaker_open_until: null })
      await knex("svc_catalog_item").update({ next_attempt_at: null })
      await workCatalog(getContainer())
    }

    it("keeps an edit that is made while the product is on its way", async () => {
      const names: string[] = []
      let arrived = () => {}
      let answer = () => {}
      const arrival = new Promise<void>((resolve) => (arrived = resolve))
      const held = new Promise<void>((resolve) => (answer = resolve))
      await connect(
        await answering(async (products) => {
          names.push(...products.map(({ name }) => name))
          arrived()
          await held
          return { status: 200, body: {} }
        }),
      )
      const product = await createProduct("Slow")
      await arrival

      await result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { title: "Slow, and changed meanwhile" },
      })
      answer()

      expect(await settled(product.id, "synced")).toMatchObject({ reason: null })
      expect([names[0], names.at(-1)]).toEqual(["Slow", "Slow, and changed meanwhile"])
    })

    it("waits as long as the service asks, and does not count it as a failure of the service", async () => {
      await sandbox.control("/faults", {
        on: "products",
        kind: "status",
        status: 429,
        retry_after: 1800,
        times: 1,
      })
      const connection = await connect()
      const product = await createProduct("Patience")

      const slowed = await eventually(
        () => itemOf(product.id),
        (item) => item.reason !== null,
      )
      expect(slowed).toMatchObject({
        state: "pending",
        attempts: 1,
        reason: { code: "svc_rate_limited" },
      })
      expect(Date.parse(slowed.next_attempt_at ?? "") - Date.now()).toBeGreaterThan(1_000_000)
      expect(await knex("svc_connection").where({ id: connection }).first()).toMatchObject({
        breaker_failures: 0,
        breaker_open_until: null,
      })
      await workCatalog(getContainer())
      expect((await received()).size).toBe(0)

      await laterOn()
      expect((await received()).has(product.id)).toBe(true)
      expect(await itemOf(product.id)).toMatchObject({ state: "synced", reason: null })
    })

    it("imports everything, and explains what it leaves out", async () => {
      const products = []
      for (const title of ["One", "Two", "Three", "Four"]) products.push(await createProduct(title))
      const draft = await createProduct("Draft", undefined, { status: "draft" })
      const unpriced = await createProduct("Unpriced", [variant("S", null)])
      const connection = await connect()

      await sync(connection)
      expect(await importEnds(connection)).toMatchObject({ total: 5, done: 4, failed: 1 })
      const ids = new Set(products.map(({ id }) => id))
      expect(new Set((await received()).keys())).toEqual(ids)
      expect((await itemOf(draft.id)).reason?.code).toBe("not_published")
      expect((await itemOf(unpriced.id)).state).toBe("invalid")

      // The service may lose what it had; nobody but the merchant can know.
      await sandbox.control("/reset", {})
      await sync(connection)
      expect(await importEnds(connection)).toMatchObject({ total: 5, done: 4, failed: 1 })
      expect(new Set((await received()).keys())).toEqual(ids)
    })

    it("calls nobody where nothing changed: not by night, and not for an event that changes no payload", async () => {
      const product = await createProduct("Steady")
      const connection = await connect()
      await sync(connection)
      await importEnds(connection)
      const before = await calls()
      expect(before).toBeGreaterThan(0)

      expect(await sweepCatalog(getContainer())).toEqual({ compared: 1, marked: 0 })
      const rowOf = () => knex("svc_catalog_item").where({ product_id: product.id }).first()
      const { wanted } = await rowOf()
      await result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { description: "Not part of what the service is told." },
      })
      await eventually(rowOf, (row) => row.wanted > wanted && row.wanted === row.acknowledged)
      await workCatalog(getContainer())

      expect(await calls()).toBe(before)
      expect((await itemOf(product.id)).state).toBe("synced")
    })

    it("pauses, resumes and cancels an import; live changes go on meanwhile", async () => {
      await sandbox.control("/faults", { on: "products", kind: "status", status: 503 })
      const first = await createProduct("First")
      const second = await createProduct("Second")
      const connection = await connect()
      // A new connection waits for the merchant.
      expect((await sync(connection, "", "get")).status).toBe("idle")
      await sync(connection)
      expect(await sync(connection, "/pause")).toMatchObject({
        status: "paused",
        total: 2,
        done: 0,
      })
      const again = await api.post(`/admin/svc/connections/${connection}/sync`, {}, refused())
      expect([again.status, again.data.code]).toEqual([409, "sync_running"])
      await sandbox.control("/faults", undefined, "DELETE")
      await laterOn()
      expect((await received()).size).toBe(0)
      await result(updateProductsWorkflow, {
        selector: { id: second.id },
        update: { title: "Second, changed" },
      })
      await productAt(second.id)
      expect((await received()).has(first.id)).toBe(false)

      expect((await sync(connection, "/resume")).status).toBe("running")
      expect(await importEnds(connection)).toMatchObject({ total: 2, done: 2, failed: 0 })
      expect((await received()).has(first.id)).toBe(true)

      await sandbox.control("/faults", { on: "products", kind: "status", status: 503 })
      const third = await insertProduct("Third")
      await sync(connection)
      await sync(connection, "/pause")
      // What is on its way is not called back.
      await workCatalog(getContainer())
      expect(await sync(connection, "/cancel")).toMatchObject({ status: "cancelled", total: 3 })
      await sandbox.control("/faults", undefined, "DELETE")
      await laterOn()
      expect((await received()).has(third)).toBe(false)
      expect((await itemOf(first.id)).state).toBe("synced")
      const none = await api.post(`/admin/svc/connections/${connection}/sync/pause`, {}, refused())
      expect([none.status, none.data.code]).toEqual([409, "sync_not_running"])
    })

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

    it("takes a paused import for no stuck worker, and tells of products that were given up", async () => {
      const connection = await connect()
      await workCatalog(getContainer())
      const problems = async (): Promise<string[]> =>
        (await api.get("/admin/svc/health", admin)).data.health.problems.map(
          (problem: { code: string }) => problem.code,
        )
      const anHourAgo = new Date(Date.now() - 3_600_000)
      await knex("svc_catalog_import").where({ connection_id: connection }).delete()
      await knex("svc_catalog_import").insert({
        id: "svcimp_paused",
        connection_id: connection,
        status: "paused",
        started_at: anHourAgo,
      })
      await knex("svc_catalog_item").insert(
        (["pending", "failed"] as const).map((state) => ({
          id: `svcprod_${state}`,
          connection_id: connection,
          product_id: `prod_${state}`,
          state,
          live: false,
          acknowledged: state === "failed" ? 1 : 0,
          updated_at: anHourAgo,
        })),
      )
      const seen = await problems()
      expect(seen).toContain("products_failed")
      expect(seen).not.toContain("worker_stuck")
      // The very same rows are a stuck worker's where nobody paused the import.
      await knex("svc_catalog_import").update({ status: "running" })
      expect(await problems()).toContain("worker_stuck")
    })

    it("goes on with an import whose process was killed", async () => {
      const connection = await connect()
      await workCatalog(getContainer())
      const ids = await insertProducts(["A", "B", "C"])
      // As a killed process leaves it: the first product marked and its cursor stored, the rest not.
      await knex("svc_catalog_import").where({ connection_id: connection }).delete()
      await knex("svc_catalog_import").insert({
        id: "svcimp_killed",
        connection_id: connection,
        status: "running",
        cursor: ids[0],
        total: 3,
        started_at: new Date(),
      })
      await knex("svc_catalog_item").insert({
        id: "svcprod_marked",
        connection_id: connection,
        product_id: ids[0],
        live: false,
        lease_token: "the process that was killed",
        lease_until: new Date(Date.now() - 1000),
      })
      await eachMinute(getContainer())

      expect(await importEnds(connection)).toMatchObject({ total: 3, done: 3, failed: 0 })
      expect(new Set((await received()).keys())).toEqual(new Set(ids))
    })

    it("is not done with a product that is edited while it waits, and done with one that is edited after", async () => {
      const connection = await connect()
      await workCatalog(getContainer())
      await knex("svc_catalog_import").where({ connection_id: connection }).delete()
      const ids = await insertProducts(["A", "B"])
      const [waiting, sent] = ids
      if (!waiting || !sent) throw new Error("no products")
      // Nothing leaves: what the worker does is done by hand.
      await knex("svc_connection").update({ breaker_open_until: new Date(Date.now() + 3_600_000) })
      const settle = (id: string) =>
        knex("svc_catalog_item")
          .where({ product_id: id })
          .update({ acknowledged: knex.ref("wanted"), force: false, state: "synced" })
      await sync(connection)
      await eventually(
        () => knex("svc_catalog_import").where({ connection_id: connection }).first(),
        (row) => row.marked_all,
      )
      const marks = new CatalogRows(knex)
      const imports = new CatalogImportRows(knex)

      await settle(sent)
      await marks.mark([waiting])
      await imports.complete()
      expect(await sync(connection, "", "get")).toMatchObject({ status: "running", done: 1 })

      await settle(waiting)
      await marks.mark([sent])
      await imports.complete()
      expect(await sync(connection, "", "get")).toMatchObject({
        status: "completed",
        total: 2,
        done: 2,
        failed: 0,
      })
    })

    it("finds by night what no event told: changes, arrivals and departures made in SQL", async () => {
      await connect()
      const changed = await createProduct("Changed")
      const gone = await createProduct("Gone")
      await settled(changed.id, "synced")
      await settled(gone.id, "synced")
      const arrived = await insertProduct("Arrived")
      await knex("product").where({ id: changed.id }).update({ title: "Changed in SQL" })
      await knex("product_sales_channel").where({ product_id: gone.id }).delete()

      expect(await sweepCatalog(getContainer())).toEqual({ compared: 2, marked: 3 })

      await productAt(changed.id, ({ product: at }) => at.name === "Changed in SQL")
      await productAt(gone.id, ({ product: at }) => at.status === "disabled")
      await productAt(arrived)
    })

    it("sends once when two workers drain at once, and again what a killed one had claimed", async () => {
      const connection = await connect()
      const ids = await insertProducts(["A", "B", "C", "D", "E", "F"])
      const container = getContainer()
      await sync(connection)
      await workImports(container)
      await Promise.all([drainCatalog(container), drainCatalog(container), drainCatalog(container)])
      await importEnds(connection)
      await workCatalog(getContainer())
      expect([...(await received()).values()].map(({ pushes }) => pushes)).toEqual(ids.map(() => 1))

      // Claimed by a process that was killed before it could acknowledge.
      const [victim] = ids
      await knex("svc_catalog_item")
        .where({ product_id: victim })
        .update({
          wanted: knex.raw("wanted + 1"),
          acknowledged_hash: "what it was before",
          lease_token: "dead",
          lease_until: knex.raw("now() + interval '1 hour'"),
        })
      await drainCatalog(container)
      expect((await received()).get(victim ?? "")?.pushes).toBe(1)
      await knex("svc_catalog_item")
        .where({ product_id: victim })
        .update({ lease_until: knex.raw("now() - interval '1 second'") })
      await drainCatalog(container)
      expect((await received()).get(victim ?? "")?.pushes).toBe(2)
      expect((await itemOf(victim ?? "")).state).toBe("synced")
    })

    it("sends one product now, as shown before, and answers with what became of it", async () => {
      await connect()
      const product = await createProduct("Chair")
      await productAt(product.id)
      await settled(product.id, "synced")
      const { id } = await itemOf(product.id)

      const shown = (await api.get(`/admin/svc/products/${id}`, admin)).data.product as ItemAnswer
      expect(shown.payload).toEqual(shown.last_payload)
      const before = (await received()).get(product.id)?.pushes ?? 0
      const pushed = await api.post(`/admin/svc/products/${id}/push`, {}, admin)
      expect(pushed.data.product).toMatchObject({ id, state: "synced", reason: null })
      const after = (await received()).get(product.id)
      expect(after?.pushes).toBe(before + 1)
      expect(after?.product).toEqual(shown.payload)

      await sandbox.control("/faults", { on: "products", kind: "status", status: 500 })
      const failed = await api.post(`/admin/svc/products/${id}/push`, {}, admin)
      expect(failed.data.product).toMatchObject({
        state: "pending",
        reason: { code: "svc_unavailable" },
        attempts: 1,
      })
      const unknown = await api.post("/admin/svc/products/none/push", {}, refused())
      expect([unknown.status, unknown.data.code]).toEqual([404, "not_found"])
    })

    it("reads the reason that the service gives for one product of an accepted batch", async () => {
      const connection = await connect(
        await answering((products) => ({
          status: 200,
          body: {
            results: products.map(({ id, name }) =>
              name === "Bad"
                ? { id, status: "error", error: { code: "bad_name", message: "No such name." } }
                : { id, status: "updated" },
            ),
          },
        })),
      )
      const [bad = "", good = ""] = await insertProducts(["Bad", "Good"])
      await sync(connection)
      expect(await importEnds(connection)).toMatchObject({ total: 2, done: 1, failed: 1 })
      expect((await itemOf(bad)).reason).toMatchObject({ code: "bad_name" })
      expect((await itemOf(bad)).reason?.message).toContain("No such name.")
      expect((await itemOf(good)).state).toBe("synced")
    })

    it("isolates the product that makes the service refuse a batch; the others go", async () => {
      const accepted: string[] = []
      const url = await answering((products) => {
        if (products.length > 20) return { status: 413, body: {} }
        if (products.some(({ name }) => name === "Product 37")) {
          return { status: 422, body: { error: { message: "Product 37 is not welcome." } } }
        }
        accepted.push(...products.map(({ id }) => id))
        return { status: 200, body: {} }
      })
      const connection = await connect(url)
      await insertProducts(Array.from({ length: 100 }, (_, n) => `Product ${n}`))
      await sync(connection)

      expect(await importEnds(connection)).toMatchObject({ total: 100, done: 99, failed: 1 })
      expect(new Set(accepted).size).toBe(99)
      expect(accepted).toHaveLength(99)
      const [refusedItem, ...others] = await items({ state: "failed" })
      expect(others).toEqual([])
      expect(refusedItem).toMatchObject({ title: "Product 37", reason: { code: "svc_rejected" } })
      expect(refusedItem?.reason?.message).toContain("Product 37 is not welcome.")
    })

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
  })
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ""
  for await (const chunk of request) body += chunk
  return body
}
