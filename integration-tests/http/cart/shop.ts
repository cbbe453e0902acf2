/** What the parts of `cart.spec.ts` share: a connected shop, a mug to sell, and how the player speaks to a cart. */
import { forgetPrices } from "../../../src/workflows/cart"
import { connectedShop, withMore } from "../../setup/connected-shop"
import { takenCart } from "../../setup/copied-cart"
import { runShow, type Show } from "../../setup/market"
import type { StoreSuite } from "../../setup/medusa"
import { newShopper, ref } from "../../setup/shopper"

export type CartShop = ReturnType<typeof cartShop>

/** Every code in an answer of the cart's routes, at whatever depth. */
function codesIn(answer: unknown): string[] {
  if (typeof answer !== "object" || answer === null) return []
  return Object.entries(answer).flatMap(([key, value]) => [
    ...((key === "code" || key === "reason") && typeof value === "string" ? [value] : []),
    ...codesIn(value),
  ])
}

/** To be called where the store is described: its hooks are for every part. */
export function cartShop(suite: StoreSuite) {
  const { api, getContainer, storeUrl } = suite
  const shop = connectedShop(suite, { delivers: ["denmark", "europe"] })
  const provoked = new Set<string>()
  beforeAll(() => {
    api.interceptors.response.use((answer: { data: unknown }) => {
      for (const code of codesIn(answer.data)) provoked.add(code)
      return answer
    })
  })

  /** One of the two writing actions, as the player's storefront sends it. */
  const act = (
    action: "some-checkout" | "update-cart-contents",
    cartId: string,
    body: Record<string, unknown>,
  ) =>
    api.post(`/store/carts/${cartId}/svc/${action}`, body, {
      ...shop.denmark.store,
      validateStatus: () => true,
    })
  const ids = (show: { campaignUid: string; orderNo: string }) => ({
    campaign_uid: show.campaignUid,
    page_uid: "demo-page",
    order_no: show.orderNo,
  })

  /** By how many pieces are in it: made by the player's action for the first test that asks, and copied. */
  const baskets = new Map<number, Awaited<ReturnType<typeof takenCart>>>()
  const filled = async (show: Show, quantity: number) => {
    const anna = await shop.shopper()
    const { data } = await anna.act("some-checkout", show, [ref(shop.mug, quantity)])
    expect(data.status).toBe("SUCCESS")
    return takenCart(shop.knex(), anna.cartId, show.orderNo, show.campaignUid)
  }

  return withMore(shop, {
    storeUrl,
    /** The codes in all answers so far. */
    provoked,
    act,
    ids,
    ref,
    /** A show that sells the mug for 129, and a shopper with an empty basket. */
    open: async () => ({
      show: await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }]),
      anna: await shop.shopper(),
    }),
    /** A show that sells the mug for 129, and a basket with pieces of it. */
    inShow: async (quantity = 1) => {
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const copy = baskets.get(quantity) ?? (await filled(show, quantity))
      baskets.set(quantity, copy)
      const cartId = await copy(show.orderNo, show.campaignUid)
      const line = await shop.knex()("cart_line_item").where({ cart_id: cartId }).first("id")
      const anna = await newShopper(api, shop.denmark, {}, cartId)
      return { show, anna, cartId, lineId: line.id as string }
    },
    contents: async (cartId: string) =>
      (await api.get(`/store/carts/${cartId}/svc/cart-contents`, shop.denmark.store)).data,
    /** Makes every hold run out, as half an hour does, and the answers that serve a crowd for five seconds. */
    endHolds: async (show: { campaignUid: string }): Promise<void> => {
      await shop
        .knex()("svc_line_price")
        .update({ expires_at: new Date(Date.now() - 1000) })
      await forgetPrices(getContainer(), shop.denmark.connectionId, show.campaignUid)
    },
  })
}
