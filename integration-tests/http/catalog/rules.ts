/** Which products a connection sends: its rules. */
import {
  createCollectionsWorkflow,
  createProductCategoriesWorkflow,
  createProductTagsWorkflow,
  deleteProductCategoriesWorkflow,
  updateProductCategoriesWorkflow,
} from "@medusajs/core-flows"
import { workCatalog } from "../../../src/workflows/catalog"
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
      await shop.edit(bowl.id, { collection_id: null })
      await shop.edit(outlet.id, { tag_ids: [] })
      await becomes(["Mug", "Outlet bowl", "Spoon"])
      // The category's products change without an event of their own.
      await shop.knex("product_category_product").where({ product_id: mug.id }).delete()
      await shop.result(updateProductCategoriesWorkflow, {
        selector: { id: category.id },
        update: { name: "Cups" },
      })
      await becomes(["Outlet bowl", "Spoon"])

      // Rules without entries leave nothing out.
      await set(connection, { include: {}, exclude: {} })
      await becomes(["Bowl", "Chair", "Mug", "Outlet bowl", "Spoon"])
    })

    it("concern hidden and inactive categories too, as the admin offers them, and deleted ones until somebody takes them out", async () => {
      const [category] = await shop.result(createProductCategoriesWorkflow, {
        product_categories: [{ name: "Not in shows" }],
      })
      await shop.createProduct("Kept back", [variant("S", 10)], { category_ids: [category.id] })
      await shop.createProduct("Chair", [variant("S", 10)])
      const connection = await shop.connect({
        catalog: { exclude: { category_ids: [category.id] } },
      })
      await shop.importAll(connection)
      expect(await forSale()).toEqual(["Chair"])
      const show = async (update: Record<string, boolean>) => {
        await shop.result(updateProductCategoriesWorkflow, {
          selector: { id: category.id },
          update,
        })
        await workCatalog(shop.getContainer())
        expect(await forSale()).toEqual(["Chair"])
      }
      await show({ is_active: true })
      await show({ is_internal: true })
      await shop.result(deleteProductCategoriesWorkflow, [category.id])
      await workCatalog(shop.getContainer())
      expect(await forSale()).toEqual(["Chair"])
      await set(connection, { exclude: null })
      await becomes(["Chair", "Kept back"])
    })

    it("that cannot be read send nothing, and say which it is", async () => {
      const connection = await shop.connect()
      await shop.createProduct("Chair", [variant("S", 10)])
      await becomes(["Chair"])
      expect((await set(connection, { exclude: { metadata: { live: "no" } } })).status).toBe(200)
      // As a newer version may have written it, before a rollback.
      await shop
        .knex("svc_connection")
        .where({ id: connection })
        .update({ catalog: { push: true, exclude: { brand_ids: ["b"] }, label: "x" } })
      const hidden = await shop.createProduct("Private", [variant("S", 10)], {
        metadata: { live: "no" },
      })
      await shop.aMinuteLater()
      expect(await forSale()).toEqual(["Chair"])
      const path = `/admin/svc/connections/${connection}`
      const any = { ...shop.admin, validateStatus: () => true }
      expect((await api.get(`${path}/sync`, shop.admin)).data.sync.reason).toMatchObject({
        code: "setting_unreadable",
        params: { setting: "catalog.exclude" },
      })
      const preview = await api.post(`${path}/sync/preview`, {}, any)
      expect([preview.status, preview.data.code]).toEqual([409, "setting_unreadable"])
      // Asked for by hand it is not sent either.
      const { data } = await api.get(`/admin/svc/products?product_id=${hidden.id}`, shop.admin)
      const [row] = data.products
      await api.post(`/admin/svc/products/${row.id}/push`, {}, any)
      const { product } = (await api.get(`/admin/svc/products/${row.id}`, shop.admin)).data
      expect(product).toMatchObject({ state: "pending", reason: { code: "setting_unreadable" } })
      expect(await forSale()).toEqual(["Chair"])
      const health = await api.get("/admin/svc/health", any)
      expect(health.data.health.problems).toContainEqual(
        expect.objectContaining({ severity: "critical", code: "setting_unreadable" }),
      )
      // Mended, the others of its settings were never lost.
      expect((await set(connection, { exclude: { metadata: { live: "no" } } })).status).toBe(200)
      await shop.createProduct("Lamp", [variant("S", 10)])
      await becomes(["Chair", "Lamp"])
      expect((await api.get(`${path}/sync`, shop.admin)).data.sync.reason).toBeNull()
    })
  })
}
