/** The nightly comparison. */

import { updateProductsWorkflow } from "@medusajs/core-flows"
import eachNight from "../../../src/jobs/sweep-catalog"
import { workCatalog } from "../../../src/workflows/catalog"
import { eventually } from "../../setup/market"
import { type CatalogShop, titles } from "./shop"

export function describeSweeps(shop: CatalogShop): void {
  const { getContainer } = shop

  describe("the comparison by night", () => {
    it("calls nobody where nothing changed: not by night, and not for an event that changes no payload", async () => {
      const product = await shop.createProduct("Steady")
      const connection = await shop.connect()
      await shop.importAll(connection)
      const before = await shop.calls()
      expect(before).toBeGreaterThan(0)

      await eachNight(getContainer())
      await workCatalog(getContainer())
      expect(await shop.importAll(connection)).toMatchObject({ total: 1, done: 1, failed: 0 })
      const rowOf = () => shop.knex("svc_catalog_item").where({ product_id: product.id }).first()
      const { wanted } = await rowOf()
      await shop.result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { description: "Not part of what the service is told." },
      })
      await eventually(rowOf, (row) => row.wanted > wanted && row.wanted === row.acknowledged)
      await workCatalog(getContainer())

      expect(await shop.calls()).toBe(before)
      expect((await shop.itemOf(product.id)).state).toBe("synced")
    })

    it("finds by night what no event told: changes, arrivals and departures made in SQL", async () => {
      await shop.importAll(await shop.connect())
      const changed = await shop.createProduct("Changed")
      const gone = await shop.createProduct("Gone")
      await shop.settled(changed.id, "synced")
      await shop.settled(gone.id, "synced")
      const [arrived = ""] = await shop.insertProducts(["Arrived"])
      await shop.knex("product").where({ id: changed.id }).update({ title: "Changed in SQL" })
      await shop.knex("product_sales_channel").where({ product_id: gone.id }).delete()

      await eachNight(getContainer())

      await shop.productAt(changed.id, ({ product: at }) => at.name === "Changed in SQL")
      await shop.productAt(gone.id, ({ product: at }) => at.status === "disabled")
      await shop.productAt(arrived)
    })

    it("forgets by night what was deleted a month ago, and walks that nobody looks at", async () => {
      const connection = await shop.connect()
      const [kept = "", recent = "", old = ""] = await shop.insertProducts(titles(3))
      await shop.importAll(connection)
      const gone = [recent, old]
      await shop.knex("product").whereIn("id", gone).update({ deleted_at: new Date() })
      // As Medusa's workflow does.
      await shop.knex("product_sales_channel").whereIn("product_id", gone).delete()
      await shop.importAll(connection)
      for (const id of gone) expect((await shop.itemOf(id)).reason?.code).toBe("deleted")
      const { id: row } = await shop.itemOf(old)
      const aMonthAgo = new Date(Date.now() - 31 * 86_400_000)
      await shop.knex("svc_catalog_item").where({ id: row }).update({ updated_at: aMonthAgo })
      await shop
        .knex("svc_catalog_import")
        .update({ started_at: aMonthAgo, finished_at: aMonthAgo })
      await shop.importAll(connection)
      await shop.knex("svc_catalog_import").update({ finished_at: aMonthAgo })

      await eachNight(getContainer())
      expect((await shop.items()).map((item) => item.product_id).sort()).toEqual(
        [kept, recent].sort(),
      )
      expect(await shop.knex("svc_catalog_payload").where({ id: row })).toEqual([])
      // The latest import is what the admin shows.
      expect(await shop.syncOf(connection)).toMatchObject({ status: "completed", total: 1 })
      expect(await shop.knex("svc_catalog_import").where({ kind: "import" })).toHaveLength(1)
    })
  })
}
