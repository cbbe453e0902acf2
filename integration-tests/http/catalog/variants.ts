/** Variants that come and go. */

import { deleteProductVariantsWorkflow, updateProductVariantsWorkflow } from "@medusajs/core-flows"
import eachMinute from "../../../src/jobs/push-catalog"
import { SVC_MODULE } from "../../../src/modules/svc"
import { catalogReason } from "../../../src/modules/svc/catalog"
import { workCatalog } from "../../../src/workflows/catalog"
import { eventually } from "../../setup/market"
import { type CatalogShop, type Pushed, variant } from "./shop"

export function describeVariants(shop: CatalogShop): void {
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
      await shop.edit(product.id, { title: "Sized anew" })
      const after = await shop.productAt(product.id, { name: "Sized anew" })
      expect(statuses(after.product)).toHaveLength(2)

      await shop.result(deleteProductVariantsWorkflow, { ids: [medium?.id, large?.id] })
      const sent = await eventually(
        async (): Promise<Pushed[]> =>
          (await shop.journal(`request.body.products.0.id:${product.id}`)).map(
            (body) => JSON.parse(body).products[0],
          ),
        (seen) => seen.at(-1)?.type === "simple",
      )
      // First the variants are turned off, then the product is simple.
      const farewell = sent.at(-2)
      expect(farewell?.variants?.map(({ status }) => status)).toEqual(["disabled", "disabled"])
    })

    it("that go but for one, while the service asks for patience: sent by hand, the simple product is for sale there at once", async () => {
      const connection = await shop.connect()
      const product = await shop.createProduct("Sized", [variant("S", 10), variant("M", 20)])
      await shop.settled(product.id, "synced")
      await shop
        .getContainer()
        .resolve(SVC_MODULE)
        .connections.holds.hold(connection, "products", {
          ms: 1_800_000,
          reason: catalogReason("slow_down"),
          counts: false,
        })
      await shop.result(deleteProductVariantsWorkflow, { ids: [product.variants[1]?.id] })
      const { id } = await shop.itemOf(product.id)
      const pushed = await shop.sendNow(id)
      expect(pushed.data.product).toMatchObject({ state: "synced", reason: null })
      expect((await shop.received()).get(product.id)?.product).toMatchObject({
        type: "simple",
        status: "enabled",
      })
    })

    it.each(["pause", "cancel"])(
      "that go but for one, found by an import: a %s between the two steps leaves it for sale there",
      async (step) => {
        const sent: Pushed[] = []
        let isImported = false
        const connection = await shop.connect({
          base_url: await shop.answering((products) => {
            if (isImported && sent.at(-1)?.variants?.every(({ status }) => status === "disabled")) {
              isImported = false
              return { status: 429, body: {}, headers: { "retry-after": "1800" } }
            }
            sent.push(...products)
            return { status: 200, body: {} }
          }),
        })
        const product = await shop.createProduct("Sized", [variant("S", 10), variant("M", 20)])
        await shop.importAll(connection)
        await shop.settled(product.id, "synced")
        await shop
          .knex("product_variant")
          .where({ id: product.variants[1]?.id })
          .update({ deleted_at: new Date() })
        isImported = true
        await shop.sync(connection)
        await eventually(
          () => shop.syncOf(connection),
          ({ reason }) => reason?.code === "slow_down",
        )
        expect(sent.at(-1)?.type).toBe("configurable")
        await shop.sync(connection, `/${step}`)
        await shop.pass("31 minutes")
        await eachMinute(shop.getContainer())
        await workCatalog(shop.getContainer())
        expect(sent.at(-1)).toMatchObject({ type: "simple", status: "enabled" })
      },
    )

    it("that a call without an answer told of once more are turned off when they are gone again before the next one", async () => {
      const has = new Map<string, string>()
      let isLost = false
      await shop.connect({
        base_url: await shop.answering((products) => {
          for (const { variants = [] } of products) {
            for (const { id, status } of variants) has.set(id, status)
          }
          return isLost ? "broken" : { status: 200, body: {} }
        }),
      })
      const product = await shop.createProduct("Sized", [
        variant("S", 10),
        variant("M", 20),
        variant("L", 30),
      ])
      const large = product.variants.find(({ title }) => title === "L")?.id ?? ""
      const becomes = (status: string) =>
        eventually(
          async () => has.get(large),
          (seen) => seen === status,
        )
      const isPriced = (currency_code: string) =>
        shop.result(updateProductVariantsWorkflow, {
          selector: { id: large },
          update: { prices: [{ amount: 30, currency_code }] },
        })
      await becomes("enabled")
      await isPriced("eur")
      await becomes("disabled")
      await shop.settled(product.id, "synced")
      isLost = true
      await isPriced("dkk")
      await becomes("enabled")
      await workCatalog(shop.getContainer())
      await isPriced("eur")
      isLost = false
      await shop.aMinuteLater()
      await becomes("disabled")
    })
  })
}
