/** A price that holds, ends or changes while its line is in the cart (gap 45a). */
import { changeCart, guardCart } from "../../../src/workflows"
import { completeCart, placeOrder } from "../../setup/market"
import type { CartShop } from "./shop"

export function describePriceChanges(shop: CartShop): void {
  const { api, endHolds, getContainer, inShow } = shop

  describe("a price that changes", () => {
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
