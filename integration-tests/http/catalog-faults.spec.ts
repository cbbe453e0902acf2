/** What went wrong in the catalog once: each test failed before its fault was mended, and covers the kind of it. */
import {
  createPriceListsWorkflow,
  createRegionsWorkflow,
  createTaxRegionsWorkflow,
  deleteProductVariantsWorkflow,
  updateProductsWorkflow,
  updateProductVariantsWorkflow,
  updateRegionsWorkflow,
  updateSalesChannelsWorkflow,
  updateTaxRatesWorkflow,
} from "@medusajs/core-flows"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import eachMinute from "../../src/jobs/push-catalog"
import eachNight from "../../src/jobs/sweep-catalog"
import { SVC_MODULE } from "../../src/modules/svc"
import { workCatalog } from "../../src/workflows/catalog"
import { type CatalogShop, openShop, type Pushed, variant } from "../setup/catalog"
import { eventually } from "../setup/market"
import { describeStore, eventsAreMarked } from "../setup/medusa"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"

describeStore(({ api, getContainer }) => {
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

  const fault = (rule: Record<string, unknown>) =>
    sandbox.control("/faults", { on: "products", ...rule })
  const heal = () => sandbox.control("/faults", undefined, "DELETE")
  const titles = (count: number, prefix = "Product") =>
    Array.from({ length: count }, (_, n) => `${prefix} ${n}`)
  const gate = () => {
    let open = () => {}
    const opened = new Promise<void>((resolve) => (open = resolve))
    return { open, opened }
  }

  describe("several markets", () => {
    it("one market's edits are sent while another market's import does not end", async () => {
      const { open, opened } = gate()
      let begun = false
      const slow = await shop.answering(async () => {
        begun = true
        await opened
        return { status: 200, body: {} }
      })
      await shop.insertProducts(titles(2))
      const held = await shop.connect({ base_url: slow, page_uid: "slow-page", name: "Slow" })
      await shop.sync(held)
      await eventually(
        async () => begun,
        (yes) => yes,
      )
      await shop.connect()
      for (const title of ["First edit", "Second edit"]) {
        const product = await shop.createProduct(title)
        await shop.productAt(product.id)
      }
      expect((await shop.syncOf(held)).status).toBe("running")
      open()
      await shop.importEnds(held)
    })
  })

  describe("a service that does not take products", () => {
    it.each([402, 404, 405, 409, 410, 415])(
      "loses none when a gateway answers %i for everything, says why it waits, and goes on by itself",
      async (status) => {
        await fault({ kind: "status", status, body: "<h1>No</h1>" })
        const connection = await shop.connect()
        const ids = await shop.insertProducts(titles(150))
        await shop.sync(connection)
        const waiting = await eventually(
          () => shop.syncOf(connection),
          ({ reason }) => reason !== null,
        )
        expect(waiting).toMatchObject({
          status: "running",
          reason: { code: "endpoint_refuses", params: { status: String(status) } },
        })
        expect(Date.parse(waiting.next_attempt_at ?? "") - Date.now()).toBeLessThan(60_000)
        await shop.aMinuteLater()
        expect(await shop.items({ state: "failed" })).toEqual([])
        expect(await shop.calls()).toBeLessThanOrEqual(10)

        await heal()
        await shop.aMinuteLater()
        expect(await shop.importEnds(connection)).toMatchObject({
          total: 150,
          done: 150,
          failed: 0,
        })
        expect((await shop.received()).size).toBe(ids.length)
        expect(await shop.syncOf(connection)).toMatchObject({ reason: null, next_attempt_at: null })
      },
    )

    it("stops after a few calls when everything is refused with 422, and loses none", async () => {
      await fault({ kind: "status", status: 422, body: { error: { message: "No brand." } } })
      const connection = await shop.connect()
      await shop.insertProducts(titles(300))
      await shop.sync(connection)
      const waiting = await eventually(
        () => shop.syncOf(connection),
        ({ reason }) => reason !== null,
      )
      expect(waiting.reason).toMatchObject({ code: "most_refused" })
      expect(waiting.reason?.message).toContain("No brand.")
      expect(await shop.calls()).toBeLessThanOrEqual(30)
      await shop.aMinuteLater()
      expect(await shop.calls()).toBeLessThanOrEqual(36)
      expect(await shop.items({ state: "failed" })).toEqual([])

      await heal()
      await shop.aMinuteLater()
      expect(await shop.importEnds(connection)).toMatchObject({ total: 300, done: 300, failed: 0 })
    })

    it.each([500, 403])(
      "finds the one product that is answered %i, sends its neighbours, and leaves orders alone",
      async (status) => {
        const connection = await shop.connect()
        const ids = await shop.insertProducts(titles(250))
        const poison = ids[137] ?? ""
        await fault({ kind: "status", status, product_id: poison })
        await shop.sync(connection)
        expect(await shop.importEnds(connection)).toMatchObject({
          total: 250,
          done: 249,
          failed: 1,
        })
        expect((await shop.received()).size).toBe(249)
        expect(await shop.itemOf(poison)).toMatchObject({
          state: "pending",
          reason: { code: "product_fails_alone" },
        })
        // What reports of orders go through.
        const svc = getContainer().resolve(SVC_MODULE)
        await expect(svc.call(connection, (client) => client.listWebhooks())).resolves.toEqual([])

        // It keeps nobody else from being sent, however often it fails.
        const [edited = ""] = ids
        await shop.pass("1 hour")
        await shop.result(updateProductsWorkflow, {
          selector: { id: edited },
          update: { title: "Edited" },
        })
        await shop.productAt(edited, ({ product }) => product.name === "Edited")

        await heal()
        await shop.pass("1 hour")
        await workCatalog(getContainer())
        await shop.productAt(poison)
        expect(await shop.settled(poison, "synced")).toMatchObject({ reason: null, attempts: 0 })
      },
    )

    it("gives up no product because the service was away for more than a day", async () => {
      const connection = await shop.connect()
      const [id = ""] = await shop.insertProducts(["Patient"])
      await fault({ kind: "status", status: 503 })
      await shop.sync(connection)
      await eventually(
        () => shop.syncOf(connection),
        ({ reason }) => reason !== null,
      )
      for (let hours = 0; hours < 30; hours += 10) {
        await shop.pass("10 hours")
        await workCatalog(getContainer())
      }
      expect((await shop.items({ state: "failed" })).length).toBe(0)
      await heal()
      await shop.aMinuteLater()
      await shop.productAt(id)
      // A failure after that is the first of its kind.
      await fault({ kind: "status", status: 503, times: 1 })
      await shop.result(updateProductsWorkflow, { selector: { id }, update: { title: "Again" } })
      await workCatalog(getContainer())
      await shop.aMinuteLater()
      await shop.productAt(id, ({ product }) => product.name === "Again")
    })

    it("tries what was refused again each night, and all of a kind when a person asks", async () => {
      const connection = await shop.connect()
      const ids = await shop.insertProducts(titles(3))
      const [bad = "", worse = ""] = ids
      for (const id of [bad, worse]) await fault({ kind: "status", status: 422, product_id: id })
      await shop.sync(connection)
      await shop.importEnds(connection)
      expect(await shop.items({ state: "failed" })).toHaveLength(2)

      await heal()
      await fault({ kind: "status", status: 422, product_id: worse })
      await eachNight(getContainer())
      await workCatalog(getContainer())
      await shop.productAt(bad)
      expect((await shop.items({ state: "failed" })).map((item) => item.product_id)).toEqual([
        worse,
      ])

      await heal()
      const { data } = await api.post(
        "/admin/svc/products/push",
        { filters: { connection_id: connection, reason_code: "svc_rejected" } },
        shop.admin,
      )
      expect(data).toEqual({ count: 1 })
      await shop.productAt(worse)
      const none = await api.post("/admin/svc/products/push", { filters: {} }, shop.refused())
      expect([none.status, none.data.code]).toEqual([400, "invalid_request"])
    })

    it("waits as long as it is told, whatever is leased, read ahead or edited meanwhile", async () => {
      const connection = await shop.connect()
      const ids = await shop.insertProducts(titles(350))
      await fault({ kind: "throttle", retry_after: 6, times: 1 })
      await shop.sync(connection)
      await eventually(
        () => shop.calls("status:429"),
        (count) => count > 0,
      )
      const [edited = ""] = ids
      for (let edit = 0; edit < 5; edit++) {
        await shop.result(updateProductsWorkflow, {
          selector: { id: edited },
          update: { title: `Edit ${edit}` },
        })
        await new Promise((resolve) => setTimeout(resolve, 400))
      }
      expect(await shop.importEnds(connection)).toMatchObject({ total: 350, done: 350 })
      await shop.productAt(edited, ({ product }) => product.name === "Edit 4")
      // The first of them was told to wait; no other call came before its time.
      expect(await shop.calls("fault:throttle")).toBe(1)
    })
  })

  describe("what is acknowledged", () => {
    it("is written down with each answer, not when the whole page is through", async () => {
      const { open, opened } = gate()
      let calls = 0
      const url = await shop.answering(async () => {
        calls += 1
        if (calls > 1) await opened
        return { status: 200, body: {} }
      })
      const connection = await shop.connect({ base_url: url })
      await shop.insertProducts(titles(150))
      await shop.sync(connection)
      await eventually(
        () => shop.items({ state: "synced" }),
        (synced) => synced.length === 100,
      )
      open()
      await shop.importEnds(connection)
    })

    it("is of the page that took it: a connection that moves in the middle of an import sends everything anew", async () => {
      await sandbox.control("/pages", { uid: "new-page", name: "New", api_token: "new-token" })
      await sandbox.control("/profiles", { batch_limit: 50 })
      const connection = await shop.connect()
      const ids = await shop.insertProducts(titles(120))
      await shop.sync(connection)
      await eventually(
        () => shop.received(),
        (seen) => seen.size > 0,
      )
      await api.post(
        `/admin/svc/connections/${connection}`,
        { page_uid: "new-page", api_token: "new-token" },
        shop.admin,
      )
      await eventually(
        () => shop.received("new-page"),
        (seen) => seen.size === ids.length,
      )
    })
  })

  describe("marks", () => {
    it("of a market's new currency outlive the cancel of an import", async () => {
      const [region] = await shop.result(createRegionsWorkflow, {
        regions: [{ name: "Moving", currency_code: "dkk", countries: ["se"] }],
      })
      const connection = await shop.connect({ region_id: region.id })
      const prices = [
        { amount: 100, currency_code: "dkk" },
        { amount: 15, currency_code: "eur" },
      ]
      const product = await shop.createProduct("Both", [variant("S", 100, { prices })])
      await shop.productAt(product.id, ({ product: at }) => at.price === 100)
      await shop.settled(product.id, "synced")
      await fault({ kind: "status", status: 503 })
      await shop.sync(connection, "", { force: true })
      await shop.result(updateRegionsWorkflow, {
        selector: { id: region.id },
        update: { currency_code: "eur" },
      })
      await workCatalog(getContainer())
      await shop.sync(connection, "/cancel")
      await heal()
      await shop.aMinuteLater()
      await shop.productAt(product.id, ({ product: at }) => at.price === 15)
    })

    it("of everything but the import go on while the import is paused", async () => {
      const connection = await shop.connect()
      const [first = "", second = ""] = await shop.insertProducts(titles(2))
      await shop.importAll(connection)
      await fault({ kind: "status", status: 503 })
      await shop.sync(connection, "", { force: true })
      await shop.sync(connection, "/pause")
      await workCatalog(getContainer())
      await heal()

      await shop.knex("product").where({ id: first }).update({ title: "Changed in SQL" })
      await eachNight(getContainer())
      await shop.aMinuteLater()
      await shop.productAt(first, ({ product }) => product.name === "Changed in SQL")
      await shop.knex("product_sales_channel").where({ product_id: second }).delete()
      await eachNight(getContainer())
      await workCatalog(getContainer())
      await shop.productAt(second, ({ product }) => product.status === "disabled")
      expect((await shop.syncOf(connection)).status).toBe("paused")
    })

    it("of a store-wide sale let a person's edit go first", async () => {
      const connection = await shop.connect()
      const ids = await shop.insertProducts(titles(620))
      await shop.importAll(connection)
      await fault({ kind: "status", status: 503 })
      const [list] = await shop.result(createPriceListsWorkflow, {
        price_lists_data: [
          { title: "Sale", description: "Everything", type: "sale", status: "active", prices: [] },
        ],
      })
      await shop.knex("price").insert(
        ids.map((id) => ({
          id: `sale_${id}`,
          price_set_id: `sql_${id}`,
          price_list_id: list.id,
          currency_code: "dkk",
          amount: 5,
          raw_amount: { value: "5", precision: 20 },
        })),
      )
      await api.post(`/admin/price-lists/${list.id}`, { description: "Half" }, shop.admin)
      await eventsAreMarked(getContainer())
      const edited = ids.at(-1) ?? ""
      await shop.result(updateProductsWorkflow, {
        selector: { id: edited },
        update: { title: "Edited by a person" },
      })
      await workCatalog(getContainer())
      await sandbox.control("/journal", undefined, "DELETE")
      await heal()
      await shop.aMinuteLater()
      await eventually(
        () => shop.received(),
        (seen) => [...seen.values()].every(({ product }) => product.price === 5),
      )
      const { entries } = await sandbox.control<{
        entries: { request: { body: { products: Pushed[] } } }[]
      }>("/journal?q=endpoint:products%20status:200&order=asc&limit=1")
      expect(entries[0]?.request.body.products.map(({ id }) => id)).toContain(edited)
    })

    it("are not made again for lists that nobody touched, when a list is changed in the admin", async () => {
      await shop.connect()
      const product = await shop.createProduct("Listed", [variant("S", 100)])
      const listOf = async (title: string, prices: unknown[]) => {
        const [list] = await shop.result(createPriceListsWorkflow, {
          price_lists_data: [{ title, description: title, type: "sale", status: "active", prices }],
        })
        return list.id as string
      }
      await listOf("Recent", [
        { amount: 80, currency_code: "dkk", variant_id: product.variants[0]?.id },
      ])
      await shop.productAt(product.id, ({ product: at }) => at.price === 80)
      await shop.settled(product.id, "synced")
      const other = await listOf("Other", [])
      const wanted = async () =>
        (await shop.knex("svc_catalog_item").where({ product_id: product.id }).first()).wanted
      const before = await wanted()
      for (let time = 0; time < 3; time++) {
        await api.post(`/admin/price-lists/${other}`, { description: `${time}` }, shop.admin)
        await eventsAreMarked(getContainer())
      }
      await workCatalog(getContainer())
      expect(await wanted()).toBe(before)
    })

    it("are found by night for every connection, without holding up the jobs that come after", async () => {
      const [broken] = await shop.result(createRegionsWorkflow, {
        regions: [{ name: "Broken", currency_code: "dkk", countries: ["no"] }],
      })
      await shop.connectPage("broken-page", { region_id: broken.id })
      await shop.connect()
      const [drifted = ""] = await shop.insertProducts(["Drifted"])
      await shop.knex("region").where({ id: broken.id }).update({ currency_code: "" })
      const lock = await shop.knex.transaction()
      await lock.raw("LOCK TABLE product IN ACCESS EXCLUSIVE MODE")
      const job = eachNight(getContainer())
      const first = await Promise.race([
        job.then(() => "done"),
        new Promise((resolve) => setTimeout(() => resolve("waits"), 5_000)),
      ])
      await lock.rollback()
      await job
      expect(first).toBe("done")
      await shop.productAt(drifted)
    })

    it("and settlements that overlap do not deadlock, and none is lost", async () => {
      const connection = await shop.connect()
      const ids = await shop.insertProducts(titles(200))
      await shop.importAll(connection)
      const { marks } = getContainer().resolve(SVC_MODULE)
      const shuffled = () => [...ids].sort(() => Math.random() - 0.5)
      await shop.knex("product").whereIn("id", ids).update({ title: "Renamed" })
      await Promise.all([
        ...Array.from({ length: 8 }, () => marks.mark(shuffled())),
        workCatalog(getContainer()),
        shop.sync(connection, "", { force: true }),
        ...Array.from({ length: 4 }, () => marks.mark(shuffled())),
      ])
      await shop.importEnds(connection)
      await workCatalog(getContainer())
      await eventually(
        () => shop.received(),
        (seen) => [...seen.values()].every(({ product }) => product.name === "Renamed"),
      )
      const unsettled = await shop
        .knex("svc_catalog_item")
        .select("id")
        .whereRaw("wanted > acknowledged OR lease_token IS NOT NULL")
      expect(unsettled).toEqual([])
    })
  })

  describe("variants", () => {
    it("that are removed, or lose their price, are turned off once at a service that merges", async () => {
      await shop.connect()
      const product = await shop.createProduct("Sized", [
        variant("S", 10),
        variant("M", 20),
        variant("L", 30),
      ])
      await shop.productAt(product.id, ({ product: at }) => at.variants?.length === 3)
      const [small, medium, large] = product.variants
      await shop.result(updateProductVariantsWorkflow, {
        selector: { id: large?.id },
        update: { prices: [{ amount: 3, currency_code: "eur" }] },
      })
      const statuses = (at: Pushed) => at.variants?.map(({ id, status }) => [id, status])
      const off = await shop.productAt(
        product.id,
        ({ product: at }) => at.variants?.[2]?.status === "disabled",
      )
      expect(statuses(off.product)).toEqual([
        [small?.id, "enabled"],
        [medium?.id, "enabled"],
        [large?.id, "disabled"],
      ])
      await shop.result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { title: "Sized anew" },
      })
      const after = await shop.productAt(product.id, ({ product: at }) => at.name === "Sized anew")
      expect(statuses(after.product)).toHaveLength(2)

      await shop.result(deleteProductVariantsWorkflow, { ids: [medium?.id, large?.id] })
      const { entries } = await eventually(
        () =>
          sandbox.control<{ entries: { request: { body: { products: Pushed[] } } }[] }>(
            `/journal?q=${encodeURIComponent(`endpoint:products request.body.products.0.id:${product.id}`)}&limit=50&order=desc`,
          ),
        (seen) => seen.entries[0]?.request.body.products[0]?.type === "simple",
      )
      // First the variants are turned off, then the product is simple.
      const farewell = entries[1]?.request.body.products[0]
      expect(farewell?.variants?.map(({ status }) => status)).toEqual(["disabled", "disabled"])
    })
  })

  describe("the price", () => {
    it("is the one that the shopper pays, by Medusa's own answer, with tax or without as the show's prices are", async () => {
      const [taxes] = await shop.result(createTaxRegionsWorkflow, [
        {
          country_code: "dk",
          provider_id: "tp_system",
          default_tax_rate: { name: "Moms", code: "moms", rate: 25 },
        },
      ])
      await shop.connect()
      await shop.connectPage("net-page", { prices_include_vat: false })
      const product = await shop.createProduct("Taxed", [variant("S", 99.99), variant("M", 120)])
      const shown = async () => {
        const [key] = (
          await getContainer()
            .resolve(Modules.API_KEY)
            .createApiKeys([{ title: "Shop", type: "publishable", created_by: "tests" }])
            .then((row) => [row])
        ).flat()
        await getContainer()
          .resolve(ContainerRegistrationKeys.LINK)
          .create({
            [Modules.API_KEY]: { publishable_key_id: key?.id },
            [Modules.SALES_CHANNEL]: { sales_channel_id: shop.channel },
          })
        const { data } = await api.get(`/store/products/${product.id}`, {
          headers: { "x-publishable-api-key": key?.token },
          params: {
            region_id: shop.region,
            country_code: "dk",
            fields: "*variants.calculated_price",
          },
        })
        const prices: {
          calculated_amount_with_tax: number
          calculated_amount_without_tax: number
        }[] = data.product.variants.map(
          (one: { calculated_price: Record<string, number> }) => one.calculated_price,
        )
        const lowest = (name: keyof (typeof prices)[number]) =>
          Math.round(Math.min(...prices.map((price) => price[name])) * 100) / 100
        return {
          gross: lowest("calculated_amount_with_tax"),
          net: lowest("calculated_amount_without_tax"),
        }
      }
      const both = await shown()
      expect(both).toEqual({ gross: 124.99, net: 99.99 })
      await shop.productAt(product.id, ({ product: at }) => at.price === both.gross)
      await shop.productAt(product.id, ({ product: at }) => at.price === both.net, "net-page")

      // The rate changes, then the store's preference.
      const rates = await getContainer()
        .resolve(Modules.TAX)
        .listTaxRates({ tax_region_id: taxes.id })
      await shop.result(updateTaxRatesWorkflow, {
        selector: { id: rates[0]?.id },
        update: { rate: 10 },
      })
      await shop.productAt(product.id, ({ product: at }) => at.price === 109.99)
      await shop
        .knex("price_preference")
        .where({ attribute: "currency_code", value: "dkk" })
        .delete()
      await getContainer().resolve(Modules.PRICING).createPricePreferences({
        attribute: "currency_code",
        value: "dkk",
        is_tax_inclusive: true,
      })
      await shop.productAt(product.id, ({ product: at }) => at.price === 99.99)
      await shop.productAt(product.id, ({ product: at }) => at.price === 90.9, "net-page")
      expect(await shown()).toEqual({ gross: 99.99, net: 90.9 })
    })
  })

  describe("what no event, or none that names a product, tells", () => {
    it("is seen: a price or a stock level that a module call deletes for good", async () => {
      await shop.connect()
      const product = await shop.createProduct("Deleted from", [variant("S", 100)])
      const variantId = product.variants[0]?.id ?? ""
      const container = getContainer()
      const link = await shop
        .knex("product_variant_price_set")
        .where({ variant_id: variantId })
        .first()
      const pricing = container.resolve(Modules.PRICING)
      const { id: listId } = (
        await pricing.createPriceLists([
          {
            title: "Sale",
            description: "Sale",
            type: "sale",
            status: "active",
            prices: [{ amount: 60, currency_code: "dkk", price_set_id: link.price_set_id }],
          },
        ])
      )[0] as { id: string }
      await shop.productAt(product.id, ({ product: at }) => at.price === 60)
      const [sale] = await pricing.listPrices({ price_list_id: [listId] })
      await pricing.removePrices([sale?.id ?? ""])
      await shop.productAt(product.id, ({ product: at }) => at.price === 100)

      await pricing.updatePriceSets(link.price_set_id, {
        prices: [{ amount: 70, currency_code: "dkk" }],
      })
      await shop.productAt(product.id, ({ product: at }) => at.price === 70)

      const inventory = container.resolve(Modules.INVENTORY)
      const item = await shop
        .knex("product_variant_inventory_item")
        .where({ variant_id: variantId })
        .first()
      await inventory.createInventoryLevels([
        {
          inventory_item_id: item.inventory_item_id,
          location_id: shop.location,
          stocked_quantity: 7,
        },
      ])
      await shop.productAt(product.id, ({ product: at }) => at.inventory === 7)
      await inventory.deleteInventoryLevel(item.inventory_item_id, shop.location)
      await eventsAreMarked(container)
      // One comparison covers the changes of ten minutes.
      await shop.pass("10 minutes")
      await workCatalog(container)
      await shop.productAt(product.id, ({ product: at }) => at.inventory === 0)
    })

    it("is seen: a window that opened while no worker ran for days", async () => {
      await shop.connect()
      const product = await shop.createProduct("Blanket", [variant("S", 500)])
      await shop.productAt(product.id, ({ product: at }) => at.price === 500)
      await shop.settled(product.id, "synced")
      const [list] = await shop.result(createPriceListsWorkflow, {
        price_lists_data: [
          {
            title: "Sale",
            description: "Long ago",
            type: "sale",
            status: "active",
            starts_at: "2037-01-01",
            prices: [{ amount: 350, currency_code: "dkk", variant_id: product.variants[0]?.id }],
          },
        ],
      })
      await workCatalog(getContainer())
      await shop.pass("6 days")
      await shop.knex.raw(
        `UPDATE price_list SET starts_at = now() - interval '4 days', updated_at = now() - interval '5 days' WHERE id = ?`,
        [list.id],
      )
      await eachMinute(getContainer())
      await shop.productAt(product.id, ({ product: at }) => at.price === 350)
    })

    it("is seen: a sales channel that is turned off, and on again", async () => {
      await shop.connect()
      const product = await shop.createProduct("Off and on")
      await shop.productAt(product.id)
      await shop.result(updateSalesChannelsWorkflow, {
        selector: { id: shop.channel },
        update: { is_disabled: true },
      })
      await shop.productAt(product.id, ({ product: at }) => at.status === "disabled")
      expect((await shop.settled(product.id, "removed")).reason?.code).toBe("channel_disabled")
      await shop.result(updateSalesChannelsWorkflow, {
        selector: { id: shop.channel },
        update: { is_disabled: false },
      })
      await shop.productAt(product.id, ({ product: at }) => at.status === "enabled")
    })

    it("is seen: another market of a connection that is declared in code", async () => {
      const [euro] = await shop.result(createRegionsWorkflow, {
        regions: [{ name: "Euro", currency_code: "eur", countries: ["fi"] }],
      })
      const svc = getContainer().resolve(SVC_MODULE)
      const declare = async (regionId: string) => {
        Object.assign(svc.options, {
          connections: [
            {
              name: "Declared",
              pageUid: "demo-page",
              baseUrl: sandbox.url,
              apiToken: "sandbox-token-demo-page",
              salesChannelId: shop.channel,
              regionId,
              storefrontUrl: "https://shop.example",
              pricesIncludeVat: true,
            },
          ],
        })
        // As at the start of the store, and in the minute after it.
        await svc.adoptDeclaredConnections()
        await eachMinute(getContainer())
      }
      try {
        await declare(shop.region)
        const prices = [
          { amount: 100, currency_code: "dkk" },
          { amount: 15, currency_code: "eur" },
        ]
        const product = await shop.createProduct("Declared", [variant("S", 100, { prices })])
        await shop.productAt(product.id, ({ product: at }) => at.price === 100)
        await shop.settled(product.id, "synced")
        await declare(euro.id)
        await shop.productAt(product.id, ({ product: at }) => at.price === 15)
      } finally {
        Object.assign(svc.options, { connections: [] })
      }
    })
  })
})
