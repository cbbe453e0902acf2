import {
  batchPriceListPricesWorkflow,
  createInventoryLevelsWorkflow,
  createPriceListsWorkflow,
  createRegionsWorkflow,
  createReservationsWorkflow,
  createSalesChannelsWorkflow,
  createStockLocationsWorkflow,
  deleteProductsWorkflow,
  linkProductsToSalesChannelWorkflow,
  linkSalesChannelsToStockLocationWorkflow,
  updateInventoryLevelsWorkflow,
  updateProductsWorkflow,
  updateProductVariantsWorkflow,
  updateRegionsWorkflow,
} from "@medusajs/core-flows"
import { ContainerRegistrationKeys, ProductStatus } from "@medusajs/framework/utils"
import eachMinute from "../../src/jobs/push-catalog"
import eachNight from "../../src/jobs/sweep-catalog"
import { SVC_MODULE } from "../../src/modules/svc"
import { pushConnection, sweepPriceLists, workCatalog } from "../../src/workflows/catalog"
import {
  type CatalogShop,
  type ItemAnswer,
  openShop,
  type Received,
  variant,
} from "../setup/catalog"
import { eventually } from "../setup/market"
import { describeStore } from "../setup/medusa"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"

describeStore(({ api, getContainer }) => {
  describe("the catalog", () => {
    let sandbox: RunningSandbox
    let shop: CatalogShop

    beforeAll(async () => {
      sandbox = await startSandbox()
      shop = await openShop(api, getContainer, () => sandbox)
    })
    afterAll(async () => {
      shop.close()
      await sandbox.stop()
    })
    beforeEach(async () => {
      await sandbox.control("/reset", {})
    })

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
      await shop.connect()
      const product = await shop.createProduct("Havn mug", undefined, {
        thumbnail: "/pictures/mug.jpg",
        images: [{ url: "https://cdn.example/mug-1.jpg" }],
      })

      const created = await shop.productAt(
        product.id,
        ({ product: at }) => at.variants?.length === 2,
      )
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

      await shop.result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { title: "Havn mug, blue" },
      })
      await shop.productAt(product.id, ({ product: at }) => at.name === "Havn mug, blue")
      expect(await shop.settled(product.id, "synced")).toMatchObject({ reason: null, attempts: 0 })

      await shop.result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { status: ProductStatus.DRAFT },
      })
      const draft = await shop.productAt(product.id, ({ product: at }) => at.status === "disabled")
      expect(draft.product).toMatchObject({ name: "Havn mug, blue", inventory: 0, price: 100 })
      expect(draft.product.variants?.map((one) => one.status)).toEqual(["disabled", "disabled"])
      expect((await shop.settled(product.id, "removed")).reason?.code).toBe("not_published")

      await shop.result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { status: ProductStatus.PUBLISHED },
      })
      await shop.productAt(product.id, ({ product: at }) => at.status === "enabled")

      await shop.result(deleteProductsWorkflow, { ids: [product.id] })
      await shop.productAt(product.id, ({ product: at }) => at.status === "disabled")
      expect((await shop.settled(product.id, "removed")).reason?.code).toBe("deleted")
    })

    it("follows prices, variants and the sales channel", async () => {
      await shop.connect()
      const product = await shop.createProduct("Rope bowl")
      await shop.productAt(product.id, ({ product: at }) => at.price === 100)

      await shop.result(updateProductVariantsWorkflow, {
        selector: { id: product.variants[0]?.id },
        update: { prices: [{ amount: 89.95, currency_code: "dkk" }] },
      })
      await shop.productAt(product.id, ({ product: at }) => at.price === 89.95)

      await shop.result(linkProductsToSalesChannelWorkflow, {
        id: shop.channel,
        remove: [product.id],
      })
      await shop.productAt(product.id, ({ product: at }) => at.status === "disabled")
      expect((await shop.settled(product.id, "removed")).reason?.code).toBe("not_in_channel")

      await shop.result(linkProductsToSalesChannelWorkflow, { id: shop.channel, add: [product.id] })
      const back = await shop.productAt(product.id, ({ product: at }) => at.status === "enabled")
      expect(back.product.variants).toHaveLength(2)
    })

    it("counts what is stocked less what is reserved, over the channel's locations", async () => {
      await shop.connect()
      const product = await shop.createProduct("Vase", [variant("S", 200)])
      const item = await inventoryItemOf(product.variants[0]?.id ?? "")
      const [elsewhere] = await shop.result(createStockLocationsWorkflow, {
        locations: [{ name: "Another shop's warehouse" }],
      })

      await shop.result(createInventoryLevelsWorkflow, {
        inventory_levels: [
          { inventory_item_id: item, location_id: shop.location, stocked_quantity: 7 },
          { inventory_item_id: item, location_id: elsewhere.id, stocked_quantity: 100 },
        ],
      })
      const stocked = await shop.productAt(product.id, ({ product: at }) => at.inventory === 7)
      expect(stocked.product).toMatchObject({ type: "simple", manageStock: true, price: 200 })
      expect(stocked.product.variants).toBeUndefined()

      await shop.result(createReservationsWorkflow, {
        reservations: [{ inventory_item_id: item, location_id: shop.location, quantity: 2 }],
      })
      await shop.productAt(product.id, ({ product: at }) => at.inventory === 5)

      await shop.result(updateInventoryLevelsWorkflow, {
        updates: [{ inventory_item_id: item, location_id: shop.location, stocked_quantity: 2 }],
      })
      await shop.productAt(product.id, ({ product: at }) => at.inventory === 0)

      await shop.result(updateProductVariantsWorkflow, {
        selector: { id: product.variants[0]?.id },
        update: { allow_backorder: true },
      })
      await shop.productAt(product.id, ({ product: at }) => at.manageStock === false)
    })

    it("shows a sale's price while its window is open, though Medusa tells nobody that it opened", async () => {
      await shop.connect()
      const product = await shop.createProduct("Blanket", [variant("S", 500)])
      await shop.productAt(product.id, ({ product: at }) => at.price === 500)
      const [list] = await shop.result(createPriceListsWorkflow, {
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
      await shop.settled(product.id, "synced")

      // No event is emitted for any of the three. A change in the shop.admin is noticed at once; a window that opens or closes
      // by itself is found by the sweep of each minute.
      await api.post(`/admin/price-lists/${list.id}`, { status: "active" }, shop.admin)
      await shop.productAt(product.id, ({ product: at }) => at.price === 350)

      await shop.settled(product.id, "synced")
      await moveWindow(list.id, { ends: "now() - interval '1 second'" })
      await sweepPriceLists(getContainer())
      await shop.productAt(product.id, ({ product: at }) => at.price === 500)

      await shop.settled(product.id, "synced")
      await moveWindow(list.id, { starts: "now() - interval '1 second'", ends: "NULL" })
      await sweepPriceLists(getContainer())
      await shop.productAt(product.id, ({ product: at }) => at.price === 350)

      await shop.settled(product.id, "synced")
      await shop.result(batchPriceListPricesWorkflow, {
        data: {
          id: list.id,
          create: [],
          update: [],
          delete: (await shop.knex("price").where({ price_list_id: list.id }).select("id")).map(
            (row: { id: string }) => row.id,
          ),
        },
      })
      await shop.productAt(product.id, ({ product: at }) => at.price === 500)
    })

    /** A window in SQL, so that nothing but the clock says that it opened or closed; long ago for the rest. */
    async function moveWindow(id: string, window: { starts?: string; ends: string }) {
      await shop.knex.raw(
        `UPDATE price_list SET starts_at = ${window.starts ?? "NULL"}, ends_at = ${window.ends},
           updated_at = now() - interval '3 days' WHERE id = ?`,
        [id],
      )
    }

    it("tells each market its own price and stock, and a market's new currency by itself", async () => {
      await shop.connect()
      await sandbox.control("/pages", { uid: "europe-page", name: "Europe", api_token: "europe" })
      const [europe] = await shop.result(createRegionsWorkflow, {
        regions: [{ name: "Europe", currency_code: "eur", countries: ["de"] }],
      })
      const [abroad] = await shop.result(createSalesChannelsWorkflow, {
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
        shop.admin,
      )
      const prices = [
        { amount: 100, currency_code: "dkk" },
        { amount: 15, currency_code: "eur" },
        { amount: 17, currency_code: "usd" },
      ]
      const product = await shop.createProduct("Both", [variant("S", 100, { prices })], {
        sales_channels: [{ id: shop.channel }, { id: abroad.id }],
      })
      const item = await inventoryItemOf(product.variants[0]?.id ?? "")
      await shop.result(createInventoryLevelsWorkflow, {
        inventory_levels: [
          { inventory_item_id: item, location_id: shop.location, stocked_quantity: 3 },
        ],
      })
      const seen = async () => {
        const { products } = await sandbox.control<{
          products: Received[]
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

      await shop.result(linkSalesChannelsToStockLocationWorkflow, {
        id: shop.location,
        add: [abroad.id],
      })
      await become(ofEurope(15, 3))
      await shop.result(updateRegionsWorkflow, {
        selector: { id: europe.id },
        update: { currency_code: "usd" },
      })
      await become(ofEurope(17, 3))
      expect(await shop.items({ connection_id: data.connection.id })).toHaveLength(1)
    })

    it("says why a product cannot be sold there, and withdraws what lost its price", async () => {
      const connection = await shop.connect()
      const unpriced = await shop.createProduct("No price", [variant("S", null)])
      const half = await shop.createProduct("Half priced", [variant("S", 50), variant("M", null)])
      const product = await shop.createProduct("Lost its price", [variant("S", 80)])
      await shop.productAt(product.id)

      const invalid = await shop.settled(unpriced.id, "invalid")
      expect(invalid.reason).toMatchObject({ code: "no_price" })
      expect(invalid.reason?.message).toContain("DKK")
      expect(invalid.reason?.fix).toContain("DKK")
      await shop.productAt(half.id)
      expect((await shop.settled(half.id, "synced")).reason).toMatchObject({
        code: "variants_without_price",
      })
      expect((await shop.received()).has(unpriced.id)).toBe(false)

      await shop.result(updateProductVariantsWorkflow, {
        selector: { id: product.variants[0]?.id },
        update: { prices: [{ amount: 10, currency_code: "eur" }] },
      })
      await shop.productAt(product.id, ({ product: at }) => at.status === "disabled")
      expect((await shop.settled(product.id, "invalid")).reason?.code).toBe("no_price")

      const { data } = await api.get("/admin/svc/products", {
        ...shop.admin,
        params: { connection_id: connection, state: "invalid", q: "price", limit: 1 },
      })
      expect([data.count, data.limit, data.products.length]).toEqual([2, 1, 1])
    })

    it("keeps an edit while the service is down, and sends it when it is back", async () => {
      await shop.connect()
      const product = await shop.createProduct("Lamp")
      await shop.productAt(product.id)
      const port = sandbox.port
      await sandbox.stop()

      await shop.result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { title: "Lamp, brass" },
      })
      const failing = await eventually(
        () => shop.itemOf(product.id),
        (item) => item.reason !== null,
      )
      expect(failing).toMatchObject({ state: "pending", reason: { code: "svc_unreachable" } })

      sandbox = await startSandbox({ port })
      const healed = await eventually(
        async () => {
          await shop.aMinuteLater()
          return shop.itemOf(product.id)
        },
        (item) => item.state === "synced",
      )
      expect(healed).toMatchObject({ reason: null, attempts: 0 })
      expect((await shop.received()).get(product.id)?.product.name).toBe("Lamp, brass")
    })

    it("keeps an edit that is made while the product is on its way", async () => {
      const names: string[] = []
      let arrived = () => {}
      let answer = () => {}
      const arrival = new Promise<void>((resolve) => (arrived = resolve))
      const held = new Promise<void>((resolve) => (answer = resolve))
      await shop.connect({
        base_url: await shop.answering(async (products) => {
          names.push(...products.map(({ name }) => name))
          arrived()
          await held
          return { status: 200, body: {} }
        }),
      })
      const product = await shop.createProduct("Slow")
      await arrival

      await shop.result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { title: "Slow, and changed meanwhile" },
      })
      answer()

      expect(await shop.settled(product.id, "synced")).toMatchObject({ reason: null })
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
      const connection = await shop.connect()
      const product = await shop.createProduct("Patience")

      const slowed = await eventually(
        () => shop.itemOf(product.id),
        (item) => item.reason !== null,
      )
      expect(slowed).toMatchObject({
        state: "pending",
        attempts: 0,
        reason: { code: "slow_down" },
      })
      expect(Date.parse(slowed.next_attempt_at ?? "") - Date.now()).toBeGreaterThan(1_000_000)
      expect(await shop.syncOf(connection)).toMatchObject({ reason: { code: "slow_down" } })
      expect(await shop.knex("svc_connection").where({ id: connection }).first()).toMatchObject({
        breaker_failures: 0,
        breaker_open_until: null,
      })
      await workCatalog(getContainer())
      expect((await shop.received()).size).toBe(0)

      await shop.pass("30 minutes")
      await workCatalog(getContainer())
      expect((await shop.received()).has(product.id)).toBe(true)
      expect(await shop.itemOf(product.id)).toMatchObject({ state: "synced", reason: null })
      expect(await shop.syncOf(connection)).toMatchObject({ reason: null, next_attempt_at: null })
    })

    it("imports everything, and explains what it leaves out", async () => {
      const products = []
      for (const title of ["One", "Two", "Three", "Four"])
        products.push(await shop.createProduct(title))
      const draft = await shop.createProduct("Draft", undefined, { status: "draft" })
      const unpriced = await shop.createProduct("Unpriced", [variant("S", null)])
      const connection = await shop.connect()

      expect(await shop.importAll(connection)).toMatchObject({ total: 5, done: 4, failed: 1 })
      const ids = new Set(products.map(({ id }) => id))
      expect(new Set((await shop.received()).keys())).toEqual(ids)
      expect((await shop.itemOf(draft.id)).reason?.code).toBe("not_published")
      expect((await shop.itemOf(unpriced.id)).state).toBe("invalid")

      // The service may lose what it had; nobody but the merchant can know.
      await sandbox.control("/reset", {})
      expect(await shop.importAll(connection)).toMatchObject({ total: 5, done: 4, failed: 1 })
      expect((await shop.received()).size).toBe(0)
      expect(await shop.importAll(connection, { force: true })).toMatchObject({
        total: 5,
        done: 4,
        failed: 1,
      })
      expect(new Set((await shop.received()).keys())).toEqual(ids)
    })

    it("calls nobody where nothing changed: not by night, and not for an event that changes no payload", async () => {
      const product = await shop.createProduct("Steady")
      const connection = await shop.connect()
      await shop.importAll(connection)
      const before = await shop.calls()
      expect(before).toBeGreaterThan(0)

      await eachNight(getContainer())
      await workCatalog(getContainer())
      expect(await shop.importAll(connection)).toMatchObject({ total: 1, done: 1, failed: 0 })
      const rowOf = () => shop.knex("svc_catalog_item").where({ product_id: product.id }).first()
      const { wanted } = await rowOf()
      await shop.result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { description: "Not part of what the service is told." },
      })
      await eventually(rowOf, (row) => row.wanted > wanted && row.wanted === row.acknowledged)
      await workCatalog(getContainer())

      expect(await shop.calls()).toBe(before)
      expect((await shop.itemOf(product.id)).state).toBe("synced")
    })

    it("pauses, resumes and cancels an import; live changes go on meanwhile", async () => {
      await sandbox.control("/faults", { on: "products", kind: "status", status: 503 })
      const first = await shop.createProduct("First")
      const second = await shop.createProduct("Second")
      const connection = await shop.connect()
      await shop.sync(connection)
      expect(await shop.sync(connection, "/pause")).toMatchObject({ status: "paused", total: 2 })
      const again = await api.post(`/admin/svc/connections/${connection}/sync`, {}, shop.refused())
      expect([again.status, again.data.code]).toEqual([409, "sync_running"])
      await sandbox.control("/faults", undefined, "DELETE")
      await shop.aMinuteLater()
      expect((await shop.received()).size).toBe(0)
      await shop.result(updateProductsWorkflow, {
        selector: { id: second.id },
        update: { title: "Second, changed" },
      })
      await shop.productAt(second.id)
      expect((await shop.received()).has(first.id)).toBe(false)

      expect((await shop.sync(connection, "/resume")).status).toBe("running")
      expect(await shop.importEnds(connection)).toMatchObject({ total: 2, done: 2, failed: 0 })
      expect((await shop.received()).has(first.id)).toBe(true)

      await sandbox.control("/faults", { on: "products", kind: "status", status: 503 })
      const [third = ""] = await shop.insertProducts(["Third"])
      await shop.sync(connection)
      await shop.sync(connection, "/pause")
      // What is on its way is not called back.
      await workCatalog(getContainer())
      expect(await shop.sync(connection, "/cancel")).toMatchObject({
        status: "cancelled",
        total: 3,
      })
      await sandbox.control("/faults", undefined, "DELETE")
      await shop.aMinuteLater()
      expect((await shop.received()).has(third)).toBe(false)
      expect((await shop.itemOf(first.id)).state).toBe("synced")
      const none = await api.post(
        `/admin/svc/connections/${connection}/sync/pause`,
        {},
        shop.refused(),
      )
      expect([none.status, none.data.code]).toEqual([409, "sync_not_running"])
    })

    it("takes a paused import for no stuck worker, and tells of products that were given up", async () => {
      const connection = await shop.connect()
      await workCatalog(getContainer())
      const problems = async (): Promise<string[]> =>
        (await api.get("/admin/svc/health", shop.admin)).data.health.problems.map(
          (problem: { code: string }) => problem.code,
        )
      const anHourAgo = new Date(Date.now() - 3_600_000)
      await shop.knex("svc_catalog_import").where({ connection_id: connection }).delete()
      await shop.knex("svc_catalog_import").insert({
        id: "svcimp_paused",
        connection_id: connection,
        status: "paused",
        started_at: anHourAgo,
      })
      await shop.knex("svc_catalog_item").insert(
        (["pending", "failed"] as const).map((state) => ({
          id: `svcprod_${state}`,
          connection_id: connection,
          product_id: `prod_${state}`,
          state,
          lane: 2,
          acknowledged: state === "failed" ? 1 : 0,
          updated_at: anHourAgo,
        })),
      )
      const seen = await problems()
      expect(seen).toContain("products_failed")
      expect(seen).not.toContain("worker_stuck")
    })

    it("goes on with an import whose process was killed", async () => {
      const connection = await shop.connect()
      const ids = await shop.insertProducts(["A", "B", "C"])
      // As a killed process leaves it: the first product marked and its cursor stored, the rest not.
      await shop.knex("svc_catalog_import").insert({
        id: "svcimp_killed",
        connection_id: connection,
        status: "running",
        cursor: ids[0],
        total: 3,
        open: 1,
        started_at: new Date(),
        lease_token: "the process that was killed",
        lease_until: new Date(Date.now() - 1000),
      })
      await shop.knex("svc_catalog_item").insert({
        id: "svcprod_marked",
        connection_id: connection,
        product_id: ids[0],
        import_id: "svcimp_killed",
        lane: 2,
        lease_token: "the process that was killed",
        lease_until: new Date(Date.now() - 1000),
      })
      await eachMinute(getContainer())

      expect(await shop.importEnds(connection)).toMatchObject({ total: 3, done: 3, failed: 0 })
      expect(new Set((await shop.received()).keys())).toEqual(new Set(ids))
    })

    it("is not done with a product that is edited while it waits, and done with one that is edited after", async () => {
      const connection = await shop.connect()
      const [waiting = "", sent = ""] = await shop.insertProducts(["A", "B"])
      // Nothing leaves: what the worker does is done by hand.
      await sandbox.control("/faults", { on: "products", kind: "status", status: 503 })
      await shop.sync(connection)
      await workCatalog(getContainer())
      const { items, marks, walks } = getContainer().resolve(SVC_MODULE)
      await shop.pass("1 hour")
      const token = "a worker"
      const rows = await items.claim(connection, {
        limit: 10,
        leaseMs: 60_000,
        token,
        imports: true,
      })
      const settle = (productId: string) =>
        items.settle(
          token,
          rows
            .filter((row) => row.product_id === productId)
            .map(({ id, wanted, claimed_at }) => ({
              id,
              generation: wanted,
              state: "synced" as const,
              title: null,
              sent: null,
              reason: null,
              target: "",
              readAt: claimed_at,
            })),
        )

      await settle(sent)
      await marks.mark([waiting])
      await settle(waiting)
      await walks.complete(connection)
      expect(await shop.syncOf(connection)).toMatchObject({ status: "running", done: 1 })

      await sandbox.control("/faults", undefined, "DELETE")
      await shop.aMinuteLater()
      await marks.mark([sent])
      expect(await shop.syncOf(connection)).toMatchObject({
        status: "completed",
        total: 2,
        done: 2,
        failed: 0,
      })
    })

    it("finds by night what no event told: changes, arrivals and departures made in SQL", async () => {
      await shop.connect()
      const changed = await shop.createProduct("Changed")
      const gone = await shop.createProduct("Gone")
      await shop.settled(changed.id, "synced")
      await shop.settled(gone.id, "synced")
      const [arrived = ""] = await shop.insertProducts(["Arrived"])
      await shop.knex("product").where({ id: changed.id }).update({ title: "Changed in SQL" })
      await shop.knex("product_sales_channel").where({ product_id: gone.id }).delete()

      await eachNight(getContainer())

      await shop.productAt(changed.id, ({ product: at }) => at.name === "Changed in SQL")
      await shop.productAt(gone.id, ({ product: at }) => at.status === "disabled")
      await shop.productAt(arrived)
    })

    it("sends once when several workers drain at once, and again what a killed one had claimed", async () => {
      const connection = await shop.connect()
      const ids = await shop.insertProducts(["A", "B", "C", "D", "E", "F"])
      const container = getContainer()
      await shop.sync(connection)
      const push = () => pushConnection(container, connection)
      await Promise.all([push(), push(), push()])
      await shop.importEnds(connection)
      await workCatalog(container)
      expect([...(await shop.received()).values()].map(({ pushes }) => pushes)).toEqual(
        ids.map(() => 1),
      )

      // Claimed by a process that was killed before it could acknowledge.
      const [victim = ""] = ids
      await shop
        .knex("svc_catalog_item")
        .where({ product_id: victim })
        .update({
          wanted: shop.knex.raw("wanted + 1"),
          next_attempt_at: shop.knex.fn.now(),
          acknowledged_hash: "what it was before",
          lease_token: "dead",
          lease_until: shop.knex.raw("now() + interval '1 hour'"),
        })
      await push()
      expect((await shop.received()).get(victim)?.pushes).toBe(1)
      await shop.pass("2 hours")
      await push()
      expect((await shop.received()).get(victim)?.pushes).toBe(2)
      expect((await shop.itemOf(victim)).state).toBe("synced")
    })

    it("sends one product now, as shown before, and answers with what became of it", async () => {
      await shop.connect()
      const product = await shop.createProduct("Chair")
      await shop.productAt(product.id)
      await shop.settled(product.id, "synced")
      const { id } = await shop.itemOf(product.id)

      const shown = (await api.get(`/admin/svc/products/${id}`, shop.admin)).data
        .product as ItemAnswer
      expect(shown.payload).toEqual(shown.last_payload)
      const before = (await shop.received()).get(product.id)?.pushes ?? 0
      const pushed = await api.post(`/admin/svc/products/${id}/push`, {}, shop.admin)
      expect(pushed.data.product).toMatchObject({ id, state: "synced", reason: null })
      const after = (await shop.received()).get(product.id)
      expect(after?.pushes).toBe(before + 1)
      expect(after?.product).toEqual(shown.payload)

      await sandbox.control("/faults", { on: "products", kind: "status", status: 500 })
      const failed = await api.post(`/admin/svc/products/${id}/push`, {}, shop.admin)
      expect(failed.data.product).toMatchObject({
        state: "pending",
        reason: { code: "svc_unavailable" },
        attempts: 1,
      })
      const unknown = await api.post("/admin/svc/products/none/push", {}, shop.refused())
      expect([unknown.status, unknown.data.code]).toEqual([404, "not_found"])
    })

    it("reads the reason that the service gives for one product of an accepted batch", async () => {
      const connection = await shop.connect({
        base_url: await shop.answering((products) => ({
          status: 200,
          body: {
            results: products.map(({ id, name }) =>
              name === "Bad"
                ? { id, status: "error", error: { code: "bad_name", message: "No such name." } }
                : { id, status: "updated" },
            ),
          },
        })),
      })
      const [bad = "", good = ""] = await shop.insertProducts(["Bad", "Good"])
      expect(await shop.importAll(connection)).toMatchObject({ total: 2, done: 1, failed: 1 })
      expect((await shop.itemOf(bad)).reason).toMatchObject({ code: "bad_name" })
      expect((await shop.itemOf(bad)).reason?.message).toContain("No such name.")
      expect((await shop.itemOf(good)).state).toBe("synced")
    })

    it("isolates the product that makes the service refuse a batch; the others go", async () => {
      const accepted: string[] = []
      const url = await shop.answering((products) => {
        if (products.length > 20) return { status: 413, body: {} }
        if (products.some(({ name }) => name === "Product 37")) {
          return { status: 422, body: { error: { message: "Product 37 is not welcome." } } }
        }
        accepted.push(...products.map(({ id }) => id))
        return { status: 200, body: {} }
      })
      const connection = await shop.connect({ base_url: url })
      await shop.insertProducts(Array.from({ length: 100 }, (_, n) => `Product ${n}`))

      expect(await shop.importAll(connection)).toMatchObject({ total: 100, done: 99, failed: 1 })
      expect(new Set(accepted).size).toBe(99)
      expect(accepted).toHaveLength(99)
      const [refusedItem, ...others] = await shop.items({ state: "failed" })
      expect(others).toEqual([])
      expect(refusedItem).toMatchObject({ title: "Product 37", reason: { code: "svc_rejected" } })
      expect(refusedItem?.reason?.message).toContain("Product 37 is not welcome.")
    })
  })
})
