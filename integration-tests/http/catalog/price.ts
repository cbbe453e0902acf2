/** The price that is sent is the price that a guest pays. */

import { createTaxRegionsWorkflow, updateTaxRatesWorkflow } from "@medusajs/core-flows"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { type CatalogShop, variant } from "./shop"

export function describePrice(shop: CatalogShop): void {
  const { api, getContainer } = shop

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
}
