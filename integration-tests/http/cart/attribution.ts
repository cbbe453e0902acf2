/** What an order counts for. */
import { completeCart, eventually, newOrderNo } from "../../setup/market"
import type { CartShop } from "./shop"

export function describeAttribution(shop: CartShop): void {
  const { act, api, ids, inShow, ref } = shop

  describe("the order of a show's cart", () => {
    it("counts for the show only what was sold at its price, whatever a line's metadata says", async () => {
      const [, second] = shop.mugs
      if (!second) throw new Error("no second mug")
      const { show, cartId } = await inShow()
      await api.post(
        `/store/carts/${cartId}/line-items`,
        {
          variant_id: second.id,
          quantity: 2,
          metadata: { svc_campaign_uid: show.campaignUid },
        },
        shop.denmark.store,
      )
      await completeCart(api, shop.denmark, cartId, "dk")
      const [campaign] = await eventually(
        async () =>
          (
            await api.get(
              `/admin/svc/campaigns?campaign_uid=${show.campaignUid}`,
              shop.denmark.admin,
            )
          ).data.campaigns,
        // A row is there as soon as a cart meets the campaign.
        ([row]) => row?.orders > 0,
      )
      expect(campaign).toMatchObject({ orders: 1, units: 1, gross: 129 })
    })

    it("counts a line for the order number that touched it last, not for two", async () => {
      const { show, cartId } = await inShow()
      const later = { ...show, orderNo: await newOrderNo(shop.sandbox, show.campaignUid) }
      await act("some-checkout", cartId, { ...ids(later), products: [ref(shop.mug, 1)] })
      const placed = await completeCart(api, shop.denmark, cartId, "dk")
      const orders = await eventually(
        async () =>
          (await api.get(`/admin/svc/orders?order_id=${placed.data.order?.id}`, shop.denmark.admin))
            .data.orders,
        // Its amounts are the ledger's, which is made a moment after the order.
        ([found]) => found !== undefined && found.units !== null,
      )
      expect(orders).toMatchObject([{ svc_order_no: later.orderNo, units: 2, gross: 258 }])
    })
  })
}
