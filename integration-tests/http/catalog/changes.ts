/** What reaches the service when something changes in the store. */
import { setTimeout as sleep } from "node:timers/promises"
import {
  batchPriceListPricesWorkflow,
  createInventoryLevelsWorkflow,
  createRegionsWorkflow,
  createReservationsWorkflow,
  createSalesChannelsWorkflow,
  createStockLocationsWorkflow,
  deleteProductsWorkflow,
  linkSalesChannelsToStockLocationWorkflow,
  updateInventoryLevelsWorkflow,
  updateProductOptionsWorkflow,
  updateProductVariantsWorkflow,
  updateRegionsWorkflow,
} from "@medusajs/core-flows"
import { Modules, ProductStatus } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../../src/modules/svc"
import { sweepEachMinute, wakeCatalog, workCatalog } from "../../../src/workflows/catalog"
import { eventually, eventuallyIs } from "../../setup/market"
import { type CatalogShop, type Received, variant } from "./shop"

export function describeChanges(shop: CatalogShop): void {
  const { api, getContainer, inventoryItemOf } = shop

  describe("a change in the store", () => {
    // gaps 24, 25
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

      await shop.edit(product.id, { title: "Havn mug, blue" })
      await shop.productAt(product.id, ({ product: at }) => at.name === "Havn mug, blue")
      expect(await shop.settled(product.id, "synced")).toMatchObject({ reason: null, attempts: 0 })

      await shop.edit(product.id, { status: ProductStatus.DRAFT })
      const draft = await shop.productAt(product.id, { status: "disabled" })
      expect(draft.product).toMatchObject({ name: "Havn mug, blue", inventory: 0, price: 100 })
      expect(draft.product.variants?.map((one) => one.status)).toEqual(["disabled", "disabled"])
      expect((await shop.settled(product.id, "removed")).reason?.code).toBe("not_published")

      await shop.edit(product.id, { status: ProductStatus.PUBLISHED })
      await shop.productAt(product.id, { status: "enabled" })

      await shop.result(deleteProductsWorkflow, { ids: [product.id] })
      await shop.productAt(product.id, { status: "disabled" })
      expect((await shop.settled(product.id, "removed")).reason?.code).toBe("deleted")
    })

    it("follows pictures, and options and their values", async () => {
      await shop.connect()
      const product = await shop.createProduct("Pictured")
      await shop.productAt(product.id, ({ product: at }) => at.variants?.length === 2)

      await shop.edit(product.id, { images: [{ url: "https://cdn.example/new.jpg" }] })
      await shop.productAt(product.id, { image: "https://cdn.example/new.jpg" })

      const options = async (names: string[], values: string[]) =>
        shop.productAt(product.id, ({ product: { configurableOptions: at = [] } }) =>
          [names, values].every(
            (wanted, n) =>
              JSON.stringify(at.flatMap((one) => (n === 0 ? one.name : one.values))) ===
              JSON.stringify(wanted),
          ),
        )
      const products = getContainer().resolve(Modules.PRODUCT)
      const [size] = await products.listProductOptions({ title: "Size" }, { relations: ["values"] })
      await shop.result(updateProductOptionsWorkflow, {
        selector: { id: size?.id },
        update: { title: "Format" },
      })
      await options(["Format"], ["S", "M"])
      const small = size?.values.find(({ value }) => value === "S")
      await products.updateProductOptionValues(small?.id ?? "", { value: "Small" })
      await options(["Format"], ["Small", "M"])
    })

    it("counts what is stocked less what is reserved, over the locations that the channel sells from", async () => {
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
      const stocked = await shop.productAt(product.id, { inventory: 7 })
      expect(stocked.product).toMatchObject({ type: "simple", manageStock: true, price: 200 })
      expect(stocked.product.variants).toBeUndefined()

      await shop.result(createReservationsWorkflow, {
        reservations: [{ inventory_item_id: item, location_id: shop.location, quantity: 2 }],
      })
      await shop.productAt(product.id, { inventory: 5 })
      for (const [is, inventory] of [
        ["remove", 0],
        ["add", 5],
      ] as const) {
        const links = { id: shop.location, [is]: [shop.channel] }
        await shop.result(linkSalesChannelsToStockLocationWorkflow, links)
        await shop.productAt(product.id, { inventory })
      }

      await shop.result(updateInventoryLevelsWorkflow, {
        updates: [{ inventory_item_id: item, location_id: shop.location, stocked_quantity: 2 }],
      })
      await shop.productAt(product.id, { inventory: 0 })

      await shop.result(updateProductVariantsWorkflow, {
        selector: { id: product.variants[0]?.id },
        update: { allow_backorder: true },
      })
      await shop.productAt(product.id, { manageStock: false })
    })

    it("shows a sale's price while its window is open, though Medusa tells nobody that it opened", async () => {
      await shop.connect()
      const product = await shop.createProduct("Blanket", [variant("S", 500)])
      await shop.productAt(product.id, { price: 500 })
      const list = await shop.createSale(product, 350, { status: "draft" })
      await shop.settled(product.id, "synced")

      // No event is emitted for any of the three. A change in the shop.admin is noticed at once; a window that opens or closes
      // by itself is found by the sweep of each minute.
      await api.post(`/admin/price-lists/${list.id}`, { status: "active" }, shop.admin)
      await shop.productAt(product.id, { price: 350 })

      await shop.settled(product.id, "synced")
      await moveWindow(list.id, { ends: "now() - interval '1 second'" })
      await sweepEachMinute(getContainer())
      await shop.productAt(product.id, { price: 500 })

      await shop.settled(product.id, "synced")
      await moveWindow(list.id, { starts: "now() - interval '1 second'", ends: "NULL" })
      await sweepEachMinute(getContainer())
      await shop.productAt(product.id, { price: 350 })

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
      await shop.productAt(product.id, { price: 500 })

      await shop.settled(product.id, "synced")
      const other = await shop.createSale(product, 400)
      await shop.productAt(product.id, { price: 400 })
      await shop.settled(product.id, "synced")
      await api.delete(`/admin/price-lists/${other.id}`, shop.admin)
      await shop.productAt(product.id, { price: 500 })
    })

    it("tells each market its own price and stock, and a market's new currency by itself", async () => {
      await shop.connect()
      const [europe] = await shop.result(createRegionsWorkflow, {
        regions: [{ name: "Europe", currency_code: "eur", countries: ["de"] }],
      })
      const [abroad] = await shop.result(createSalesChannelsWorkflow, {
        salesChannelsData: [{ name: "Abroad" }],
      })
      const connection = await shop.connectPage("europe-page", {
        sales_channel_id: abroad.id,
        region_id: europe.id,
        storefront_url: "https://shop.example/de",
      })
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
        const { products } = await shop.sandbox.control<{
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
        eventually(
          async () => {
            await shop.productAt(product.id)
            return seen()
          },
          (now) => JSON.stringify(now) === JSON.stringify(wanted),
        )
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
      expect(await shop.items({ connection_id: connection })).toHaveLength(1)
    })

    it("says why a product cannot be sold there, and withdraws what lost its price", async () => {
      await shop.connect()
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
      await shop.productAt(product.id, { status: "disabled" })
      expect((await shop.settled(product.id, "invalid")).reason?.code).toBe("no_price")
    })

    it("goes together with others of the same product: the first at once, and the last state always", async () => {
      let pushes = 0
      let last = ""
      await shop.connect({
        base_url: await shop.answering((products) => {
          pushes += 1
          last = products.at(-1)?.name ?? ""
          return { status: 200, body: {} }
        }),
      })
      const { id } = await shop.createProduct("Edited often")
      await shop.settled(id, "synced")
      const { marks } = getContainer().resolve(SVC_MODULE).catalog
      const before = pushes
      const began = Date.now()
      for (let edit = 1; edit <= 20; edit++) {
        await shop
          .knex("product")
          .where({ id })
          .update({ title: `Edit ${edit}` })
        wakeCatalog(getContainer(), await marks.mark([id]))
        await sleep(50)
      }
      await eventuallyIs(() => last, "Edit 20")
      // One a second, and one more where a second began.
      expect(pushes - before).toBeLessThanOrEqual((Date.now() - began) / 1_000 + 2)
    })

    it("has a product that fails tried soon, and not with each of many edits", async () => {
      const connection = await shop.connect()
      const [id = ""] = await shop.insertProducts(["Fails"])
      await shop.importAll(connection)
      // The import's own run takes nothing more.
      await workCatalog(getContainer())
      const { marks } = getContainer().resolve(SVC_MODULE).catalog
      const row = () => shop.knex("svc_catalog_item").where({ product_id: id })
      await row().update({
        wanted: shop.knex.raw("wanted + 1"),
        attempts: 9,
        next_attempt_at: shop.knex.raw("now() + interval '10 minutes'"),
      })
      const waits = async (): Promise<number> => {
        const { rows } = await shop.knex.raw(
          `SELECT extract(epoch FROM next_attempt_at - now())::float8 AS seconds
           FROM svc_catalog_item WHERE product_id = ?`,
          [id],
        )
        return rows[0].seconds
      }
      await marks.mark([id])
      const soon = await waits()
      expect(soon).toBeLessThanOrEqual(2)
      await marks.mark([id])
      expect(await waits()).toBeLessThanOrEqual(soon)
    })

    /** A window in SQL, so that nothing but the clock says that it opened or closed; long ago for the rest. */
    async function moveWindow(id: string, window: { starts?: string; ends: string }) {
      await shop.knex.raw(
        `UPDATE price_list SET starts_at = ${window.starts ?? "NULL"}, ends_at = ${window.ends},
           updated_at = now() - interval '3 days' WHERE id = ?`,
        [id],
      )
    }
  })
}
