/** Products that are unlike most. */
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
      // The list shows the beginning of it.
      expect((await shop.settled(id, "synced")).title).toBe(title.slice(0, 200))
    })

    it("without a variant says so, and two that share a sku are kept apart", async () => {
      await shop.connect()
      const empty = await shop.createProduct("Empty", [variant("S", 10)])
      await shop
        .knex("product_variant")
        .where({ product_id: empty.id })
        .update({ deleted_at: new Date() })
      await shop.importAll((await shop.itemOf(empty.id)).connection_id)
      expect((await shop.itemOf(empty.id)).reason).toMatchObject({ code: "no_variants" })

      const first = await shop.createProduct("One", [variant("S", 10, { sku: "one" })])
      const second = await shop.createProduct("Two", [variant("S", 20, { sku: "two" })])
      // Medusa's index forbids it in one product table; a merchant's own migration may have dropped that index.
      await shop.knex.raw('DROP INDEX IF EXISTS "IDX_product_variant_sku_unique"')
      await shop.knex("product_variant").where({ product_id: second.id }).update({ sku: "one" })
      await shop.importAll((await shop.itemOf(first.id)).connection_id)
      await shop.productAt(first.id, ({ product }) => product.sku === "one" && product.price === 10)
      await shop.productAt(
        second.id,
        ({ product }) => product.sku === "one" && product.price === 20,
      )
    })

    it("whose handle another one has as well is sent like that one, each under its own id", async () => {
      const connection = await shop.connect()
      const first = await shop.createProduct("First", [variant("S", 10)], { handle: "shared" })
      const second = await shop.createProduct("Second", [variant("S", 20)], { handle: "other" })
      // Medusa's index forbids it, and its workflows ask before; an import by SQL may have dropped that index.
      await shop.knex.raw('DROP INDEX IF EXISTS "IDX_product_handle_unique"')
      await shop.knex("product").where({ id: second.id }).update({ handle: "shared" })
      await shop.importAll(connection)
      const at = await shop.received()
      const url = "https://shop.example/products/shared"
      expect(at.get(first.id)?.product).toMatchObject({ name: "First", price: 10, url })
      expect(at.get(second.id)?.product).toMatchObject({ name: "Second", price: 20, url })
      expect((await shop.itemOf(second.id)).state).toBe("synced")
    })
  })
}
