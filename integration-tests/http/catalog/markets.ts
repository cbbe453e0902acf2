/** Several connections at once: none waits for another. */
import { setTimeout as sleep } from "node:timers/promises"
import {
  createRegionsWorkflow,
  createTaxRegionsWorkflow,
  updateRegionsWorkflow,
} from "@medusajs/core-flows"
import { workCatalog } from "../../../src/workflows/catalog"
import { eventually } from "../../setup/market"
import { type Answer, type CatalogShop, gate, titles } from "./shop"

export function describeMarkets(shop: CatalogShop): void {
  describe("several markets", () => {
    it("one market's edits are sent while another market's import does not end", async () => {
      const { open, opened } = gate()
      let begun = false
      // Each call is answered just in time: as many as are under way at once take all that the worker has for them.
      const slow = await shop.answering(async () => {
        begun = true
        await Promise.race([opened, sleep(14_000, undefined, { ref: false })])
        return { status: 200, body: {} }
      })
      await shop.insertProducts(titles(700))
      const held = await shop.connect({ base_url: slow, page_uid: "slow-page", name: "Slow" })
      await shop.sync(held)
      await eventually(
        async () => begun,
        (yes) => yes,
      )
      await shop.connect()
      for (const title of ["First edit", "Second edit"]) {
        const product = await shop.createProduct(title)
        await shop.productAt(product.id)
      }
      expect((await shop.syncOf(held)).status).toBe("running")
      open()
      await shop.importEnds(held)
    })

    it("five that are ill do not keep the sixth from its import, and each goes on by itself once its service is well", async () => {
      const ids = await shop.insertProducts(titles(20))
      let areWell = false
      const seen = new Map<string, Set<string>>()
      const { open, opened } = gate()
      const ill = async (name: string, answer: () => Answer | Promise<Answer>) => {
        const got = new Set<string>()
        seen.set(name, got)
        const base_url = await shop.answering(async (products) => {
          if (!areWell) return answer()
          for (const { id } of products) got.add(id)
          return { status: 200, body: {} }
        })
        const connection = await shop.connect({ base_url, page_uid: `ill-${name}`, name })
        await shop.sync(connection)
        return connection
      }
      await ill("hanging", async () => {
        await opened
        return { status: 503, body: {} }
      })
      for (const status of [500, 401, 404]) await ill(`${status}`, () => ({ status, body: {} }))
      await ill("429", () => ({ status: 429, body: {}, headers: { "retry-after": "20" } }))

      await shop.importAll(await shop.connectPage("well"))
      expect([...seen.values()].every((got) => got.size === 0)).toBe(true)

      areWell = true
      open()
      await eventually(
        async () => {
          await shop.aMinuteLater()
          return [...seen].map(([name, got]) => [name, got.size])
        },
        (counts) => counts.every(([, count]) => count === ids.length),
      )
    })

    it("are compared with the service where taxes or a price preference change, and only the one whose region does", async () => {
      const [norway] = await shop.result(createRegionsWorkflow, {
        regions: [{ name: "Norway", currency_code: "nok", countries: ["no"] }],
      })
      const markets = new Map([
        ["denmark", await shop.connect()],
        ["norway", await shop.connectPage("norway-page", { region_id: norway.id })],
      ])
      for (const connection of markets.values()) await shop.importAll(connection)
      const walks = () => shop.knex("svc_catalog_import").where({ kind: "compare" })
      const compared = async (): Promise<string[]> => {
        const ids: string[] = await walks().pluck("connection_id")
        return [...markets].flatMap(([name, id]) => (ids.includes(id) ? name : []))
      }
      /** The markets that everything was compared for because of what was done. */
      const comparedAfter = async (count: number, change: () => Promise<unknown>) => {
        await workCatalog(shop.getContainer())
        await walks().delete()
        await change()
        return eventually(compared, ({ length }) => length >= count)
      }
      const rename = (name: string) => () =>
        shop.result(updateRegionsWorkflow, { selector: { id: norway.id }, update: { name } })
      expect(await comparedAfter(1, rename("Norge"))).toEqual(["norway"])
      const preference = { attribute: "currency_code", value: "nok" }
      const prefers = () => shop.api.post("/admin/price-preferences", preference, shop.admin)
      expect(await comparedAfter(2, prefers)).toEqual(["denmark", "norway"])
      const taxes = () =>
        shop.result(createTaxRegionsWorkflow, [
          {
            country_code: "no",
            provider_id: "tp_system",
            default_tax_rate: { name: "VAT", code: "vat-no", rate: 25 },
          },
        ])
      expect(await comparedAfter(2, taxes)).toEqual(["denmark", "norway"])
    })
  })
}
