/** A price that holds, ends or changes while its line is in the cart (gap 45a). */
import { addToCartWorkflow } from "@medusajs/core-flows"
import { changeCart, guardCart } from "../../../src/workflows"
import { completeCart, placeOrder } from "../../setup/market"
import type { CartShop } from "./shop"

export function describePriceChanges(shop: CartShop): void {
  const { act, api, endHolds, getContainer, ids, inShow, ref } = shop

  describe("a price that changes", () => {
    it("goes back to the catalog price when the show is over", async () => {
      const { show, cartId } = await inShow()
      await shop.sandbox.control(`/events/${show.eventId}/cancel`, {})
      await endHolds(show)
      const refused = await completeCart(api, shop.denmark, cartId, "dk")
      expect([refused.status, refused.data.code]).toEqual([409, "svc_price_changed"])
      // A line like any other again: one more piece from the shop joins it.
      const { data: joined } = await api.post(
        `/store/carts/${cartId}/line-items`,
        { variant_id: shop.mug.id, quantity: 1 },
        shop.denmark.store,
      )
      expect(joined.cart.items).toMatchObject([{ quantity: 2, unit_price: 189 }])
      const placed = await placeOrder(api, shop.denmark, cartId)
      expect(placed.data.order?.items[0]?.unit_price).toBe(189)
    })

    it("tells both of two requests that came at once, such as a double click", async () => {
      const { show, cartId } = await inShow()
      await shop.sandbox.control(`/events/${show.eventId}/cancel`, {})
      await endHolds(show)
      await changeCart(getContainer(), { cart_id: cartId, intent: { occasion: "job" } })

      const complete = () =>
        api.post(
          `/store/carts/${cartId}/complete`,
          {},
          { ...shop.denmark.store, validateStatus: () => true },
        )
      for (const { data } of await Promise.all([complete(), complete()])) {
        expect(data.error?.lines).toMatchObject([{ old_unit_price: 129, new_unit_price: 189 }])
      }
    })

    it("is asked about in a checkout of the store's own, until the shopper has seen it", async () => {
      const { show, cartId } = await inShow()
      expect(await guardCart(getContainer(), cartId, "order")).toBeNull()
      await shop.sandbox.control(`/events/${show.eventId}/cancel`, {})
      await endHolds(show)
      const ask = (acknowledged?: string[]) =>
        guardCart(getContainer(), cartId, "payment", { acknowledged })
      const question = await ask()
      expect(question).toMatchObject({
        cartId,
        lines: [{ old_unit_price: 129, new_unit_price: 189, currency_code: "dkk" }],
      })
      // Asked again as long as the answer may have been lost, and no more once it names what was shown.
      expect(await ask([])).toEqual(question)
      expect(await ask(question?.lines.map(({ id }) => id))).toBeNull()
      const placed = await completeCart(api, shop.denmark, cartId, "dk")
      expect(placed.data.order?.items[0]?.unit_price).toBe(189)
    })

    it("holds a line to its proof though the shopper wiped its metadata", async () => {
      const { show, cartId, lineId } = await inShow()
      await api.post(
        `/store/carts/${cartId}/line-items/${lineId}`,
        { quantity: 3, metadata: { svc_campaign_uid: "" } },
        shop.denmark.store,
      )
      await shop.sandbox.control(`/events/${show.eventId}/cancel`, {})
      await endHolds(show)
      const refused = await completeCart(api, shop.denmark, cartId, "dk")
      expect([refused.status, refused.data.code]).toEqual([409, "svc_price_changed"])
    })

    it("makes no custom price cheaper that a shopper marked as the show's", async () => {
      const { show, cartId } = await inShow()
      await addToCartWorkflow(getContainer()).run({
        input: {
          cart_id: cartId,
          items: [{ variant_id: shop.mug.id, quantity: 1, unit_price: 500, title: "Engraved mug" }],
        },
      })
      const { data } = await api.get(`/store/carts/${cartId}`, shop.denmark.store)
      const engraved = data.cart.items.find((item: { unit_price: number }) => item.unit_price > 400)
      await api.post(
        `/store/carts/${cartId}/line-items/${engraved.id}`,
        { quantity: 1, metadata: { svc_campaign_uid: show.campaignUid } },
        shop.denmark.store,
      )
      // Nor by an action, where it is the only line of its variant.
      const [show129] = data.cart.items.filter((item: { id: string }) => item.id !== engraved.id)
      await api.delete(`/store/carts/${cartId}/line-items/${show129.id}`, shop.denmark.store)
      await act("update-cart-contents", cartId, {
        ...ids(show),
        products: [{ action: "add", ...ref(shop.mug, 1) }],
      })
      await endHolds(show)
      const placed = await completeCart(api, shop.denmark, cartId, "dk")
      const prices = placed.data.order?.items.map(({ unit_price }) => unit_price)
      expect([placed.status, prices?.sort()]).toEqual([200, [129, 500]])
    })

    it("lets a basket be ordered at the catalog price after its connection was deleted", async () => {
      const { cartId } = await inShow()
      await api.delete(`/admin/svc/connections/${shop.denmark.connectionId}`, shop.denmark.admin)
      const refused = await completeCart(api, shop.denmark, cartId, "dk")
      expect([refused.status, refused.data.code]).toEqual([409, "svc_price_changed"])
      const placed = await placeOrder(api, shop.denmark, cartId)
      expect([placed.status, placed.data.order?.items[0]?.unit_price]).toEqual([200, 189])
    })
  })
}
