/** What a tap in the player costs the database, beside what Medusa's own route costs. */
import { runShow } from "../../setup/market"
import { newShopper, ref } from "../../setup/shopper"
import type { CartShop } from "./shop"

/** Statements beyond those of Medusa's own route for the same product. */
const MOST = 8

export function describeStatements(shop: CartShop): void {
  const { api, knex } = shop

  describe("the statements of one tap", () => {
    /** Of several runs the one in which least happened beside it: other work of the store is no part of a tap. */
    const fewest = async (prepare: () => Promise<() => Promise<{ status: number }>>) => {
      const seen: string[][] = []
      for (let times = 0; times < 4; times++) {
        const work = await prepare()
        // What the preparation has set off ends first.
        await new Promise((resolve) => setTimeout(resolve, 200))
        const statements: string[] = []
        const listen = ({ sql }: { sql: string }) => void statements.push(sql)
        knex().on("query", listen)
        try {
          expect((await work()).status).toBe(200)
        } finally {
          knex().removeListener("query", listen)
        }
        seen.push(statements)
      }
      return seen.sort((one, other) => one.length - other.length)[0] ?? []
    }

    it(`are at most ${MOST} more than Medusa's own`, async () => {
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const first = await newShopper(api, shop.denmark)
      await first.add(show, shop.mug, 1)

      const core = await fewest(async () => {
        const anna = await newShopper(api, shop.denmark)
        return () => anna.addAtCatalogPrice(shop.mug)
      })
      const ours = await fewest(async () => {
        const anna = await newShopper(api, shop.denmark)
        return () => anna.add(show, shop.mug, 1)
      })
      const coreAgain = await fewest(async () => {
        const anna = await newShopper(api, shop.denmark)
        await anna.addAtCatalogPrice(shop.mug)
        return () => anna.addAtCatalogPrice(shop.mug)
      })
      const again = await fewest(async () => {
        const anna = await newShopper(api, shop.denmark)
        await anna.add(show, shop.mug, 1)
        return () => anna.add(show, shop.mug, 1)
      })
      // The number of Medusa's own shows that the statements were seen at all.
      expect(core.length).toBeGreaterThan(20)
      const more = [ours.length - core.length, again.length - coreAgain.length]
      if (process.env.SHOW_STATEMENTS) {
        process.stdout.write(
          `${JSON.stringify({ core: core.length, coreAgain: coreAgain.length, more })}\n${ours.map((sql) => sql.replace(/\s+/g, " ").slice(0, 160)).join("\n")}\n`,
        )
      }
      expect(Math.max(...more)).toBeLessThanOrEqual(MOST)
    })

    it("are two for a tap that changes nothing, such as a checkout link that is followed again", async () => {
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const idle = await fewest(async () => {
        const anna = await newShopper(api, shop.denmark)
        const link = () => anna.act("some-checkout", show, [ref(shop.mug, 1)])
        await link()
        return link
      })
      const ofOurs = idle.filter((sql) => /svc_/.test(sql) && !/svc_catalog_item/.test(sql))
      expect(ofOurs.length).toBeLessThanOrEqual(2)
      expect(idle.filter((sql) => /^\s*(insert|update|delete)/i.test(sql))).toEqual([])
    })
  })
}
