/** What orders earned, whatever becomes of them. */
import type { OrdersShop } from "./shop"

export function describeEarned(shop: OrdersShop): void {
  const { changes, buy, buyUnder, buyReduced, settled, campaign, mugShow } = shop

  describe("what an order earned", () => {
    it("counts although its order number was used before", async () => {
      const show = mugShow()
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
      const show = mugShow()
      const { orderId } = await buyReduced(show, 1, 10)
      const sums = { units: 1, gross: 79, discounts: 7.9, refunded: 0, net: 71.1 }
      expect(await settled(orderId)).toMatchObject([sums])
      expect(await campaign(show)).toMatchObject(sums)
    })
  })

  describe("conversion", () => {
    it("counts no cancelled order", async () => {
      const show = mugShow()
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
}
