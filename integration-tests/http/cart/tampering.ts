/** What a browser may try: everything is refused, or harmless. */
import { connectMarket, createCart, runShow } from "../../setup/market"
import { type Line, newShopper, ref } from "../../setup/shopper"
import type { CartShop } from "./shop"

export function describeTampering(shop: CartShop): void {
  const { act, api, getContainer, ids } = shop

  describe("what a browser may try", () => {
    it.each<[string, object]>([
      ["a negative quantity", { quantity: -1 }],
      ["a fraction", { quantity: 1.5 }],
      ["more than anybody buys", { quantity: 10_000 }],
      ["a number that is none", { quantity: "2" }],
      ["a path in an id", { product_id: "../products", variant_id: undefined, quantity: 1 }],
      ["a control character", { product_id: "prod\u0000", quantity: 1 }],
      ["nothing", { product_id: "", quantity: 1 }],
    ])("is refused, or sells nothing: %s", async (_what, product) => {
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const cartId = await createCart(api, shop.denmark)
      const { status, data } = await act("update-cart-contents", cartId, {
        ...ids(show),
        products: [
          { action: "add", product_id: shop.mug.product_id, variant_id: shop.mug.id, ...product },
        ],
      })
      expect([status, data.code ?? data.failed_products?.[0]?.code]).toEqual(
        status === 400
          ? [400, "invalid_request"]
          : [200, expect.stringMatching(/^product_not_found$/)],
      )
      const { cart } = (await api.get(`/store/carts/${cartId}`, shop.denmark.store)).data
      expect(cart.items).toEqual([])
    })

    it("puts no field of its own into the basket, and pollutes nothing", async () => {
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const cartId = await createCart(api, shop.denmark)
      const body = JSON.stringify({
        ...ids(show),
        products: [{ action: "add", ...ref(shop.mug, 1), unit_price: 1, metadata: { a: 1 } }],
        metadata: { b: 1 },
      }).replace(
        '"metadata":{"b":1}',
        '"__proto__":{"unit_price":1},"constructor":{"prototype":{"c":1}}',
      )
      const { data } = await api.post(`/store/carts/${cartId}/svc/update-cart-contents`, body, {
        headers: { ...shop.denmark.store.headers, "content-type": "application/json" },
      })
      expect(data.cart.items).toMatchObject([
        { unit_price: 129, metadata: { svc_campaign_uid: show.campaignUid } },
      ])
      expect(Object.keys(data.cart.items[0].metadata)).toEqual(["svc_campaign_uid"])
      expect("unit_price" in {}).toBe(false)
    })

    it("finds a cart of another shop as little as one that is not there", async () => {
      const europe = await connectMarket(api, getContainer(), shop.sandbox, "europe")
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const cartId = await createCart(api, shop.denmark)
      const as = (path: string) =>
        api.post(
          path,
          { ...ids(show), products: [ref(shop.mug, 1)] },
          { ...europe.store, validateStatus: () => true },
        )
      const foreign = await as(`/store/carts/${cartId}/svc/some-checkout`)
      const missing = await as("/store/carts/cart_nowhere/svc/some-checkout")
      expect([foreign.status, foreign.data]).toEqual([missing.status, missing.data])
      expect([missing.status, missing.data.code]).toEqual([404, "not_found"])
      const read = await api.get(`/store/carts/${cartId}/svc/cart-contents`, {
        ...europe.store,
        validateStatus: () => true,
      })
      expect([read.status, read.data]).toEqual([404, missing.data])
    })

    it("loses no piece and invents none in fifty actions at once", async () => {
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const anna = await newShopper(api, shop.denmark, { "x-forwarded-for": "203.0.113.200" })
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => anna.add(show, shop.mug, 1)),
      )
      const done = answers.filter(({ status }) => status === 200)
      for (const { status, data } of answers.filter(({ status }) => status !== 200)) {
        expect([status, data.code]).toEqual([409, "cart_busy"])
      }
      const { items } = await anna.cart()
      expect(items).toMatchObject([{ unit_price: 129, quantity: done.length }])
      // A checkout that is sent again and again counts once.
      const links = await Promise.all(
        Array.from({ length: 10 }, () =>
          anna.act("some-checkout", { ...show, orderNo: "again" }, [ref(shop.mug, 2)]),
        ),
      )
      expect(links.some(({ status }) => status === 200)).toBe(true)
      const [line] = (await anna.cart()).items as [Line]
      expect(line.quantity).toBe(done.length + 2)
    })
  })
}
