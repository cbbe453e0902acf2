/** Orders of a page that their connection has left: a number belongs to the page that gave it. */
import { sweepOrdersNightly } from "../../../src/workflows/orders"
import { connectMarket } from "../../setup/connected-market"
import { completeCart } from "../../setup/market"
import type { OrdersShop } from "./shop"

export function describeMoved(shop: OrdersShop): void {
  const { api, change, changes, basket, buy, buyUnder, settled, becomes, campaign, reports } = shop
  const { getContainer, knex, aMugShow, mugShow, orderIdIn } = shop

  const moveTo = (base_url: string) => change({ base_url, api_token: shop.denmark.apiToken })
  /** The same sandbox by another name, which the store takes for another service: it knows every number. */
  const elsewhere = () => shop.sandbox.url.replace("127.0.0.1", "localhost")

  describe("an order of a page that the connection has left", () => {
    it("is not told to the page that it has now, and is told once the connection is back", async () => {
      const show = mugShow()
      await shop.fault({ kind: "status", status: 409 })
      const failed = await buy(show)
      expect(await becomes(failed.orderId, "failed")).toMatchObject([
        { reason: { code: "order_conflict" } },
      ])
      await shop.sandbox.endFaults()
      const told = await reports(failed.orderNo)
      await change({ report_settings: { report_on: "payment_captured" } })
      const waits = await buy(show)
      expect(await settled(waits.orderId)).toMatchObject([
        { state: "waiting", reason: { code: "payment_not_captured" } },
      ])
      const open = await basket(show)
      const earned = await campaign(show)

      await moveTo(elsewhere())
      await changes().capture(waits.orderId)
      const left = [{ reason: { code: "page_left" }, reported_at: null }]
      expect(await becomes(waits.orderId, "excluded")).toMatchObject(left)
      const [row] = await becomes(failed.orderId, "excluded")
      expect([row]).toMatchObject(left)
      expect(await campaign(show)).toMatchObject({ orders: earned.orders, net: earned.net })
      // A cart that met the page before is of it, too.
      const { data } = await completeCart(api, shop.denmark, open.cartId, "dk")
      const orderId = orderIdIn(data)
      expect(await becomes(orderId, "excluded")).toMatchObject(left)
      const again = await shop.report(row.id)
      expect(again.data).toMatchObject({ code: "page_left" })
      for (const orderNo of [waits.orderNo, open.orderNo]) expect(await reports(orderNo)).toBe(0)
      expect(await reports(failed.orderNo)).toBe(told)

      await moveTo(shop.sandbox.url)
      for (const id of [failed.orderId, orderId]) await changes().capture(id)
      for (const id of [waits.orderId, failed.orderId, orderId]) {
        expect(await becomes(id, "reported")).toMatchObject([{ reason: null }])
      }
      for (const orderNo of [waits.orderNo, open.orderNo]) expect(await reports(orderNo)).toBe(1)
    })

    it("is told at night where nobody has seen the page come back, as a process leaves it that dies", async () => {
      await change({ report_settings: { report_on: "payment_captured" } })
      const { orderId, orderNo } = await buy(mugShow())
      await moveTo(elsewhere())
      await changes().capture(orderId)
      await becomes(orderId, "excluded")
      await knex()("svc_connection")
        .where({ id: shop.denmark.connectionId })
        .update({ base_url: shop.sandbox.url })
      await sweepOrdersNightly(getContainer())
      await becomes(orderId, "reported")
      expect(await reports(orderNo)).toBe(1)
    })

    it("does not keep its number from an order of the page that the connection has now", async () => {
      const show = await aMugShow()
      const { orderId, orderNo } = await buy(show)
      const [{ reported_at }] = await becomes(orderId, "reported")
      await moveTo(elsewhere())
      const second = await buyUnder(show, orderNo)
      expect(await becomes(second, "reported")).toMatchObject([{ svc_order_no: orderNo }])
      expect(await reports(orderNo)).toBe(2)
      expect(await settled(orderId)).toMatchObject([
        { state: "reported", reported_at, reason: null },
      ])
      // On one page it is still one order's.
      expect(await settled(await buyUnder(show, orderNo))).toMatchObject([{ state: "duplicate" }])
    })

    it("keeps its number where the connection is deleted and another one is made to its page, unless it was never told", async () => {
      const show = await aMugShow()
      const told = await buy(show)
      await becomes(told.orderId, "reported")
      await shop.fault({ kind: "status", status: 502 })
      const unsure = await buy(show)
      expect(await settled(unsure.orderId)).toMatchObject([
        { state: "waiting", reason: { code: "svc_unavailable" } },
      ])
      await change({ report_settings: { report_on: "payment_captured" } })
      const untold = await buy(show)
      expect(await settled(untold.orderId)).toMatchObject([{ state: "waiting" }])
      const { connectionId, admin } = shop.denmark
      await api.delete(`/admin/svc/connections/${connectionId}`, admin)
      expect(await becomes(untold.orderId, "failed")).toMatchObject([
        { reason: { code: "connection_not_found" } },
      ])
      expect(await becomes(unsure.orderId, "failed")).toMatchObject([
        { reason: { code: "connection_not_found_maybe_told" } },
      ])
      await shop.sandbox.endFaults()

      const { connectionId: another } = await connectMarket(
        api,
        getContainer(),
        shop.sandbox,
        "denmark",
      )
      for (const { orderNo } of [told, unsure]) {
        expect(await settled(await buyUnder(show, orderNo))).toMatchObject([
          { connection_id: another, state: "duplicate", reason: { code: "order_number_used" } },
        ])
      }
      const second = await buyUnder(show, untold.orderNo)
      expect(await becomes(second, "reported")).toMatchObject([{ connection_id: another }])
      for (const { orderNo } of [told, untold]) expect(await reports(orderNo)).toBe(1)
      // Its number is another's: it is not told with all that failed.
      const filters = { order_id: [untold.orderId] }
      expect((await shop.ask("orders/report", { filters })).data.count).toBe(0)
    })
  })
}
