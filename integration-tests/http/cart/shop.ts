/** What the parts of `cart.spec.ts` share: a connected shop, a mug to sell, and how the player speaks to a cart. */
import { forgetPrices } from "../../../src/workflows/cart"
import { connectedShop, withMore } from "../../setup/connected-shop"
import { createCart, runShow } from "../../setup/market"
import type { StoreSuite } from "../../setup/medusa"
import { ref } from "../../setup/shopper"

export type CartShop = ReturnType<typeof cartShop>

/** To be called where the store is described: its hooks are for every part. */
export function cartShop(suite: StoreSuite) {
  const { api, getContainer, storeUrl } = suite
  const shop = connectedShop(suite, { delivers: ["denmark", "europe"] })

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

  return withMore(shop, {
    storeUrl,
    act,
    ids,
    ref,
    /** A show that sells the mug for 129, and a basket with pieces of it. */
    inShow: async (quantity = 1) => {
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const cartId = await createCart(api, shop.denmark)
      const products = [ref(shop.mug, quantity)]
      const { data } = await act("some-checkout", cartId, { ...ids(show), products })
      expect(data.status).toBe("SUCCESS")
      return { show, cartId, lineId: data.cart.items[0].id as string }
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
