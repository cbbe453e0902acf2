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

    it("forgets no deleted product that another page may still sell: it is turned off there when the connection comes back", async () => {
      const statusAt = new Map<string, string>()
      const service = (name: string) =>
        shop.answering((products) => {
          for (const { id, status } of products) statusAt.set(`${name} ${id}`, status)
          return { status: 200, body: {} }
        })
      const [home, away] = [await service("home"), await service("away")]
      const connection = await shop.connect({ base_url: home })
      const [id = ""] = await shop.insertProducts(titles(1))
      await shop.importAll(connection)
      const becomes = (status: string, name: string) =>
        eventually(
          async () => statusAt.get(`${name} ${id}`),
          (seen) => seen === status,
        )
      const move = (base_url: string) =>
        shop.api.post(
          `/admin/svc/connections/${connection}`,
          { base_url, api_token: "a token" },
          shop.admin,
        )
      await becomes("enabled", "home")
      await move(away)
      await becomes("enabled", "away")
      await shop.importEnds(connection)
      await shop.knex("product").where({ id }).update({ deleted_at: new Date() })
      await shop.knex("product_sales_channel").where({ product_id: id }).delete()
      await shop.importAll(connection)
      await becomes("disabled", "away")
      await shop.settled(id, "removed")
      await shop
        .knex("svc_catalog_item")
        .update({ updated_at: new Date(Date.now() - 31 * 86_400_000) })
      await eachNight(getContainer())
      await move(home)
      await becomes("disabled", "home")
    })
  })
}
