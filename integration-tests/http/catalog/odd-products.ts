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
      const rows = Array.from({ length: 999 }, (_, n) => `many_${n + 1}`)
      await shop.knex.batchInsert(
        "product_variant",
        rows.map((key, n) => ({
          id: key,
          title: `V${n + 1}`,
          product_id: id,
          variant_rank: n + 1,
        })),
      )
      await shop.knex.batchInsert(
        "price_set",
        rows.map((key) => ({ id: key })),
      )
      await shop.knex.batchInsert(
        "product_variant_price_set",
        rows.map((key) => ({ id: key, variant_id: key, price_set_id: key })),
      )
      await shop.knex.batchInsert(
        "price",
        rows.map((key, n) => ({
          id: key,
          price_set_id: key,
          currency_code: "dkk",
          amount: 11 + n,
          raw_amount: { value: `${11 + n}`, precision: 20 },
        })),
      )
      await shop.importAll((await shop.itemOf(id)).connection_id)
      const { product } = await shop.productAt(
        id,
        ({ product: at }) => at.variants?.length === 1_000,
      )
      expect(product).toMatchObject({ name: title, price: 10, status: "enabled" })
      // The list shows the beginning of it, in whole signs.
      expect((await shop.settled(id, "synced")).title).toBe([...title].slice(0, 200).join(""))
    })

    it("is sent, or says what to do, whatever is missing or wrong in it", async () => {
      const connection = await shop.connect()
      const only = (price: number | null, more = {}) => [variant("S", price, more)]
      const made: Record<string, { id: string; variants: { id: string }[] }> = {
        free: await shop.createProduct("Free", only(0)),
        unpriced: await shop.createProduct("Unpriced", only(null)),
        elsewhere: await shop.createProduct("Elsewhere", [
          variant("S", null, { prices: [{ amount: 10, currency_code: "eur" }] }),
        ]),
        unnumbered: await shop.createProduct("Unnumbered", only(10, { sku: undefined })),
        blank: await shop.createProduct("Blank", only(10)),
        relative: await shop.createProduct("Relative", only(10), { thumbnail: "/a b.jpg" }),
        broken: await shop.createProduct("Broken", only(10), { thumbnail: "http://[" }),
        nameless: await shop.createProduct("Nameless", only(10)),
      }
      const { blank, nameless } = made
      await shop.knex("product_variant").where({ product_id: blank?.id }).update({ sku: "" })
      await shop.knex("product").where({ id: nameless?.id }).update({ title: "  " })
      await shop.importAll(connection)

      const expected: Record<string, { state: string; code?: string; sent?: object }> = {
        free: { state: "synced", code: "zero_price", sent: { price: 0 } },
        unpriced: { state: "invalid", code: "no_price" },
        elsewhere: { state: "invalid", code: "no_price" },
        unnumbered: { state: "synced", sent: { sku: made.unnumbered?.variants[0]?.id } },
        blank: { state: "synced", sent: { sku: blank?.variants[0]?.id } },
        relative: { state: "synced", sent: { image: "https://shop.example/a%20b.jpg" } },
        broken: { state: "synced", code: "image_unusable", sent: { name: "Broken" } },
        nameless: { state: "invalid", code: "incomplete" },
      }
      const at = await shop.received()
      for (const [name, { state, code, sent }] of Object.entries(expected)) {
        const id = made[name]?.id ?? ""
        const item = await shop.itemOf(id)
        expect({ name, state: item.state, code: item.reason?.code }).toEqual({ name, state, code })
        if (code) expect(item.reason?.fix).toMatch(/\w{3}.*\.$/)
        const product = at.get(id)?.product
        if (sent) expect(product).toMatchObject(sent)
        // Medusa's event comes before the title of spaces, so that one may have been sent as it was.
        else if (product) expect(product.status).toBe("disabled")
      }
      expect(at.get(made.broken?.id ?? "")?.product).not.toHaveProperty("image")
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
      const inYen = await shop.productAt(id, ({ product }) => product.price === yen, "yen-page")
      expect(inYen.product).toMatchObject(priced(yen))
      const inDinar = await shop.productAt(
        id,
        ({ product }) => product.price === dinar,
        "dinar-page",
      )
      expect(inDinar.product).toMatchObject(priced(dinar))
    })
  })
}
