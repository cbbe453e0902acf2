/** Orders whose payment fails, or comes later than the order. */
import { MedusaError, Modules } from "@medusajs/framework/utils"
import { sweepOrders, workReports } from "../../../src/workflows/orders"
import { placeOrder } from "../../setup/market"
import type { OrdersShop } from "./shop"

const UNPAID_RUNS = Number(process.env.ORDERS_UNPAID_RUNS ?? 1)

export function describePayment(shop: OrdersShop): void {
  const { api, getContainer, knex, tap, basket, settled, campaign, reports, aMugShow } = shop

  describe("an order whose payment comes later (a bank transfer, a payment link)", () => {
    it("is there at once, waits for its payment, and is beside the results until it is paid", async () => {
      const show = await aMugShow()
      const payments = getContainer().resolve(Modules.PAYMENT)
      const { cartId, orderNo } = await basket(show)
      const deferred = jest
        .spyOn(payments, "authorizePaymentSession")
        .mockImplementation(async (id: string) => {
          await knex()("payment_session").where({ id }).update({ status: "pending_authorization" })
          return undefined as never
        })
      const { data } = await placeOrder(api, shop.denmark, cartId)
      deferred.mockRestore()
      const orderId = data.order?.id ?? ""
      expect(await settled(orderId)).toMatchObject([
        { state: "waiting", reason: { code: "payment_not_authorised" }, unpaid: true, net: 79 },
      ])
      expect(await campaign(show)).toMatchObject({ orders: 0, net: 0, gross: 0, unpaid: 79 })
      expect(await reports(orderNo)).toBe(0)

      // The transfer arrives, of which Medusa emits nothing.
      const [session] = await knex()("payment_session").where({ status: "pending_authorization" })
      await payments.authorizePaymentSession(session.id, {})
      await sweepOrders(getContainer())
      expect(await settled(orderId)).toMatchObject([{ state: "reported", unpaid: false }])
      expect(await campaign(show)).toMatchObject({ orders: 1, net: 79, unpaid: 0 })
      expect(await reports(orderNo)).toBe(1)
    })
  })

  describe("an order whose payment fails", () => {
    it(
      `is not reported, its basket goes on, and the paid order counts (${UNPAID_RUNS} times)`,
      async () => {
        const show = await aMugShow()
        const payments = getContainer().resolve(Modules.PAYMENT)
        for (let run = 0; run < UNPAID_RUNS; run++) {
          const { cartId, orderNo } = await basket(show)
          // Core has made the order and its link to the basket when it asks for the payment.
          const declined = jest
            .spyOn(payments, "authorizePaymentSession")
            .mockImplementation(async () => {
              await sweepOrders(getContainer())
              await workReports(getContainer())
              throw new MedusaError(MedusaError.Types.PAYMENT_AUTHORIZATION_ERROR, "Declined")
            })
          const failed = await placeOrder(api, shop.denmark, cartId)
          expect(failed.data.type).toBe("cart")
          declined.mockRestore()
          expect(await reports(orderNo)).toBe(0)

          // The shopper changes the basket in the player, and pays with another card.
          const more = await tap({ ...show, orderNo }, cartId, [{ variant: shop.mug, quantity: 1 }])
          expect([more.status, more.cart?.items[0].quantity]).toEqual(["SUCCESS", 2])
          const placed = await placeOrder(api, shop.denmark, cartId)
          expect(placed.status).toBe(200)
          const rows = await settled(placed.data.order?.id ?? "")
          expect(rows).toMatchObject([{ state: "reported", svc_order_no: orderNo, units: 2 }])
          expect(await reports(orderNo)).toBe(1)
        }
        expect(await campaign(show)).toMatchObject({
          orders: UNPAID_RUNS,
          units: 2 * UNPAID_RUNS,
          net: 158 * UNPAID_RUNS,
        })
      },
      600_000 + UNPAID_RUNS * 30_000,
    )
  })
}
