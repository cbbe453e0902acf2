/** Variants that come and go. */

import {
  deleteProductVariantsWorkflow,
  updateProductsWorkflow,
  updateProductVariantsWorkflow,
} from "@medusajs/core-flows"
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
      await shop.result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { title: "Sized anew" },
      })
      const after = await shop.productAt(product.id, ({ product: at }) => at.name === "Sized anew")
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
  })
}
