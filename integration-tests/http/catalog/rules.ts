/** Which products a connection sends: its rules. */
import {
  createCollectionsWorkflow,
  createProductCategoriesWorkflow,
  createProductTagsWorkflow,
  updateProductCategoriesWorkflow,
  updateProductsWorkflow,
} from "@medusajs/core-flows"
import { eventually } from "../../setup/market"
import { type CatalogShop, variant } from "./shop"

export function describeRules(shop: CatalogShop): void {
  const { api } = shop

  describe("a connection's rules", () => {
    const forSale = async (): Promise<string[]> =>
      [...(await shop.received()).values()]
        .filter(({ product }) => product.status === "enabled")
        .map(({ product }) => product.name)
        .sort()
    const becomes = (names: string[]) =>
      eventually(forSale, (seen) => JSON.stringify(seen) === JSON.stringify(names))
    const set = (connection: string, catalog: unknown) =>
      api.post(`/admin/svc/connections/${connection}`, { catalog }, shop.refused())

    it("include and exclude by collection, category, tag and metadata; what they leave out is withdrawn, with the rule's name", async () => {
      const [collection] = await shop.result(createCollectionsWorkflow, {
        collections: [{ title: "Ceramics" }],
      })
      const [category] = await shop.result(createProductCategoriesWorkflow, {
        product_categories: [{ name: "Mugs", is_active: true }],
      })
      const [tag] = await shop.result(createProductTagsWorkflow, {
        product_tags: [{ value: "outlet" }],
      })
      const one = [variant("S", 10)]
      const make = (title: string, extra: Record<string, unknown>) =>
        shop.createProduct(
          title,
          one.map((own) => ({ ...own, sku: title })),
          extra,
        )
      const bowl = await make("Bowl", { collection_id: collection.id })
      const mug = await make("Mug", { category_ids: [category.id] })
      await make("Spoon", { metadata: { live: true } })
      const outlet = await make("Outlet bowl", {
        collection_id: collection.id,
        tag_ids: [tag.id],
      })
      await make("Chair", {})
      const connection = await shop.connect()
      await shop.importAll(connection)
      expect(await forSale()).toEqual(["Bowl", "Chair", "Mug", "Outlet bowl", "Spoon"])

      const include = {
        collection_ids: [collection.id],
        category_ids: [category.id],
        metadata: { live: "true" },
      }
      await set(connection, { include, exclude: { tag_ids: [tag.id] } })
      await becomes(["Bowl", "Mug", "Spoon"])
      const withdrawn = await shop.settled(outlet.id, "removed")
      expect(withdrawn.reason).toMatchObject({ code: "excluded", params: { rule: "exclude" } })
      const [chair] = (await shop.items()).filter(({ title }) => title === "Chair")
      expect(chair?.reason).toMatchObject({ code: "excluded", params: { rule: "include" } })

      // A product that comes to match, and one that does not any more, need no import.
      await shop.result(updateProductsWorkflow, {
        selector: { id: bowl.id },
        update: { collection_id: null },
      })
      await shop.result(updateProductsWorkflow, {
        selector: { id: outlet.id },
        update: { tag_ids: [] },
      })
      await becomes(["Mug", "Outlet bowl", "Spoon"])
      // The category's products change without an event of their own.
      await shop.knex("product_category_product").where({ product_id: mug.id }).delete()
      await shop.result(updateProductCategoriesWorkflow, {
        selector: { id: category.id },
        update: { name: "Cups" },
      })
      await becomes(["Outlet bowl", "Spoon"])

      await set(connection, null)
      await becomes(["Bowl", "Chair", "Mug", "Outlet bowl", "Spoon"])
    })

    it("say where a product's page is, and what is sent besides", async () => {
      const [category] = await shop.result(createProductCategoriesWorkflow, {
        product_categories: [{ name: "Mugs", is_active: true }],
      })
      const product = await shop.createProduct("Mug", [variant("S", 10)], {
        description: "Holds a quarter of a litre.",
        category_ids: [category.id],
        metadata: { maker: "Kiln" },
      })
      const connection = await shop.connect()
      await shop.importAll(connection)
      await shop.importAll(await shop.connectPage("plain-page"))
      const at = async (pageUid?: string) =>
        (await shop.productAt(product.id, undefined, pageUid)).product
      const url = `https://shop.example/products/${product.handle}`
      const extra = ["description", "brand", "productCategories"]
      const plain = await at("plain-page")
      expect(plain.url).toBe(url)
      expect(Object.keys(plain).filter((name) => extra.includes(name))).toEqual([])

      const catalog = {
        locale: "da-DK",
        product_url_template: "/{locale}/p/{handle}?id={id}",
        extra_fields: ["description", "brand", "categories"],
        brand_from: "metadata.maker",
      }
      expect((await set(connection, catalog)).status).toBe(200)
      const told = await shop.productAt(product.id, ({ product: seen }) => seen.url !== url)
      expect(told.product).toMatchObject({
        url: `https://shop.example/da-DK/p/${product.handle}?id=${product.id}`,
        description: "Holds a quarter of a litre.",
        brand: "Kiln",
        productCategories: ["Mugs"],
      })
      // A setting of one market concerns no other.
      expect(await at("plain-page")).toEqual(plain)
    })

    it("are refused where they cannot be read, and nothing changes", async () => {
      const connection = await shop.connect()
      await shop.createProduct("Chair", [variant("S", 10)])
      await becomes(["Chair"])
      for (const catalog of [
        { include: { collections: ["pcol_1"] } },
        { exclude: { tag_ids: "ptag_1" } },
        { include: { metadata: { live: { deep: true } } } },
        { inclued: {} },
        { product_url_template: "/p/{sku}" },
        { product_url_template: "/p" },
        { product_url_template: "javascript:{id}" },
        { brand_from: "sku" },
        { extra_fields: ["cost"] },
        { locale: "not a language" },
      ]) {
        const answer = await set(connection, catalog)
        expect([answer.status, answer.data.code]).toEqual([400, "invalid_request"])
      }
      // A rule without entries leaves nothing out.
      expect((await set(connection, { include: {}, exclude: {} })).status).toBe(200)
      await shop.aMinuteLater()
      expect(await forSale()).toEqual(["Chair"])
    })
  })
}
