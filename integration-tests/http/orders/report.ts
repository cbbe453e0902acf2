/** What becomes of a report that the service refuses, or that is not to be made. */
import { eventually } from "../../setup/market"
import type { OrdersShop } from "./shop"

export function describeReport(shop: OrdersShop): void {
  const { api, changes, knex, buy, attributions, settled, reports, aMugShow } = shop

  describe("the report", () => {
    it("is a conflict for a person where the service refuses the first one with 409", async () => {
      await shop.sandbox.control("/profiles", { process_orders: "conflict_first" })
      const { orderId } = await buy(await aMugShow())
      expect(await settled(orderId)).toMatchObject([
        { state: "failed", reason: { code: "order_conflict" }, reported_at: null },
      ])
    })

    it("counts as made where the service refuses the repeat of one whose answer was lost", async () => {
      await shop.sandbox.control("/profiles", { process_orders: "conflict" })
      await shop.sandbox.control("/faults", {
        on: "process_orders",
        kind: "reset",
        after: true,
        times: 1,
      })
      const { orderId, orderNo } = await buy(await aMugShow())
      await settled(orderId)
      await knex()("svc_attribution").update({ next_attempt_at: null })
      expect(await settled(orderId)).toMatchObject([{ state: "reported" }])
      expect(await reports(orderNo)).toBe(2)
    })

    it("is not made for an order that was cancelled while it waited", async () => {
      await shop.sandbox.control("/faults", { on: "process_orders", kind: "status", status: 503 })
      const { orderId, orderNo } = await buy(await aMugShow())
      expect(await settled(orderId)).toMatchObject([{ state: "waiting" }])
      const before = await reports(orderNo)
      await changes().cancel(orderId)
      await shop.sandbox.control("/faults", undefined, "DELETE")
      await knex()("svc_connection").update({ breaker_failures: 0, breaker_open_until: null })
      await knex()("svc_attribution").update({ next_attempt_at: null })
      await eventually(
        () => settled(orderId),
        (rows) => rows[0]?.state !== "waiting",
      )
      expect(await attributions(`order_id=${orderId}`)).toMatchObject([
        { state: "excluded", reason: { code: "order_cancelled" } },
      ])
      expect(await reports(orderNo)).toBe(before)
    })

    it("that was made stays made, whatever comes of making it again", async () => {
      const { orderId } = await buy(await aMugShow())
      const [row] = await settled(orderId)
      expect(row.state).toBe("reported")
      await shop.sandbox.control("/faults", { on: "process_orders", kind: "status", status: 422 })
      const { order } = (
        await api.post(`/admin/svc/orders/${row.id}/report`, {}, shop.denmark.admin)
      ).data
      expect(order).toMatchObject({ state: "reported", reported_at: row.reported_at })
    })
  })
}
