/** Orders whose payment fails, or comes later than the order. */
import { completeCartWorkflow, createPaymentSessionsWorkflow } from "@medusajs/core-flows"
import { MedusaError, Modules } from "@medusajs/framework/utils"
import { sweepOrders, workReports } from "../../../src/workflows/orders"
import { giftCard } from "../../setup/gift-card"
import { beginPayment, placeOrder } from "../../setup/market"
import type { OrdersShop } from "./shop"

const UNPAID_RUNS = Number(process.env.ORDERS_UNPAID_RUNS ?? 1)

export function describePayment(shop: OrdersShop): void {
  const { api, getContainer, knex, changes, tap, basket, settled, campaign, reports } = shop
  const { aMugShow } = shop
  const reachPayment = (cart_id: string) =>
    api.post("/store/payment-collections", { cart_id }, shop.denmark.store)

  /** Its provider says that the payment comes later: the session waits for it, and Medusa lets the order stand. */
  const placeDeferred = async (cartId: string): Promise<string> => {
    const deferred = jest
      .spyOn(getContainer().resolve(Modules.PAYMENT), "authorizePaymentSession")
      .mockImplementation(async (id: string) => {
        await knex()("payment_session").where({ id }).update({ status: "pending_authorization" })
        return undefined as never
      })
    const orderId = await shop.place(cartId)
    deferred.mockRestore()
    return orderId
  }

  describe("an order whose payment comes later (a bank transfer, a payment link)", () => {
    it("is there at once, waits for its payment, and is beside the results until it is paid", async () => {
      const show = await aMugShow()
      const payments = getContainer().resolve(Modules.PAYMENT)
      const { cartId, orderNo } = await basket(show)
      await giftCard(getContainer(), cartId, 50)
      const orderId = await placeDeferred(cartId)
      expect(await settled(orderId)).toMatchObject([
        { state: "waiting", reason: { code: "payment_not_authorised" }, unpaid: true, net: 79 },
      ])
      expect(await campaign(show)).toMatchObject({ orders: 0, net: 0, gross: 0, unpaid: 79 })
      expect(await reports(orderNo)).toBe(0)

      // What is waived later was due all the same when the order was placed.
      await changes().waive(orderId, 68)
      expect((await changes().order(orderId)).total).toBe(0)
      expect(await campaign(show)).toMatchObject({ orders: 0, unpaid: 79 })

      // The transfer arrives, of which Medusa emits nothing.
      const [session] = await knex()("payment_session").where({ status: "pending_authorization" })
      await payments.authorizePaymentSession(session.id, {})
      await sweepOrders(getContainer())
      expect(await settled(orderId)).toMatchObject([{ state: "reported", unpaid: false }])
      expect(await campaign(show)).toMatchObject({ orders: 1, net: 79, unpaid: 0 })
      expect(await reports(orderNo)).toBe(1)
    })

    it("is never reported where its payment was begun anew and given up, and an edit took everything off", async () => {
      const show = await aMugShow()
      const { cartId, orderNo } = await basket(show)
      await giftCard(getContainer(), cartId, 39)
      const orderId = await placeDeferred(cartId)
      expect((await settled(orderId))[0]).toMatchObject({ state: "waiting", unpaid: true })

      // The debit is refused and the shopper begins anew, by the workflow of core's route: its session waits for nothing.
      const placed = await changes().order(orderId)
      const payment_collection_id = placed.payment_collections[0]?.id ?? ""
      await createPaymentSessionsWorkflow(getContainer()).run({
        input: { payment_collection_id, provider_id: "pp_system_default" },
      })
      const sessions = knex()("payment_session").where({ payment_collection_id, deleted_at: null })
      expect(await sessions.pluck("status")).toEqual(["pending"])

      await changes().edit(orderId, placed.items[0]?.id ?? "", { quantity: 1, unit_price: 0 })
      expect((await changes().order(orderId)).total).toBe(0)
      const collection = knex()("payment_collection").where({ id: payment_collection_id })
      expect((await collection.pluck("amount")).map(Number)).toEqual([0])

      await sweepOrders(getContainer())
      expect(await settled(orderId)).toMatchObject([
        { state: "waiting", reason: { code: "payment_not_authorised" }, unpaid: true },
      ])
      expect(await campaign(show)).toMatchObject({ orders: 0 })
      expect(await reports(orderNo)).toBe(0)
    })
  })

  describe("an order that a gift card paid in full", () => {
    it("is reported and counts whether or not its shopper reached the payment's step, also once edits ask for more", async () => {
      const show = await aMugShow()
      const ids: string[] = []
      for (const reached of [true, false]) {
        const { cartId, orderNo } = await basket(show)
        if (reached) await reachPayment(cartId)
        await giftCard(getContainer(), cartId, 118)
        const { data } = await api.post(`/store/carts/${cartId}/complete`, {}, shop.denmark.store)
        expect(data.order.total).toBe(0)
        expect(await settled(data.order.id)).toMatchObject([{ state: "reported", unpaid: false }])
        expect(await reports(orderNo)).toBe(1)
        ids.push(data.order.id)
      }
      const sold = { orders: 2, units: 2, gross: 158, net: 158, unpaid: 0 }
      expect(await campaign(show)).toMatchObject(sold)
      for (const id of ids) {
        await changes().add(id, shop.mug.id, 1, 10)
        await changes().add(id, shop.mug.id, 1, 10)
        expect((await changes().order(id)).summary.pending_difference).toBe(20)
      }
      expect(await campaign(show)).toMatchObject(sold)
      await shop.svc().orders.ledger.markAllDirty()
      expect(await campaign(show)).toMatchObject(sold)
      for (const id of ids) {
        expect(await settled(id)).toMatchObject([{ state: "reported", unpaid: false }])
      }
    })
  })

  describe("an order that was placed with a payment which was cancelled before", () => {
    it("waits for another payment, and is beside the results", async () => {
      const show = await aMugShow()
      const payments = getContainer().resolve(Modules.PAYMENT)
      const { cartId, orderNo } = await basket(show)
      await beginPayment(api, shop.denmark, cartId)
      const { payment_collection } = (await reachPayment(cartId)).data
      const [session] = payment_collection.payment_sessions
      // An earlier attempt at the order: its payment is authorised, a store's own code fails, core cancels the payment.
      const payment = await payments.authorizePaymentSession(session.id, {})
      await payments.cancelPayment(payment?.id ?? "")
      // One that waited for it has passed our guard already.
      const { result } = await completeCartWorkflow(getContainer()).run({ input: { id: cartId } })
      expect(await settled(result.id)).toMatchObject([
        { state: "waiting", reason: { code: "payment_not_authorised" }, unpaid: true },
      ])
      expect(await campaign(show)).toMatchObject({ orders: 0, net: 0, gross: 0, unpaid: 79 })
      expect(await reports(orderNo)).toBe(0)
    })
  })

  describe("an order whose payment comes later, of a basket that was paid once and not ordered", () => {
    it("waits for its own payment where the earlier one was captured, and cancelled or refunded", async () => {
      const show = await aMugShow()
      const payments = getContainer().resolve(Modules.PAYMENT)
      for (const undo of ["cancelPayment", "refundPayment"] as const) {
        const { cartId, orderNo } = await basket(show)
        await beginPayment(api, shop.denmark, cartId)
        const { payment_collection } = (await reachPayment(cartId)).data
        // Its provider captures at once; then a store's own code fails, and core gives the money back.
        const [session] = payment_collection.payment_sessions
        const payment_id = (await payments.authorizePaymentSession(session.id, {}))?.id ?? ""
        await payments.capturePayment({ payment_id })
        if (undo === "cancelPayment") await payments.cancelPayment(payment_id)
        else await payments.refundPayment({ payment_id })
        const [row] = await settled(await placeDeferred(cartId))
        expect({ undo, ...row }).toMatchObject({
          undo,
          state: "waiting",
          reason: { code: "payment_not_authorised" },
          unpaid: true,
        })
        expect(await reports(orderNo)).toBe(0)
      }
      expect(await campaign(show)).toMatchObject({ orders: 0, net: 0, gross: 0, unpaid: 158 })
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
