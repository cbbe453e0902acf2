/** What an order counts for, and that the service is told of it. */
import { completeCart, createCart, eventually, newOrderNo, runShow } from "../../setup/market"
import type { CartShop } from "./shop"

export function describeAttribution(shop: CartShop): void {
  const { act, api, ids, ref } = shop

  describe("the order of a show's cart", () => {
    it("counts for the show only what was sold at its price, whatever a line's metadata says", async () => {
      const [, second] = shop.mugs
      if (!second) throw new Error("no second mug")
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const cartId = await createCart(api, shop.denmark)
      await act("some-checkout", cartId, { ...ids(show), products: [ref(shop.mug, 1)] })
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
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const cartId = await createCart(api, shop.denmark)
      await act("some-checkout", cartId, { ...ids(show), products: [ref(shop.mug, 1)] })
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

    it("reports a placed order once, and heals after the service was away", async () => {
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const cartId = await createCart(api, shop.denmark)
      await act("some-checkout", cartId, { ...ids(show), products: [ref(shop.mug, 2)] })
      await shop.sandbox.control("/faults", {
        rules: [{ on: "process_orders", kind: "reset" }],
      })
      const placed = await completeCart(api, shop.denmark, cartId, "dk")
      expect(placed.status).toBe(200)
      const orderId = placed.data.order?.id

      const find = async () =>
        (await api.get(`/admin/svc/orders?order_id=${orderId}`, shop.denmark.admin)).data.orders
      const [failed] = await eventually(
        find,
        (orders) => orders[0]?.reason !== null && orders.length > 0,
      )
      expect(failed).toMatchObject({
        state: "waiting",
        svc_order_no: show.orderNo,
        campaign_uid: show.campaignUid,
      })
      expect(failed.reason).toMatchObject({ code: "svc_unreachable", fix: expect.any(String) })

      await shop.sandbox.endFaults()
      const reported = await eventually(
        async () =>
          (await api.post(`/admin/svc/orders/${failed.id}/report`, {}, shop.denmark.admin)).data
            .order,
        // A worker that is at it just now is not disturbed.
        (order) => order.state === "reported",
      )
      expect(reported).toMatchObject({ units: 2, gross: 258 })
      const { conversions } = await shop.sandbox.control<{ conversions: { order_no: string }[] }>(
        "/conversions",
      )
      expect(conversions.filter((order) => order.order_no === show.orderNo)).toHaveLength(1)

      const campaigns = await api.get(
        `/admin/svc/campaigns?campaign_uid=${show.campaignUid}`,
        shop.denmark.admin,
      )
      expect(campaigns.data.campaigns).toMatchObject([
        {
          orders: 1,
          units: 2,
          gross: 258,
          refunded: 0,
          net: 258,
          currency_code: "dkk",
          conversion_rate: 1,
        },
      ])
    })
  })
}
