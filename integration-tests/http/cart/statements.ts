/** What a tap in the player costs the database, beside what Medusa's own route costs. */
import { addToCartWorkflow } from "@medusajs/core-flows"
import { runShow, type Variant, variantsOf } from "../../setup/market"
import { newShopper, ref } from "../../setup/shopper"
import type { CartShop } from "./shop"

/** Statements beyond those of Medusa's own route for the same product. */
const MOST = 6

/** `SHOW_STATEMENTS` has the numbers printed, past jest's console. */
function shows(numbers: object, statements: string[] = []): void {
  if (!process.env.SHOW_STATEMENTS) return
  const short = statements.map((sql) => sql.replace(/\s+/g, " ").slice(0, 160))
  process.stdout.write(`${[JSON.stringify(numbers), ...short].join("\n")}\n`)
}

export function describeStatements(shop: CartShop): void {
  const { api, getContainer, knex } = shop

  describe("the statements of one tap", () => {
    /** Of several runs the one in which least happened beside it: other work of the store is no part of a tap. */
    const fewest = async (prepare: () => Promise<() => Promise<{ status: number }>>) => {
      const seen: string[][] = []
      for (let times = 0; times < 3; times++) {
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
      shows({ core: core.length, coreAgain: coreAgain.length, more }, ours)
      expect(Math.max(...more)).toBeLessThanOrEqual(MOST)
    })

    it(`are for five products at most ${MOST} more than those of Medusa's own workflow for five`, async () => {
      await knex()("inventory_level").update({
        stocked_quantity: 100,
        raw_stocked_quantity: JSON.stringify({ value: "100", precision: 20 }),
      })
      const handles = ["havn-mug", "lyng-bowl", "tove-teapot", "duft-candle", "varm-throw"]
      const variants: Variant[] = []
      for (const handle of handles) {
        variants.push(...(await variantsOf(getContainer(), handle)).slice(0, 1))
      }
      const items = variants.map(({ id }) => ({ variant_id: id, quantity: 1 }))
      const show = await runShow(
        shop.sandbox,
        shop.denmark,
        variants.map((variant) => ({ variant, price: 12 })),
      )
      const link = async () => {
        const anna = await newShopper(api, shop.denmark)
        return () =>
          anna.act(
            "some-checkout",
            show,
            variants.map((variant) => ref(variant, 1)),
          )
      }
      const first = await (await link())()
      expect([first.data.failed_products, first.data.cart.items.length]).toEqual([[], 5])
      const core = await fewest(async () => {
        const anna = await newShopper(api, shop.denmark)
        return async () => {
          await addToCartWorkflow(getContainer()).run({ input: { cart_id: anna.cartId, items } })
          // As its route does, to answer with the cart.
          await anna.cart()
          return { status: 200 }
        }
      })
      const ours = await fewest(link)
      shows({ core: core.length, five: ours.length })
      expect(core.length).toBeGreaterThan(20)
      expect(ours.length - core.length).toBeLessThanOrEqual(MOST)
    })

    it(`are for a payment that begins at most ${MOST} more than without a show`, async () => {
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const begins = (add: (anna: Awaited<ReturnType<typeof newShopper>>) => Promise<unknown>) =>
        fewest(async () => {
          const anna = await newShopper(api, shop.denmark)
          await add(anna)
          await anna.checkOut()
          // A crowd's price is remembered for five seconds: on a slow machine it would be asked for once more.
          await (await newShopper(api, shop.denmark)).add(show, shop.mug, 1)
          return () => anna.pay()
        })
      const core = await begins((anna) => anna.addAtCatalogPrice(shop.mug))
      const ours = await begins((anna) => anna.add(show, shop.mug))
      shows({ core: core.length, payment: ours.length })
      expect(core.length).toBeGreaterThan(20)
      expect(ours.length - core.length).toBeLessThanOrEqual(MOST)
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
