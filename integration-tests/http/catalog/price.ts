/** The price that is sent is the price that a guest pays. */

import {
  createTaxRatesWorkflow,
  createTaxRegionsWorkflow,
  deleteTaxRatesWorkflow,
  updateTaxRatesWorkflow,
} from "@medusajs/core-flows"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import fc from "fast-check"
import { StorePrices } from "../../../src/modules/svc/core-tables/store-prices"
import { runs } from "../../setup/generated"
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
      // The product gets a rate of its own, and loses it again.
      const [own] = await shop.result(createTaxRatesWorkflow, [
        {
          tax_region_id: taxes.id,
          name: "Reduced",
          code: "reduced",
          rate: 5,
          rules: [{ reference: "product", reference_id: product.id }],
        },
      ])
      await shop.productAt(product.id, ({ product: at }) => at.price === 104.99)
      await shop.result(deleteTaxRatesWorkflow, { ids: [own.id] })
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

    it("is what Medusa's pricing module says, over generated prices and price lists", async () => {
      const pricing = getContainer().resolve(Modules.PRICING)
      const prices = new StorePrices(shop.knex)
      const other = "reg_other"
      const amount = fc.integer({ min: 0, max: 400 }).map((cents) => cents / 4)
      const currency = fc.constantFrom("dkk", "eur")
      const region = fc.constantFrom(shop.region, other)
      const rules = fc.oneof(
        { weight: 3, arbitrary: fc.constant({}) },
        { weight: 2, arbitrary: fc.record({ region_id: region }) },
        { weight: 1, arbitrary: fc.constant({ customer_group_id: "a-group" }) },
      )
      const price = fc.record({
        amount,
        currency_code: currency,
        rules,
        min_quantity: fc.constantFrom(undefined, 1, 5),
      })
      const list = fc.record({
        type: fc.constantFrom("sale" as const, "override" as const),
        status: fc.constantFrom("active" as const, "active" as const, "draft" as const),
        starts: fc.constantFrom(null, -1, 1),
        ends: fc.constantFrom(null, -1, 1),
        regions: fc.constantFrom(null, [shop.region], [other], [shop.region, other]),
        prices: fc.array(fc.tuple(fc.nat(), price), { maxLength: 15 }),
      })
      const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
      let seen = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(price, { maxLength: 6 }), { minLength: 10, maxLength: 20 }),
          fc.array(list, { maxLength: 5 }),
          async (wantedSets, wantedLists) => {
            const sets = await pricing.createPriceSets(wantedSets.map((own) => ({ prices: own })))
            await pricing.createPriceLists(
              wantedLists.map(({ type, status, starts, ends, regions, prices: listed }) => ({
                title: "Generated",
                description: "Generated",
                type,
                status,
                ...(starts === null ? {} : { starts_at: inDays(starts) }),
                ...(ends === null ? {} : { ends_at: inDays(ends) }),
                ...(regions ? { rules: { region_id: [...regions] } } : {}),
                prices: listed.flatMap(([n, one]) => {
                  const set = sets[n % sets.length]
                  return set ? { price_set_id: set.id, ...one } : []
                }),
              })),
            )
            const ids = sets.map(({ id }) => id)
            const markets = [
              { region_id: shop.region, currency_code: "dkk" },
              { region_id: other, currency_code: "eur" },
            ]
            const ours = await prices.read(markets, ids)
            for (const [n, context] of markets.entries()) {
              const theirs = await pricing.calculatePrices({ id: ids }, { context })
              const amounts = new Map(
                theirs.map(({ id, calculated_amount }) => [id, calculated_amount ?? null]),
              )
              for (const id of ids) {
                const found = ours[n]?.get(id)
                const known = amounts.get(id) ?? null
                expect({ id, amount: found ? Number(found.amount) : null }).toEqual({
                  id,
                  amount: known === null ? null : Number(known),
                })
                if (known !== null) seen += 1
              }
            }
            await pricing.deletePriceLists(
              (await pricing.listPriceLists({}, { take: null })).map(({ id }) => id),
            )
          },
        ),
        runs(15),
      )
      expect(seen).toBeGreaterThan(100)
    })
  })
}
