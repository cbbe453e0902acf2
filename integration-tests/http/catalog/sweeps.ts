/** The comparison by night, and what each minute looks for. */

import eachMinute from "../../../src/jobs/push-catalog"
import eachNight from "../../../src/jobs/sweep-catalog"
import { eventually } from "../../setup/market"
import { whileRefusing } from "../../setup/while-refusing"
import { type CatalogShop, titles } from "./shop"

export function describeSweeps(shop: CatalogShop): void {
  const { getContainer } = shop

  describe("the look of each minute", () => {
    it("goes on behind a part that fails", async () => {
      const connection = await shop.connect()
      const product = await shop.createProduct("Looked at")
      await shop.importAll(connection)
      await shop.productAt(product.id)
      await whileRefusing(shop.knex, "INSERT OR UPDATE ON svc_cursor", "too slow", async () => {
        const storefront_url = "https://other.example/"
        await shop.knex("svc_connection").where({ id: connection }).update({ storefront_url })
        await eachMinute(getContainer())
        await eventually(
          async () => (await shop.received()).get(product.id)?.product.url,
          (url) => url?.startsWith(storefront_url) === true,
        )
      })
    })
  })

  describe("the comparison by night", () => {
    it("forgets by night what was deleted a month ago, and walks that nobody looks at, although it cannot begin itself", async () => {
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
      await whileRefusing(
        shop.knex,
        "INSERT OR UPDATE ON svc_catalog_import",
        "too slow",
        async () => {
          await eachNight(getContainer())
        },
      )
      expect((await shop.items()).map((item) => item.product_id).sort()).toEqual(
        [kept, recent].sort(),
      )
      expect(await shop.knex("svc_catalog_payload").where({ item_id: row })).toEqual([])
      // The latest import is what the admin shows.
      expect(await shop.syncOf(connection)).toMatchObject({ status: "completed", total: 1 })
      expect(await shop.knex("svc_catalog_import").where({ kind: "import" })).toHaveLength(1)
    })
  })
}
