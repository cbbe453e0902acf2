/** What the nightly comparison finds, and what nobody is called for. */
import { updateProductsWorkflow } from "@medusajs/core-flows"
import { sweepCatalog, workCatalog } from "../../../src/workflows/catalog"
import { eventually } from "../../setup/market"
import type { CatalogShop } from "./shop"

export function describeSweeps(shop: CatalogShop): void {
  const {
    calls,
    connect,
    createProduct,
    getContainer,
    importEnds,
    insertProduct,
    itemOf,
    productAt,
    result,
    settled,
    sync,
  } = shop

  describe("the comparison by night", () => {
    it("calls nobody where nothing changed: not by night, and not for an event that changes no payload", async () => {
      const product = await createProduct("Steady")
      const connection = await connect()
      await sync(connection)
      await importEnds(connection)
      const before = await calls()
      expect(before).toBeGreaterThan(0)

      expect(await sweepCatalog(getContainer())).toEqual({ compared: 1, marked: 0 })
      const rowOf = () => shop.knex("svc_catalog_item").where({ product_id: product.id }).first()
      const { wanted } = await rowOf()
      await result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { description: "Not part of what the service is told." },
      })
      await eventually(rowOf, (row) => row.wanted > wanted && row.wanted === row.acknowledged)
      await workCatalog(getContainer())

      expect(await calls()).toBe(before)
      expect((await itemOf(product.id)).state).toBe("synced")
    })

    it("finds by night what no event told: changes, arrivals and departures made in SQL", async () => {
      await connect()
      const changed = await createProduct("Changed")
      const gone = await createProduct("Gone")
      await settled(changed.id, "synced")
      await settled(gone.id, "synced")
      const arrived = await insertProduct("Arrived")
      await shop.knex("product").where({ id: changed.id }).update({ title: "Changed in SQL" })
      await shop.knex("product_sales_channel").where({ product_id: gone.id }).delete()

      expect(await sweepCatalog(getContainer())).toEqual({ compared: 2, marked: 3 })

      await productAt(changed.id, ({ product: at }) => at.name === "Changed in SQL")
      await productAt(gone.id, ({ product: at }) => at.status === "disabled")
      await productAt(arrived)
    })
  })
}
