/** What a tap in the player costs the database, beside what Medusa's own route costs. */
import { addToCartWorkflow } from "@medusajs/core-flows"
import { variantsOf } from "../../setup/connected-market"
import { runShow, type Variant } from "../../setup/market"
import { ref, type Shopper } from "../../setup/shopper"
import type { CartShop } from "./shop"

/** Statements beyond those of Medusa's own route for the same product. */
const MOST = 6
/** Core's own reading of what the cart costs, to be compared with what is to be paid; no column says it. */
const TOTALS = 10

export function describeStatements(shop: CartShop): void {
  const { getContainer, knex } = shop

  describe("the statements of one tap", () => {
    /** Makes ready, and gives back what is to be looked at. */
    type Prepare = () => Promise<() => Promise<{ status: number }>>
    const statementsOf = async (prepare: Prepare): Promise<string[]> => {
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
      return statements
    }
    /** Looked at up to five times, until they are as expected: other work of the store is no part of them. */
    const untilAlone = async (prepare: Prepare, isExpected: (statements: string[]) => boolean) => {
      for (let times = 1; ; times++) {
        const statements = await statementsOf(prepare)
        if (times === 5 || isExpected(statements)) return statements
      }
    }
    const expectFewMore = async (core: Prepare, ours: Prepare, most: number) => {
      const theirs = (await statementsOf(core)).length
      // It shows that the statements were seen at all.
      expect(theirs).toBeGreaterThan(20)
      const more = ({ length }: string[]) => length - theirs
      const statements = await untilAlone(ours, (all) => more(all) <= most)
      expect(more(statements)).toBeLessThanOrEqual(most)
    }

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
        const anna = await shop.shopper()
        return () =>
          anna.act(
            "some-checkout",
            show,
            variants.map((variant) => ref(variant, 1)),
          )
      }
      const first = await (await link())()
      expect([first.data.failed_products, first.data.cart.items.length]).toEqual([[], 5])
      const core = async () => {
        const anna = await shop.shopper()
        return async () => {
          await addToCartWorkflow(getContainer()).run({ input: { cart_id: anna.cartId, items } })
          // As its route does, to answer with the cart.
          await anna.cart()
          return { status: 200 }
        }
      }
      await expectFewMore(core, link, MOST)
    })

    it(`are for a payment that begins at most ${MOST + TOTALS} more than without a show`, async () => {
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const begins = (add: (anna: Shopper) => Promise<unknown>) => async () => {
        const anna = await shop.deliveredShopper()
        await add(anna)
        // A crowd's price is remembered for five seconds: on a slow machine it would be asked for once more.
        await (await shop.shopper()).add(show, shop.mug, 1)
        return () => anna.pay()
      }
      await expectFewMore(
        begins((anna) => anna.addAtCatalogPrice(shop.mug)),
        begins((anna) => anna.add(show, shop.mug)),
        MOST + TOTALS,
      )
    })

    it("are two for a tap that changes nothing, such as a checkout link that is followed again", async () => {
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const again = async () => {
        const anna = await shop.shopper()
        const link = () => anna.act("some-checkout", show, [ref(shop.mug, 1)])
        await link()
        return link
      }
      const writesOf = (all: string[]) =>
        all.filter((sql) => /^\s*(insert|update|delete)/i.test(sql))
      const ofOurs = (all: string[]) =>
        all.filter((sql) => /svc_/.test(sql) && !/svc_catalog_item/.test(sql))
      const idle = await untilAlone(
        again,
        (all) => ofOurs(all).length <= 2 && writesOf(all).length === 0,
      )
      expect(ofOurs(idle).length).toBeLessThanOrEqual(2)
      expect(writesOf(idle)).toEqual([])
    })
  })
}
