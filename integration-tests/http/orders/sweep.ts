/** What no event told is found, and nothing holds it up. */
import { Modules } from "@medusajs/framework/utils"
import reportOrders from "../../../src/jobs/report-orders"
import {
  attributeOrderWorkflow,
  KEPT_DAYS,
  sweepOrders,
  sweepOrdersNightly,
  workReports,
} from "../../../src/workflows/orders"
import { eventually } from "../../setup/market"
import { whileRefusing } from "../../setup/while-refusing"
import type { OrdersShop } from "./shop"

export function describeSweep(shop: OrdersShop): void {
  const { getContainer, changes, knex, buy, settled, campaign, attributions, mugShow } = shop
  const { svc, buyUnder, dropEvents, reports } = shop
  /** Core is surely done with an order of which no event told. */
  const minutesPass = () =>
    knex()("order").update({ created_at: knex().raw("created_at - interval '11 minutes'") })

  describe("the sweep", () => {
    it("goes on behind an order that cannot be counted, and takes half a piece as half a piece", async () => {
      const show = mugShow()
      dropEvents()
      const half = await buy(show)
      const whole = await buy(show)
      // As an order from another till has it.
      await knex()("order_item")
        .where({ order_id: half.orderId })
        .update({ quantity: 1.5, raw_quantity: JSON.stringify({ value: "1.5", precision: 20 }) })
      await minutesPass()
      await sweepOrders(getContainer())
      await workReports(getContainer())
      expect(await settled(half.orderId)).toMatchObject([{ state: "reported", units: 1.5 }])
      expect(await settled(whole.orderId)).toMatchObject([{ state: "reported", units: 1 }])
    })

    it("wakes the reports although one order cannot be read", async () => {
      const show = mugShow()
      dropEvents()
      const { orderId } = await buy(show)
      await attributeOrderWorkflow(getContainer()).run({ input: orderId })
      const second = await buy(show)
      await minutesPass()
      const isReported = async () => {
        await reportOrders(getContainer())
        const rows = await eventually(
          () => attributions(`order_id=${orderId}`),
          (found) => found[0]?.state === "reported",
        )
        expect(rows).toHaveLength(1)
      }
      const ofOne = `NEW.order_id = '${second.orderId}'`
      await whileRefusing(knex(), "INSERT ON svc_show_order", "a poison order", isReported, ofOne)
      await reportOrders(getContainer())
      expect(await settled(second.orderId)).toMatchObject([{ state: "reported" }])
    })

    it("leaves an order alone that core may still take back, and its number to the order that comes", async () => {
      const show = mugShow()
      dropEvents()
      const { orderId, orderNo } = await buy(show)
      // Paid, and a store's own code still runs.
      await sweepOrders(getContainer())
      expect(await attributions(`order_id=${orderId}`)).toEqual([])
      await getContainer().resolve(Modules.ORDER).deleteOrders([orderId])
      jest.restoreAllMocks()
      expect(await settled(await buyUnder(show, orderNo))).toMatchObject([{ state: "reported" }])
      expect(await reports(orderNo)).toBe(1)
    })

    it("asks nobody sooner than was agreed", async () => {
      const show = mugShow()
      const { orderId } = await buy(show)
      await settled(orderId)
      const later = new Date(Date.now() + 600_000)
      await knex()("svc_attribution").where({ order_id: orderId }).update({
        state: "waiting",
        next_attempt_at: later,
        reason_code: "svc_unavailable",
      })
      await changes().capture(orderId)
      await sweepOrders(getContainer())
      const [row] = await attributions(`order_id=${orderId}`)
      expect(row.next_attempt_at).toBe(later.toISOString())
    })

    it("does at night what it can, where one part of it fails", async () => {
      const { orderId } = await buy(mugShow())
      await settled(orderId)
      const compared = jest
        .spyOn(svc().orders.orderChanges, "differing")
        .mockRejectedValue(new Error("no ledger is compared today"))
      const much = new Date(Date.now() + (KEPT_DAYS.orders + 1) * 86_400_000)
      await sweepOrdersNightly(getContainer(), much)
      compared.mockRestore()
      expect(await knex()("svc_report_attempt")).toEqual([])
    })

    it("takes up a report whose payment was captured unheard", async () => {
      await shop.change({ report_settings: { report_on: "payment_captured" } })
      const { orderId } = await buy(mugShow())
      expect(await settled(orderId)).toMatchObject([{ reason: { code: "payment_not_captured" } }])
      dropEvents()
      await changes().capture(orderId)
      await sweepOrders(getContainer())
      await workReports(getContainer())
      expect(await attributions(`order_id=${orderId}`)).toMatchObject([{ state: "reported" }])
    })

    it("books taxes that were computed again, of which Medusa tells nobody", async () => {
      const show = mugShow()
      const { orderId } = await buy(show)
      await settled(orderId)
      expect(await campaign(show)).toMatchObject({ net: 79, tax: 15.8 })
      await changes().changeTaxes(orderId, "dk", 10)
      expect((await changes().order(orderId)).items[0]?.tax_total).toBeCloseTo(7.18, 2)
      expect(await campaign(show)).toMatchObject({ net: 79, tax: expect.closeTo(7.18, 2) })
    })

    it("that waits for a row which another process holds keeps no report waiting", async () => {
      const show = mugShow()
      dropEvents()
      const { orderId } = await buy(show)
      await attributeOrderWorkflow(getContainer()).run({ input: orderId })
      const other = await knex().transaction()
      await other.raw("LOCK TABLE svc_cursor IN ACCESS EXCLUSIVE MODE")
      const sweeping = reportOrders(getContainer())
      try {
        await eventually(
          () => knex()("svc_attribution").where({ order_id: orderId }).select("state"),
          ([row]) => row?.state === "reported",
        )
      } finally {
        await other.rollback()
        await sweeping
      }
    })

    it("does not look again and again at orders that were deleted", async () => {
      const show = mugShow()
      dropEvents()
      const { orderId } = await buy(show)
      await minutesPass()
      await getContainer().resolve(Modules.ORDER).deleteOrders([orderId])
      await sweepOrders(getContainer())
      expect(await sweepOrders(getContainer())).toBe(0)
      expect(await attributions(`order_id=${orderId}`)).toEqual([])
    })
  })
}
