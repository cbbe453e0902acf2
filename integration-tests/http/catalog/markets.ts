/** Several connections at once: none waits for another. */
import { setTimeout as sleep } from "node:timers/promises"
import { eventually } from "../../setup/market"
import { type Answer, type CatalogShop, gate, titles } from "./shop"

export function describeMarkets(shop: CatalogShop): void {
  describe("several markets", () => {
    it("one market's edits are sent while another market's import does not end", async () => {
      const { open, opened } = gate()
      let begun = false
      // Each call is answered just in time, and there are more of them than the edits below may take.
      const slow = await shop.answering(async () => {
        begun = true
        await Promise.race([opened, sleep(14_000, undefined, { ref: false })])
        return { status: 200, body: {} }
      })
      await shop.insertProducts(titles(3_500))
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

    it("five that are ill do not slow down the sixth, and each goes on by itself once its service is well", async () => {
      const ids = await shop.insertProducts(titles(200))
      const timeOf = async (connection: string): Promise<number> => {
        const started = Date.now()
        await shop.sync(connection)
        await shop.importEnds(connection)
        return Date.now() - started
      }
      const alone = await timeOf(await shop.connectPage("alone"))

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

      const among = await timeOf(await shop.connectPage("among"))
      // Both take a few hundred ms: a few seconds absorb a busy machine, and waiting for one ill call takes 15 s.
      expect(among).toBeLessThan(alone + 5_000)
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
  })
}
