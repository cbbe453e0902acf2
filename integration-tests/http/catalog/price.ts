/** The price that is sent is the price that a guest pays. */

import {
  createProductTypesWorkflow,
  createTaxRatesWorkflow,
  createTaxRegionsWorkflow,
  deleteProductTypesWorkflow,
  deleteTaxRatesWorkflow,
  updateProductsWorkflow,
  updateTaxRatesWorkflow,
} from "@medusajs/core-flows"
import { Modules } from "@medusajs/framework/utils"
import fc from "fast-check"
import { runs } from "../../setup/generated"
import { guestCarts, store } from "./guest-carts"
import { type CatalogShop, variant } from "./shop"

/** More with `CATALOG_STORES`: each is a store of its own, with a guest's cart in each market. */
const STORES = Number(process.env.CATALOG_STORES ?? 5)
/** Until a run of so many hangs; one takes a second and a half on a quiet machine. */
const WITHIN_MS = Math.max(300_000, STORES * 6_000)

export function describePrice(shop: CatalogShop): void {
  const { getContainer } = shop

  describe("the price", () => {
    it("follows taxes and preferences, with tax or without as the show's prices are", async () => {
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
      await shop.productAt(product.id, { price: 124.99 })
      await shop.productAt(product.id, { price: 99.99 }, "net-page")

      const reduced = (rate: number, reference: string, reference_id: string) =>
        shop.result(createTaxRatesWorkflow, [
          {
            tax_region_id: taxes.id,
            name: reference,
            code: reference,
            rate,
            rules: [{ reference, reference_id }],
          },
        ])
      // The rate changes, then the store's preference.
      const rates = await getContainer()
        .resolve(Modules.TAX)
        .listTaxRates({ tax_region_id: taxes.id })
      await shop.result(updateTaxRatesWorkflow, {
        selector: { id: rates[0]?.id },
        update: { rate: 10 },
      })
      await shop.productAt(product.id, { price: 109.99 })
      // The product gets a rate of its own, and loses it again.
      const [own] = await reduced(5, "product", product.id)
      await shop.productAt(product.id, { price: 104.99 })
      await shop.result(deleteTaxRatesWorkflow, { ids: [own.id] })
      await shop.productAt(product.id, { price: 109.99 })
      // So does its type, which is deleted then: Medusa leaves the type's id on the product.
      const [books] = await shop.result(createProductTypesWorkflow, {
        product_types: [{ value: "Books" }],
      })
      await shop.result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { type_id: books.id },
      })
      await reduced(6, "product_type", books.id)
      await shop.productAt(product.id, { price: 105.99 })
      await shop.result(deleteProductTypesWorkflow, { ids: [books.id] })
      await shop.productAt(product.id, { price: 109.99 })
      await shop
        .knex("price_preference")
        .where({ attribute: "currency_code", value: "dkk" })
        .delete()
      await getContainer().resolve(Modules.PRICING).createPricePreferences({
        attribute: "currency_code",
        value: "dkk",
        is_tax_inclusive: true,
      })
      await shop.productAt(product.id, { price: 99.99 })
      await shop.productAt(product.id, { price: 90.9 }, "net-page")
    })

    it(
      "is what the cart of a guest is charged, over generated prices, price lists and taxes",
      async () => {
        const carts = await guestCarts(shop)
        let compared = 0
        await fc.assert(
          fc.asyncProperty(store, async (generated) => {
            await carts.arrange(generated)
            const charged = await carts.charged()
            expect(await carts.pushed()).toEqual(charged)
            for (const prices of Object.values(charged)) compared += Object.keys(prices).length
          }),
          { ...runs(STORES), interruptAfterTimeLimit: WITHIN_MS },
        )
        expect(compared).toBe(STORES * carts.priceCount)
      },
      WITHIN_MS * 2,
    )

    it("is left as the store keeps it where somebody else computes the taxes, and says so", async () => {
      await shop
        .knex("tax_provider")
        .insert({ id: "tp_elsewhere", is_enabled: true })
        .onConflict("id")
        .ignore()
      await shop
        .knex("tax_region")
        .insert({ id: "txreg_elsewhere", country_code: "dk", provider_id: "tp_elsewhere" })
      await shop.connect()
      const product = await shop.createProduct("Taxed elsewhere", [variant("S", 100)])
      await shop.productAt(product.id, { price: 100 })
      const item = await shop.settled(product.id, "synced")
      expect(item.reason).toMatchObject({
        code: "tax_elsewhere",
        params: { country: "DK", provider: "tp_elsewhere" },
      })
      await shop.knex("tax_region").where({ id: "txreg_elsewhere" }).delete()
    })
  })
}
