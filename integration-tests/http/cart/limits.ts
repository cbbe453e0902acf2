/** What the campaign sells of a product: how many, and whether at all (gap 45). */
import { updateLineItemInCartWorkflow } from "@medusajs/core-flows"
import { MedusaError } from "@medusajs/framework/utils"
import { changeCartWorkflow } from "../../../src/workflows"
import { completeCart, createCart, eventually, placeOrder, runShow } from "../../setup/market"
import type { CartShop } from "./shop"

export function describeLimits(shop: CartShop): void {
  const { act, api, getContainer, ids, ref } = shop

  describe("limits of a campaign", () => {
    it("obeys a store's own rule for what the player may do, and leaves the basket as it was", async () => {
      const heard: unknown[] = []
      const cartId = await createCart(api, shop.denmark)
      changeCartWorkflow.hooks.validate(async (change) => {
        heard.push(change)
        // One handler for the whole process: it minds only this test's basket.
        if (change.cart_id === cartId && change.added.some(({ quantity }) => quantity === 3))
          throw new MedusaError(MedusaError.Types.NOT_ALLOWED, "Not 3 of them.")
      })
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const order = (quantity: number) =>
        act("some-checkout", cartId, { ...ids(show), products: [ref(shop.mug, quantity)] })
      const refused = await order(3)
      expect([refused.status, refused.data.message]).toEqual([400, "Not 3 of them."])
      const sold = await order(2)
      expect(sold.data.cart.items).toMatchObject([{ quantity: 2, unit_price: 129 }])
      const [line] = sold.data.cart.items
      await order(1)
      expect(heard.filter((change) => Object(change).cart_id === cartId)).toMatchObject([
        { occasion: "action", campaign_uid: show.campaignUid, added: [{ quantity: 3 }] },
        { added: [{ variant_id: shop.mug.id, quantity: 2, unit_price: 129 }], updated: [] },
        { added: [], updated: [{ line_item_id: line.id, quantity: 1 }], removed: [] },
      ])
    })

    it("sells no other quantity than the campaign does, by whatever route it was set", async () => {
      await api.post(
        `/admin/svc/connections/${shop.denmark.connectionId}/webhook`,
        {},
        shop.denmark.admin,
      )
      const show = await runShow(shop.sandbox, shop.denmark, [
        { variant: shop.mug, price: 129, extra: { min_purchase_qty: 2, max_qty_per_customer: 3 } },
      ])
      const productInShow = async () => {
        const { data } = await api.get(
          `/admin/svc/live-events?campaign_uid=${show.campaignUid}`,
          shop.denmark.admin,
        )
        const [{ id }] = data.live_events
        const { live_event } = (await api.get(`/admin/svc/live-events/${id}`, shop.denmark.admin))
          .data
        return live_event.products[0]
      }
      await eventually(productInShow, (product) => product?.max_qty_per_customer === 3)
      const cartId = await createCart(api, shop.denmark)
      const added = await act("some-checkout", cartId, {
        ...ids(show),
        products: [ref(shop.mug, 2)],
      })
      const lineId = added.data.cart.items[0].id
      const setQuantity = (quantity: number) =>
        api.post(
          `/store/carts/${cartId}/line-items/${lineId}`,
          { quantity },
          { ...shop.denmark.store, validateStatus: () => true },
        )
      for (const [quantity, message] of [
        [7, "At most 3 per customer."],
        [1, "This product is sold from 2 pieces."],
      ] as const) {
        const refused = await setQuantity(quantity)
        expect([refused.status, refused.data.code, refused.data.message]).toEqual([
          400,
          "quantity_limited",
          message,
        ])
      }
      expect((await setQuantity(3)).data.cart.items).toMatchObject([{ quantity: 3 }])

      // Past the route, as other code of a store may do it.
      await updateLineItemInCartWorkflow(getContainer()).run({
        input: { cart_id: cartId, item_id: lineId, update: { quantity: 7 } },
      })
      const refused = await completeCart(api, shop.denmark, cartId, "dk")
      expect([refused.status, refused.data.code]).toEqual([409, "svc_price_changed"])
      expect(refused.data.lines).toMatchObject([
        {
          old_unit_price: 129,
          new_unit_price: 129,
          old_quantity: 7,
          new_quantity: 3,
          reason: "quantity_limited",
        },
      ])
      const placed = await placeOrder(api, shop.denmark, cartId)
      expect(placed.data.order?.items).toMatchObject([{ quantity: 3, unit_price: 129 }])
    })

    it("goes back to the catalog price for what is not available in the show any more", async () => {
      await api.post(
        `/admin/svc/connections/${shop.denmark.connectionId}/webhook`,
        {},
        shop.denmark.admin,
      )
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const cartId = await createCart(api, shop.denmark)
      await act("some-checkout", cartId, { ...ids(show), products: [ref(shop.mug, 1)] })
      const { products } = await shop.sandbox.control<{ products: { uid: string }[] }>(
        `/events/${show.eventId}`,
      )
      await shop.sandbox.control(`/events/${show.eventId}/products/${products[0]?.uid}`, {
        available: false,
      })
      const refused = await eventually(
        async () =>
          (
            await api.post(
              `/store/carts/${cartId}/complete`,
              {},
              { ...shop.denmark.store, validateStatus: () => true },
            )
          ).data,
        (answer) => answer.error?.code === "svc_price_changed",
      )
      expect(refused.error.lines).toMatchObject([
        { old_unit_price: 129, new_unit_price: 189, reason: "not_available" },
      ])
    })
  })
}
