/** Products that are unlike most. */
import { createRegionsWorkflow, createTaxRegionsWorkflow } from "@medusajs/core-flows"
import { type CatalogShop, variant } from "./shop"

export function describeOddProducts(shop: CatalogShop): void {
  describe("an odd product", () => {
    it("with 1,000 variants, a title of 10,000 characters and signs of any script is sent like another", async () => {
      await shop.connect()
      const title = `Tæppe 🧶 ${"længde-".repeat(1_430)}`.slice(0, 10_000)
      const { id } = await shop.createProduct(title, [variant("V0", 10)], { handle: "taeppe" })
      // Medusa takes most of a minute to make them.
      for (const [table, columns, values] of [
        [
          "product_variant",
          "id, title, product_id, variant_rank",
          `'many_' || n, 'V' || n, '${id}', n`,
        ],
        ["price_set", "id", "'many_' || n"],
        [
          "product_variant_price_set",
          "id, variant_id, price_set_id",
          "'many_' || n, 'many_' || n, 'many_' || n",
        ],
        [
          "price",
          "id, price_set_id, currency_code, amount, raw_amount",
          `'many_' || n, 'many_' || n, 'dkk', 10 + n, jsonb_build_object('value', 10 + n)`,
        ],
      ]) {
        await shop.knex.raw(
          `INSERT INTO ${table} (${columns}) SELECT ${values} FROM generate_series(1, 999) n`,
        )
      }
      await shop.importAll((await shop.itemOf(id)).connection_id)
      const { product } = await shop.productAt(
        id,
        ({ product: at }) => at.variants?.length === 1_000,
      )
      expect(product).toMatchObject({ name: title, price: 10, status: "enabled" })
      // The list shows the beginning of it, in whole signs.
      expect((await shop.settled(id, "synced")).title).toBe([...title].slice(0, 200).join(""))
    })

    it("is priced in whole yen and in thousandths of a dinar, as a shopper there is charged", async () => {
      const regions = await shop.result(createRegionsWorkflow, {
        regions: [
          { name: "Japan", currency_code: "jpy", countries: ["jp"], automatic_taxes: true },
          { name: "Kuwait", currency_code: "kwd", countries: ["kw"], automatic_taxes: true },
        ],
      })
      await shop.result(
        createTaxRegionsWorkflow,
        ["jp", "kw"].map((country_code) => ({
          country_code,
          provider_id: "tp_system",
          default_tax_rate: { name: "Tax", code: `tax-${country_code}`, rate: 10 },
        })),
      )
      await shop.connectPage("yen-page", { region_id: regions[0].id })
      await shop.connectPage("dinar-page", { region_id: regions[1].id })
      const prices = [
        { amount: 1001, currency_code: "jpy" },
        { amount: 1.234, currency_code: "kwd" },
      ]
      const { id } = await shop.createProduct("Cup", [
        variant("S", null, { prices }),
        variant("M", null, { prices }),
      ])
      // 1101.1 and 1.3574 with tax.
      const [yen, dinar] = [1101, 1.357]
      const priced = (price: number) => ({ price, variants: [{ price }, { price }] })
      const inYen = await shop.productAt(id, { price: yen }, "yen-page")
      expect(inYen.product).toMatchObject(priced(yen))
      const inDinar = await shop.productAt(id, { price: dinar }, "dinar-page")
      expect(inDinar.product).toMatchObject(priced(dinar))
    })
  })
}
