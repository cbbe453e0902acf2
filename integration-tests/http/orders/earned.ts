/** What orders earned, whatever becomes of them, and how they are found. */
import { createCartCreditLinesWorkflow } from "@medusajs/core-flows"
import { completeCart } from "../../setup/market"
import type { OrdersShop } from "./shop"

export function describeEarned(shop: OrdersShop): void {
  const {
    api,
    getContainer,
    changes,
    tap,
    basket,
    buy,
    buyUnder,
    buyReduced,
    attributions,
    settled,
    campaign,
    aMugShow,
  } = shop

  describe("what an order earned", () => {
    it("is not less for what was paid with a gift card, however often the order changes", async () => {
      const show = await aMugShow()
      const { cartId } = await basket(show)
      await createCartCreditLinesWorkflow(getContainer()).run({
        input: [
          {
            cart_id: cartId,
            amount: 30,
            reference: "gift-card",
            reference_id: "gift",
            // Medusa's own key, as other code may fill it.
            metadata: { created_in_version: "the first" },
          },
        ],
      })
      const { data } = await completeCart(api, shop.denmark, cartId, "dk")
      const id = data.order?.id ?? ""
      await settled(id)
      const { items } = await changes().order(id)
      await changes().fulfil(id, [{ id: items[0]?.id ?? "", quantity: 1 }])
      expect(await campaign(show)).toMatchObject({ gross: 79, refunded: 0, net: 79 })
    })

    it("goes to the show that sold it, where two sell the same thing at one price", async () => {
      const [one, other] = [await aMugShow(), await aMugShow()]
      const { cartId } = await basket(one, 1)
      await tap(other, cartId, [{ variant: shop.mug, quantity: 2 }])
      const { data } = await completeCart(api, shop.denmark, cartId, "dk")
      const rows = await settled(data.order?.id ?? "")
      expect(
        rows.map((row: { campaign_uid: string; units: number }) => [row.campaign_uid, row.units]),
      ).toEqual(
        expect.arrayContaining([
          [one.campaignUid, 1],
          [other.campaignUid, 2],
        ]),
      )
      expect(await campaign(one)).toMatchObject({ units: 1, net: 79 })
      expect(await campaign(other)).toMatchObject({ units: 2, net: 158 })
    })

    it("stays where a size is exchanged for another at the same price", async () => {
      const show = await aMugShow(500)
      const { orderId } = await buy(show)
      await settled(orderId)
      const [line] = (await changes().order(orderId)).items
      const pieces = [{ id: line?.id ?? "", quantity: 1 }]
      await changes().fulfil(orderId, pieces)
      await changes().exchange(orderId, pieces, [
        { variant_id: shop.mugs[1]?.id ?? "", quantity: 1, unit_price: 500 },
      ])
      expect((await changes().order(orderId)).item_total).toBe(500)
      expect(await campaign(show)).toMatchObject({ net: 500, refunded: 0, units: 1 })
    })

    it("stays where a broken piece is replaced, and goes where it is paid back", async () => {
      const show = await aMugShow(500)
      const replaced = await buy(show)
      const paidBack = await buy(show)
      for (const { orderId } of [replaced, paidBack]) await settled(orderId)
      const lineOf = async (id: string) => (await changes().order(id)).items[0]?.id ?? ""
      const one = [{ id: await lineOf(replaced.orderId), quantity: 1 }]
      await changes().fulfil(replaced.orderId, one)
      await changes().claim(replaced.orderId, one, [
        { variant_id: shop.mug.id, quantity: 1, unit_price: 500 },
      ])
      const other = [{ id: await lineOf(paidBack.orderId), quantity: 1 }]
      await changes().fulfil(paidBack.orderId, other)
      await changes().claim(paidBack.orderId, other)
      expect((await changes().order(replaced.orderId)).item_total).toBe(500)
      expect((await changes().order(paidBack.orderId)).item_total).toBe(0)
      expect(await campaign(show)).toMatchObject({ net: 500 })
    })

    it("bears its share of a refund, and nothing of a balance that is waived", async () => {
      const show = await aMugShow()
      const { orderId } = await buy(show, 2)
      await settled(orderId)
      const placed = await changes().order(orderId)
      await changes().capture(orderId)
      // Goods and shipping by their value, whatever the words of its reason are.
      await changes().refund(orderId, placed.shipping_total, "Shipping Issue")
      const share = (placed.shipping_total * 158) / (158 + placed.shipping_total)
      const refunded = Math.round(share * 100) / 100
      expect(await campaign(show)).toMatchObject({
        net: expect.closeTo(158 - refunded, 5),
        refunded: expect.closeTo(refunded, 5),
      })

      await changes().edit(orderId, placed.items[0]?.id ?? "", { quantity: 3 })
      await changes().waive(orderId, 79)
      expect((await changes().order(orderId)).item_total).toBe(237)
      expect(await campaign(show)).toMatchObject({ net: expect.closeTo(237 - refunded, 5) })
    })

    it("counts although its order number was used before", async () => {
      const show = await aMugShow()
      const first = await buy(show)
      await settled(first.orderId)
      // The same checkout link, opened by somebody else.
      expect(await settled(await buyUnder(show, first.orderNo))).toMatchObject([
        { state: "duplicate" },
      ])
      expect(await campaign(show)).toMatchObject({ orders: 2, units: 2, net: 158 })
    })
  })

  describe("gross", () => {
    it("is before discounts in the list of orders, in its file and in the results alike", async () => {
      const show = await aMugShow()
      const { orderId } = await buyReduced(show, 1, 10)
      const sums = { units: 1, gross: 79, discounts: 7.9, refunded: 0, net: 71.1 }
      expect(await settled(orderId)).toMatchObject([sums])
      expect(await campaign(show)).toMatchObject(sums)
    })
  })

  describe("conversion", () => {
    it("counts no cancelled order", async () => {
      const show = await aMugShow()
      const [kept, cancelled] = [await buy(show), await buy(show)]
      for (const { orderId } of [kept, cancelled]) await settled(orderId)
      await changes().cancel(cancelled.orderId)
      expect(await campaign(show)).toMatchObject({
        orders: 1,
        cancelled_orders: 1,
        conversion_rate: 0.5,
        gross: 79,
        refunded: 0,
        net: 79,
      })
    })
  })

  describe("campaigns", () => {
    it("can be sorted by what they earned", async () => {
      const [small, large] = [await aMugShow(20), await aMugShow(30)]
      for (const show of [small, large]) await settled((await buy(show)).orderId)
      await campaign(small)
      const order = async (by: string) =>
        (await api.get(`/admin/svc/campaigns?order=${by}`, shop.denmark.admin)).data.campaigns.map(
          (row: { campaign_uid: string }) => row.campaign_uid,
        )
      expect(await order("net")).toEqual([small.campaignUid, large.campaignUid])
      expect(await order("-net")).toEqual([large.campaignUid, small.campaignUid])
    })
  })

  describe("the search for orders", () => {
    it("finds one by its number, with and without the sign", async () => {
      const { orderId } = await buy(await aMugShow())
      await settled(orderId)
      const { display_id } = await changes().order(orderId)
      for (const q of [`${display_id}`, `%23${display_id}`]) {
        const found = await attributions(`q=${q}`)
        expect(found).toMatchObject([{ order_id: orderId, display_id }])
      }
    })
  })
}
