/** What a browser may try: everything is refused, or harmless. */
import { Modules } from "@medusajs/framework/utils"
import { connectMarket } from "../../setup/connected-market"
import { untilWaiting } from "../../setup/locks"
import { runShow } from "../../setup/market"
import { statementsOf } from "../../setup/read-whole"
import { type Line, newShopper, ref } from "../../setup/shopper"
import type { CartShop } from "./shop"

/** What Postgres does for a statement: a part, and the parts that it asks. */
type PlanNode = { Alias?: string; "Actual Loops": number; Plans?: PlanNode[] }
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

export function describeTampering(shop: CartShop): void {
  const { api, getContainer, ids } = shop

  describe("what a browser may try", () => {
    it("is refused, naming the field, or sells nothing", async () => {
      const { show, anna } = await shop.open()
      const mug = ref(shop.mug, 1)
      for (const [tried, named] of [
        [{ ...mug, quantity: -1 }, "products.0.quantity"],
        [{ ...mug, quantity: 1e308 }, "products.0.quantity"],
        [{ ...mug, quantity: [2] }, "products.0.quantity"],
        [{ ...mug, product_id: "prod\u0000" }, "NUL character"],
        [{ ...mug, product_id: "" }, "products.0.product_id"],
      ] as const) {
        const { status, data } = await anna.act("update-cart-contents", show, [
          { action: "add", ...tried },
        ])
        expect([tried, status, data.code]).toEqual([tried, 400, "invalid_request"])
        expect(data.message).toContain(named)
      }
      for (const tried of [
        { ...mug, product_id: "__proto__", variant_id: "constructor" },
        { ...mug, variant_id: "../../carts" },
        { product_id: "../products", quantity: 1 },
        { product_id: "prod\u0007", quantity: 1 },
        { product_id: "x".repeat(5_000), quantity: 1 },
      ]) {
        const { status, data } = await anna.act("update-cart-contents", show, [
          { action: "add", ...tried },
        ])
        expect([tried, status, data.failed_products]).toMatchObject([
          tried,
          200,
          [{ code: "product_not_found" }],
        ])
      }
      expect((await anna.cart()).items).toEqual([])
      // It keeps no other one from the basket.
      const both = [{ product_id: "prod\u0007", quantity: 1 }, mug]
      expect((await anna.act("some-checkout", show, both)).data).toMatchObject({
        status: "PARTIAL",
        failed_products: [{ code: "product_not_found" }],
        cart: { items: [{ quantity: 1, unit_price: 129 }] },
      })
    })

    it("puts no field of its own into the basket, and pollutes nothing", async () => {
      const { show, anna } = await shop.open()
      const body = JSON.stringify({
        ...ids(show),
        products: [{ action: "add", ...ref(shop.mug, 1), unit_price: 1, metadata: { a: 1 } }],
        metadata: { b: 1 },
      }).replace(
        '"metadata":{"b":1}',
        '"__proto__":{"unit_price":1},"constructor":{"prototype":{"c":1}}',
      )
      const { data } = await api.post(
        `/store/carts/${anna.cartId}/svc/update-cart-contents`,
        body,
        {
          headers: { ...shop.denmark.store.headers, "content-type": "application/json" },
        },
      )
      expect(data.cart.items).toMatchObject([
        { unit_price: 129, metadata: { svc_campaign_uid: show.campaignUid } },
      ])
      expect(Object.keys(data.cart.items[0].metadata)).toEqual(["svc_campaign_uid"])
      expect("unit_price" in {}).toBe(false)
    })

    it("sells nothing for a show or a page that is not this shop's", async () => {
      const europe = await connectMarket(api, getContainer(), shop.sandbox, "europe")
      const show = await runShow(shop.sandbox, europe, [{ variant: shop.mug, price: 1 }])
      const anna = await shop.shopper()
      const own = shop.denmark.pageUid
      for (const [campaignUid, page_uid, status, code] of [
        [show.campaignUid, own, 200, "not_in_show"],
        ["__proto__", own, 200, "not_in_show"],
        [show.campaignUid, europe.pageUid, 400, "channel_mismatch"],
        ["../products", own, 400, "invalid_request"],
        [show.campaignUid, "../demo-page", 400, "invalid_request"],
      ] as const) {
        const tried = { campaignUid, orderNo: show.orderNo }
        const answer = await anna.act("some-checkout", tried, [ref(shop.mug, 1)], { page_uid })
        const told = answer.data.code ?? answer.data.failed_products[0]?.code
        expect([campaignUid, page_uid, answer.status, told]).toEqual([
          campaignUid,
          page_uid,
          status,
          code,
        ])
      }
      expect((await anna.cart()).items).toEqual([])
    })

    it("lets a shopper write what they like beside a price, by core's own routes, and sells it at the price", async () => {
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const anna = await shop.shopper()
      await anna.add(show, shop.mug, 1)
      const [line] = (await anna.cart()).items as [Line]
      for (const body of [
        { unit_price: 1 },
        { quantity: 1, unit_price: 1, is_tax_inclusive: true },
      ]) {
        const { status } = await anna.setLine(line.id, body)
        expect([status, (await anna.cart()).items]).toMatchObject([400, [{ unit_price: 129 }]])
      }
      const metadata = { svc_campaign_uid: "another-show", svc_order_no: "another-number" }
      await anna.setLine(line.id, { quantity: 2, metadata })
      await anna.update({ metadata })
      await anna.addAtCatalogPrice(shop.mug, 1, {
        metadata: { svc_campaign_uid: show.campaignUid },
      })
      expect((await anna.pay()).status).toBe(200)
      const { items } = await anna.cart()
      expect(items.map(({ quantity, unit_price }) => [quantity, unit_price]).sort()).toEqual([
        [1, 189],
        [2, 129],
      ])
      const numbers = await shop.knex()("svc_cart_order_number").where({ cart_id: anna.cartId })
      expect(numbers.map(({ order_no }) => order_no)).toEqual([show.orderNo])
    })

    it("takes no line out by naming products of very many variants", async () => {
      const variants = shop.mugs.map(({ id }) => ({ external_id: id, price: 129 }))
      const show = await runShow(shop.sandbox, shop.denmark, [
        { variant: shop.mug, price: 129, extra: { variants } },
      ])
      const anna = await shop.shopper()
      const all = shop.mugs.map((mug) => ({ action: "add", ...ref(mug, 1) }))
      const before = (await anna.act("update-cart-contents", show, all)).data.cart.items
      expect(before).toHaveLength(shop.mugs.length)
      const [other] = await shop
        .knex()("product")
        .whereNot({ id: shop.mug.product_id })
        .select("id")
      // More than are looked at for one action, which are 2,000.
      await shop.knex().raw(
        `INSERT INTO product_variant (id, title, product_id, created_at, updated_at)
         SELECT 'variant_' || lpad(n::text, 26, '0'), 'v' || n, ?, now(), now() FROM generate_series(1, 3000) n`,
        [other.id],
      )
      const { data } = await anna.act("update-cart-contents", show, [
        { action: "add", product_id: other.id, variant_id: `variant_${"1".padStart(26, "0")}` },
      ])
      expect(data.failed_products).toHaveLength(1)
      expect(data.changes).toBeUndefined()
      expect(data.cart.items).toHaveLength(before.length)
    })

    it("has the variants of a product counted once, however many of them it names", async () => {
      const { show, anna } = await shop.open()
      await shop.knex().raw(
        `INSERT INTO product_variant (id, title, product_id, created_at, updated_at)
         SELECT 'variant_' || lpad(n::text, 26, '0'), 'v' || n, ?, now(), now() FROM generate_series(1, 500) n`,
        [shop.mug.product_id],
      )
      const statements = await statementsOf([shop.knex()], () => anna.add(show, shop.mug, 1))
      const ours = statements.find(({ sql }) => sql.includes("WITH this_cart"))
      const { rows } = await shop
        .knex()
        .raw<{ rows: { "QUERY PLAN": { Plan: PlanNode }[] }[] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) ${ours?.sql.replace(/\$\d+/g, "?")}`,
          [...(ours?.bindings ?? [])],
        )
      const plan = rows[0]?.["QUERY PLAN"][0]?.Plan
      const counts = (plan ? nodesOf(plan) : []).filter(({ Alias }) => Alias === "sibling")
      expect(counts.map((count) => count["Actual Loops"])).toEqual([1])
    })

    // gap 46
    it("finds a cart of another shop as little as one that is not there", async () => {
      const europe = await connectMarket(api, getContainer(), shop.sandbox, "europe")
      const { show, anna } = await shop.open()
      const as = (path: string) =>
        api.post(
          path,
          { ...ids(show), products: [ref(shop.mug, 1)] },
          { ...europe.store, validateStatus: () => true },
        )
      const foreign = await as(`/store/carts/${anna.cartId}/svc/some-checkout`)
      const missing = await as("/store/carts/cart_nowhere/svc/some-checkout")
      expect([foreign.status, foreign.data]).toEqual([missing.status, missing.data])
      expect([missing.status, missing.data.code]).toEqual([404, "not_found"])
      const read = await api.get(`/store/carts/${anna.cartId}/svc/cart-contents`, {
        ...europe.store,
        validateStatus: () => true,
      })
      expect([read.status, read.data]).toEqual([404, missing.data])
    })

    it("loses no piece and invents none in eight actions at once", async () => {
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const anna = await newShopper(api, shop.denmark, { "x-forwarded-for": "203.0.113.200" })
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => anna.add(show, shop.mug, 1)),
      )
      const done = answers.filter(({ data }) => data.status === "SUCCESS")
      for (const { status, data } of answers.filter(({ data }) => data.status !== "SUCCESS")) {
        expect([status, data.code]).toEqual([409, "cart_busy"])
      }
      const { items } = await anna.cart()
      expect(items).toMatchObject([{ unit_price: 129, quantity: done.length }])
      // A checkout that is sent again and again counts once.
      const links = await Promise.all(
        Array.from({ length: 4 }, () =>
          anna.act("some-checkout", { ...show, orderNo: "again" }, [ref(shop.mug, 2)]),
        ),
      )
      expect(links.some(({ status }) => status === 200)).toBe(true)
      const [line] = (await anna.cart()).items as [Line]
      expect(line.quantity).toBe(done.length + 2)
    })

    it("calls no piece sold whose basket another request had locked by then", async () => {
      const { show, anna } = await shop.open()
      await anna.add(show, shop.mug, 1)
      const locking = getContainer().resolve(Modules.LOCKING)
      // A store that is so slow that the lock ends, and somebody else takes it.
      const { adding } = await shop.knex().transaction(async (slow) => {
        await slow("cart_line_item").where({ cart_id: anna.cartId }).forUpdate()
        const adding = anna.add(show, shop.mug, 1)
        await untilWaiting(shop.knex(), 1, { like: "%cart_line_item%" })
        await locking.release(anna.cartId)
        await locking.acquire(anna.cartId, { ownerId: "another", expire: 60 })
        return { adding }
      })
      const { status, data } = await adding
      // Not that nothing was changed: the SDK would ask again.
      expect([status, data.code]).toEqual([409, "cart_moved"])
      expect(await locking.release(anna.cartId, { ownerId: "another" })).toBe(true)
    })
  })
}
