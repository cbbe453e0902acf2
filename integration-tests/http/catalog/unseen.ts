/** Changes of which no event tells, or none that names a product. */

import {
  createProductCategoriesWorkflow,
  createRegionsWorkflow,
  reserveInventoryStep,
  updateSalesChannelsWorkflow,
} from "@medusajs/core-flows"
import { Modules } from "@medusajs/framework/utils"
import { createStep, createWorkflow, WorkflowResponse } from "@medusajs/framework/workflows-sdk"
import eachMinute from "../../../src/jobs/push-catalog"
import eachNight from "../../../src/jobs/sweep-catalog"
import { SVC_MODULE } from "../../../src/modules/svc"
import { wakeCatalog, workCatalog } from "../../../src/workflows/catalog"
import { eventually, eventuallyIs } from "../../setup/market"
import { eventsAreMarked } from "../../setup/medusa"
import { type CatalogShop, gate, variant } from "./shop"

export function describeUnseen(shop: CatalogShop): void {
  const { getContainer } = shop

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

    it("is seen: pieces that an order had reserved whose payment was declined", async () => {
      const connection = await shop.connect()
      const product = await shop.createProduct("Nearly sold", [variant("S", 100)])
      const container = getContainer()
      const inventory_item_id = await shop.inventoryItemOf(product.variants[0]?.id ?? "")
      await container
        .resolve(Modules.INVENTORY)
        .createInventoryLevels([
          { inventory_item_id, location_id: shop.location, stocked_quantity: 2 },
        ])
      await shop.importAll(connection)
      await shop.productAt(product.id, { inventory: 2 })
      await shop.settled(product.id, "synced")

      // As core places an order; meanwhile somebody else has the product looked at.
      const declined = createStep("payment-is-declined", async () => {
        const { marks } = container.resolve(SVC_MODULE).catalog
        wakeCatalog(container, await marks.mark([product.id]))
        await shop.productAt(product.id, { inventory: 1 })
        throw new Error("Declined")
      })
      const order = createWorkflow("order-whose-payment-is-declined", () => {
        reserveInventoryStep({
          items: [
            {
              id: "ordli_never",
              inventory_item_id,
              required_quantity: 1,
              quantity: 1,
              allow_backorder: false,
              location_ids: [shop.location],
            },
          ],
        })
        declined()
        return new WorkflowResponse("")
      })
      const { errors } = await order(container).run({ throwOnError: false })
      expect(errors.map(({ error }) => error.message)).toEqual(["Declined"])
      await eachMinute(container)
      await shop.productAt(product.id, { inventory: 2 })
    })

    it("is seen: a price list that a module call deletes for good", async () => {
      await shop.connect()
      const product = await shop.createProduct("On sale", [variant("S", 100)])
      await shop.createSale(product, 60)
      await shop.productAt(product.id, ({ product: at }) => at.price === 60)
      await shop.settled(product.id, "synced")
      const pricing = getContainer().resolve(Modules.PRICING)
      const lists = await pricing.listPriceLists()
      await pricing.deletePriceLists(lists.map(({ id }) => id))
      await shop.productAt(product.id, ({ product: at }) => at.price === 100)
    })

    it("is seen: a variant that a module call deletes for good", async () => {
      await shop.connect()
      const product = await shop.createProduct("Called upon")
      await shop.settled(product.id, "synced")
      const container = getContainer()
      const products = container.resolve(Modules.PRODUCT)
      const medium = product.variants.find(({ title }) => title === "M")
      await products.deleteProductVariants([medium?.id ?? ""])
      await shop.productAt(product.id, ({ product: at }) =>
        (at.variants ?? []).every(({ id, status }) => id !== medium?.id || status !== "enabled"),
      )
    })

    it("is seen: an option that a module call gives to a product, where a merchant's own code sends it", async () => {
      const { options } = getContainer().resolve(SVC_MODULE)
      Object.assign(options, {
        mapProduct: (
          payload: object,
          { product }: { product: { options: { title: string }[] } },
        ) => ({
          ...payload,
          brand: product.options.map(({ title }) => title).join(" and "),
        }),
      })
      await shop.connect()
      const product = await shop.createProduct("Coloured")
      await shop.productAt(product.id, { brand: "Size" })
      await shop.settled(product.id, "synced")
      const products = getContainer().resolve(Modules.PRODUCT)
      const [option] = await products.createProductOptions([
        { title: "Colour", values: ["Red"], is_exclusive: false },
      ])
      await products.addProductOptionToProduct({
        product_id: product.id,
        product_option_id: option?.id ?? "",
      })
      await shop.productAt(product.id, { brand: "Size and Colour" })
    })

    it("is seen: a product that joins or leaves a category, on the category's page at once, and by a module call in the night", async () => {
      const [category] = await shop.result(createProductCategoriesWorkflow, {
        product_categories: [{ name: "Not in shows", is_active: true }],
      })
      const connection = await shop.connect({
        catalog: { exclude: { category_ids: [category.id] } },
      })
      const product = await shop.createProduct("Categorised")
      await shop.importAll(connection)
      await shop.productAt(product.id, { status: "enabled" })
      const page = `/admin/product-categories/${category.id}/products`
      await shop.api.post(page, { add: [product.id] }, shop.admin)
      await shop.productAt(product.id, { status: "disabled" })
      await shop.api.post(page, { remove: [product.id] }, shop.admin)
      await shop.productAt(product.id, { status: "enabled" })
      await shop.settled(product.id, "synced")

      const products = getContainer().resolve(Modules.PRODUCT)
      const byNight = async (status: string) => {
        // One that is under way would be made again only a minute later.
        await workCatalog(getContainer())
        await eachNight(getContainer())
        await shop.productAt(product.id, { status: status })
      }
      await products.updateProducts(product.id, { category_ids: [category.id] })
      await byNight("disabled")
      await products.updateProducts(product.id, { category_ids: [] })
      await byNight("enabled")
    })

    it("is seen: a region or a sales channel that a module call restores, within a minute, and a product in the night", async () => {
      const connection = await shop.connect()
      const product = await shop.createProduct("Restored")
      await shop.importAll(connection)
      const container = getContainer()
      const products = container.resolve(Modules.PRODUCT)
      const regions = container.resolve(Modules.REGION)
      const channels = container.resolve(Modules.SALES_CHANNEL)
      const comesBack = async (
        remove: () => Promise<unknown>,
        restore: () => Promise<unknown>,
        sweep = eachMinute,
      ) => {
        await shop.productAt(product.id, { status: "enabled" })
        await shop.settled(product.id, "synced")
        await remove()
        await shop.productAt(product.id, { status: "disabled" })
        await workCatalog(container)
        await restore()
        await sweep(container)
        await shop.productAt(product.id, { status: "enabled" })
      }
      await comesBack(
        () => products.softDeleteProducts([product.id]),
        () => products.restoreProducts([product.id]),
        eachNight,
      )
      await comesBack(
        () => regions.softDeleteRegions([shop.region]),
        () => regions.restoreRegions([shop.region]),
      )
      await comesBack(
        () => channels.softDeleteSalesChannels([shop.channel]),
        () => channels.restoreSalesChannels([shop.channel]),
      )
    })

    it("is seen: a price list that opens while a product is on its way with the old price", async () => {
      const { open, opened } = gate()
      const prices: number[] = []
      let isHeld = false
      await shop.connect({
        base_url: await shop.answering(async (sent) => {
          prices.push(...sent.map(({ price }) => price))
          if (isHeld) await opened
          return { status: 200, body: {} }
        }),
      })
      const product = await shop.createProduct("Queued", [variant("S", 100)])
      await shop.createSale(product, 60, { starts_at: "2037-01-01" })
      await shop.settled(product.id, "synced")
      await workCatalog(getContainer())
      isHeld = true
      const before = prices.length
      await shop.edit(product.id, { title: "Queued and edited" })
      await eventually(
        async () => prices.length,
        (count) => count > before,
      )
      await shop.knex.raw(
        "UPDATE price_list SET starts_at = now(), updated_at = now() - interval '1 day'",
      )
      await eachMinute(getContainer())
      // The answer comes when no minute looks at this list any more.
      await shop.knex.raw("UPDATE price_list SET starts_at = now() - interval '10 minutes'")
      isHeld = false
      open()
      await workCatalog(getContainer())
      await eachMinute(getContainer())
      await eventuallyIs(() => prices.at(-1), 60)
    })

    it("is seen: a window that opened while no worker ran for days", async () => {
      await shop.connect()
      const product = await shop.createProduct("Blanket", [variant("S", 500)])
      await shop.productAt(product.id, ({ product: at }) => at.price === 500)
      await shop.settled(product.id, "synced")
      const list = await shop.createSale(product, 350, { starts_at: "2037-01-01" })
      await eachMinute(getContainer())
      await workCatalog(getContainer())
      await shop.pass("6 days")
      await shop.knex.raw(
        `UPDATE price_list SET starts_at = now() - interval '4 days', updated_at = now() - interval '5 days' WHERE id = ?`,
        [list.id],
      )
      await eachMinute(getContainer())
      await shop.productAt(product.id, ({ product: at }) => at.price === 350)
    })

    it("is seen: a window that opened, where the service reads the feed alone", async () => {
      const connection = await shop.connect({ catalog: { push: false } })
      const product = await shop.createProduct("In the feed", [variant("S", 100)])
      await shop.importAll(connection)
      const list = await shop.createSale(product, 60, { starts_at: "2037-01-01" })
      await shop.settled(product.id, "synced")
      await workCatalog(getContainer())
      await eachMinute(getContainer())
      await shop
        .knex("price_list")
        .where({ id: list.id })
        .update({ starts_at: shop.knex.fn.now(), updated_at: new Date(0) })
      await eachMinute(getContainer())
      const { id: row } = await shop.itemOf(product.id)
      const { items } = getContainer().resolve(SVC_MODULE).catalog
      await eventually(
        async () => (await items.payloads([row])).get(row),
        (payload) => payload?.price === 60,
      )
    })

    it("is seen: a sales channel that is turned off, and on again, at once, and other settings within their minute, while a comparison waits because of what nobody can trace", async () => {
      const connection = await shop.connect()
      const product = await shop.createProduct("Waited for")
      await shop.importAll(connection)
      await shop.productAt(product.id, { status: "enabled" })
      const { walks } = getContainer().resolve(SVC_MODULE).catalog
      const tenMinutes = 600_000
      await walks.openCompare("all", tenMinutes)
      await workCatalog(getContainer())
      await walks.openCompare("all", tenMinutes)
      expect((await walks.dueInMs()).get(connection)).toBeGreaterThan(60_000)
      await shop.result(updateSalesChannelsWorkflow, {
        selector: { id: shop.channel },
        update: { is_disabled: true },
      })
      await eventuallyIs(
        async () => (await shop.received()).get(product.id)?.product.status,
        "disabled",
      )
      expect((await shop.settled(product.id, "removed")).reason?.code).toBe("channel_disabled")

      await workCatalog(getContainer())
      const storefront_url = "https://other.example/"
      await shop.result(updateSalesChannelsWorkflow, {
        selector: { id: shop.channel },
        update: { is_disabled: false },
      })
      await shop.productAt(product.id, { status: "enabled" })
      // A change that is told by two events is compared twice.
      await shop.aMinuteLater()
      // Nobody told of it, and the comparison that waits has seen it.
      await shop.knex("svc_connection").where({ id: connection }).update({ storefront_url })
      await walks.openCompare("all", tenMinutes)
      expect((await walks.dueInMs()).get(connection)).toBeGreaterThan(60_000)
      await eachMinute(getContainer())
      await eventually(
        async () => (await shop.received()).get(product.id)?.product.url,
        (url) => url?.startsWith(storefront_url) === true,
      )
    })

    it("is compared once in ten minutes at most where nobody can trace it, also what changes while that goes on", async () => {
      const connection = await shop.connect()
      await shop.importAll(connection)
      await workCatalog(getContainer())
      const { walks } = getContainer().resolve(SVC_MODULE).catalog
      const tenMinutes = 600_000
      const compareWhileItChanges = async () => {
        await shop.pass("10 minutes")
        await walks.openCompare("all", tenMinutes)
        const walk = await walks.claim(connection, { token: "a worker", leaseMs: 60_000 })
        if (!walk) throw new Error("no comparison is due")
        await walks.openCompare("all", tenMinutes)
        await walks.finishPage(walk, { next: null, changed: [] })
        await walks.complete(connection)
      }
      const dueInMs = async () => (await walks.dueInMs()).get(connection)
      await compareWhileItChanges()
      expect(await dueInMs()).toBeGreaterThan(60_000)
      await compareWhileItChanges()
      expect(await dueInMs()).toBeGreaterThan(60_000)
      // What names a market goes before it.
      await walks.openCompare([connection])
      expect(await dueInMs()).toBeLessThanOrEqual(60_000)
    })

    it("does not make a comparison due that fails: its next attempt stays when it is", async () => {
      const connection = await shop.connect()
      await shop.importAll(connection)
      const { walks } = getContainer().resolve(SVC_MODULE).catalog
      await walks.openCompare("all", 600_000)
      const open = () =>
        shop
          .knex("svc_catalog_import")
          .where({ connection_id: connection, kind: "compare", status: "running" })
      const failed = {
        attempts: 3,
        next_attempt_at: new Date(Date.now() + 3_600_000),
        cursor: null,
      }
      expect(await open().update(failed)).toBe(1)
      await walks.openCompare("all")
      expect(await open().select("attempts", "next_attempt_at", "cursor")).toEqual([failed])
    })

    it("is seen: another market of a connection that is declared in code", async () => {
      const [euro] = await shop.result(createRegionsWorkflow, {
        regions: [{ name: "Euro", currency_code: "eur", countries: ["fi"] }],
      })
      const declare = async (regionId: string) => {
        await shop.declare({ regionId })
        // As in the minute after the start.
        await eachMinute(getContainer())
      }
      await declare(shop.region)
      const prices = [
        { amount: 100, currency_code: "dkk" },
        { amount: 15, currency_code: "eur" },
      ]
      const product = await shop.createProduct("Declared", [variant("S", 100, { prices })])
      await shop.productAt(product.id, { price: 100 })
      await shop.settled(product.id, "synced")
      await declare(euro.id)
      await shop.productAt(product.id, { price: 15 })
    })
  })
}
