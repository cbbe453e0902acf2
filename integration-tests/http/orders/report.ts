/** What becomes of a report that the service refuses, or that is not to be made. */
import { Modules } from "@medusajs/framework/utils"
import { readHealth } from "../../../src/workflows/connections"
import { attributeOrderWorkflow, sweepOrders, workLedger } from "../../../src/workflows/orders"
import { eventually, newOrderNo, runShow, type Show } from "../../setup/market"
import { whileRefusing } from "../../setup/while-refusing"
import type { OrdersShop } from "./shop"

type Row = {
  id: string
  campaign_uid: string
  state: string
  units: number
  gross: number
  reason: unknown
}

export function describeReport(shop: OrdersShop): void {
  const { getContainer, svc, changes, knex, tap, basket, buy, attributions } = shop
  const { settled, becomes, campaign, reports, aMugShow, mugShow, buyUnder, dropEvents } = shop

  /** Orders under a number that another had first, and that a person may report now. */
  const toLookAt = async () => (await readHealth(getContainer())).orders.duplicate

  describe("the report", () => {
    /** An answer is lost behind the call, at a service that answers the repeat so. */
    const isReportedThoughLost = async (process_orders: string) => {
      await shop.sandbox.control("/profiles", { process_orders })
      await shop.fault({ kind: "reset", after: true, times: 1 })
      const { orderId, orderNo } = await buy(mugShow())
      await settled(orderId)
      await knex()("svc_attribution").update({ next_attempt_at: null })
      expect(await settled(orderId)).toMatchObject([{ state: "reported" }])
      expect(await reports(orderNo)).toBe(2)
      // In Medusa an order's id alone opens the order, with the shopper's name and address.
      const calls = await shop.sandbox.client.journal.find({ q: "endpoint:process_orders" })
      expect(JSON.stringify(calls.entries)).toContain(orderNo)
      expect(JSON.stringify(calls.entries)).not.toContain(orderId)
    }

    it("is a conflict for a person where the service refuses the first one with 409", async () => {
      await shop.sandbox.control("/profiles", { process_orders: "conflict_first" })
      const { orderId } = await buy(mugShow())
      expect(await settled(orderId)).toMatchObject([
        { state: "failed", reason: { code: "order_conflict" }, reported_at: null },
      ])
    })

    it("is repeated under the key of the first where its answer was lost", () =>
      isReportedThoughLost("keyed"))

    it("fails where the service refuses it in a 200", async () => {
      await shop.sandbox.control("/profiles", { rest_errors: "in_200" })
      const orderId = await buyUnder(mugShow(), "SVC-UNKNOWN")
      expect(await settled(orderId)).toMatchObject([
        { state: "failed", reason: { code: "svc_rejected" }, reported_at: null },
      ])
    })

    it("counts as made where the service refuses the repeat of one whose answer was lost", () =>
      isReportedThoughLost("conflict"))

    it("is made again for all that match, where it failed", async () => {
      await shop.fault({ kind: "status", status: 422 })
      const show = mugShow()
      const bought = [await buy(show), await buy(show)]
      for (const { orderId } of bought) {
        expect(await settled(orderId)).toMatchObject([{ state: "failed" }])
      }
      await shop.sandbox.endFaults()
      const path = "orders/report"
      expect((await shop.ask(path, { filters: {} })).status).toBe(400)
      const { data } = await shop.ask(path, {
        filters: { campaign_uid: show.campaignUid, state: "failed" },
      })
      expect(data).toEqual({ count: 2 })
      for (const { orderId, orderNo } of bought) {
        await eventually(
          () => settled(orderId),
          ([row]) => row.state === "reported",
        )
        expect(await reports(orderNo)).toBe(1)
      }
    })

    it("is not made for an order that was cancelled after the service had refused for now, and its number is free", async () => {
      await shop.fault({ kind: "status", status: 503 })
      const show = mugShow()
      const { orderId, orderNo } = await buy(show)
      expect(await settled(orderId)).toMatchObject([{ state: "waiting" }])
      await shop.putOff(orderId)
      const before = await reports(orderNo)
      await changes().cancel(orderId)
      await shop.sandbox.endFaults()
      await knex()("svc_hold").delete()
      await knex()("svc_attribution").update({ next_attempt_at: null })
      const [row] = await eventually(
        () => settled(orderId),
        (rows) => rows[0]?.state !== "waiting",
      )
      expect(row).toMatchObject({ state: "excluded", reason: { code: "order_cancelled" } })
      expect(await reports(orderNo)).toBe(before)
      expect(await settled(await buyUnder(show, orderNo))).toMatchObject([{ state: "reported" }])
    })

    it.each([
      ["was cancelled", "order_cancelled_maybe_told"],
      ["was left out", "left_out_maybe_told"],
    ])(
      "says that the service may have an order that %s after a call without an answer",
      async (what, code) => {
        await shop.fault({ kind: "reset", after: true })
        const show = mugShow()
        const { orderId, orderNo } = await buy(show)
        expect(await settled(orderId)).toMatchObject([{ state: "waiting" }])
        // Its second attempt must not come before the merchant cancels it.
        await shop.putOff(orderId)
        await shop.sandbox.endFaults()
        const before = await reports(orderNo)
        if (what === "was cancelled") await changes().cancel(orderId)
        else await shop.setMetadata(orderId, { svc_test: true })
        await knex()("svc_attribution").update({ next_attempt_at: null })
        const [row] = await eventually(
          () => settled(orderId),
          (rows) => rows[0]?.state !== "waiting",
        )
        expect(row).toMatchObject({ state: "excluded", reason: { code } })
        // The number stays with it.
        expect(await settled(await buyUnder(show, orderNo))).toMatchObject([{ state: "duplicate" }])
        expect(await reports(orderNo)).toBe(before)
        // One that stands a person may report.
        if (what === "was cancelled") return
        expect((await shop.report(row.id)).data.order.state).toBe("reported")
      },
    )

    it.each([
      ["was reported", false],
      ["may have been reported", true],
    ])(
      "keeps its number with an order that %s before Medusa deleted it",
      async (_when, answerIsLost) => {
        // Not for one answer alone: a slow machine tries again before it is looked at.
        if (answerIsLost) {
          await shop.fault({ kind: "reset", after: true })
        }
        const show = mugShow()
        const { orderId, orderNo } = await buy(show)
        const [before] = await settled(orderId)
        expect(before.state).toBe(answerIsLost ? "waiting" : "reported")
        if (answerIsLost) await shop.putOff(orderId)
        await shop.sandbox.endFaults()
        const told = await reports(orderNo)
        await getContainer().resolve(Modules.ORDER).deleteOrders([orderId])
        await sweepOrders(getContainer())
        // The process that finds it comes no further at first.
        await whileRefusing(knex(), "UPDATE ON svc_attribution", "it dies here", () =>
          workLedger(getContainer()),
        )
        await knex()("svc_show_order")
          .where({ order_id: orderId })
          .update({ next_attempt_at: new Date(0) })
        await workLedger(getContainer())
        expect(await attributions(`order_id=${orderId}`)).toMatchObject([
          {
            state: "excluded",
            reason: { code: "order_cancelled_maybe_told" },
            reported_at: before.reported_at,
          },
        ])
        expect(await settled(await buyUnder(show, orderNo))).toMatchObject([{ state: "duplicate" }])
        expect(await reports(orderNo)).toBe(told)
      },
    )

    it("says of a repeat why it was not made, and what was reported stays so", async () => {
      const { orderId, orderNo } = await buy(mugShow())
      const [row] = await settled(orderId)
      const again = async () => {
        const { data } = await shop.report(row.id)
        return [data.repeat_problem?.code ?? null, data.order.state, data.order.reason]
      }
      expect(await again()).toEqual([null, "reported", null])
      await shop.fault({ kind: "status", status: 503 })
      expect(await again()).toEqual(["svc_unavailable", "reported", null])
      await shop.sandbox.endFaults()
      // The store's own code, which is asked before the service is.
      svc().options.reportFields = () => {
        throw new Error("no such warehouse")
      }
      expect(await again()).toEqual(["report_fields_failed", "reported", null])
      delete svc().options.reportFields
      // Without a token the service is not asked at all, and it would take the report.
      const before = await reports(orderNo)
      const connection = () => knex()("svc_connection").where({ id: shop.denmark.connectionId })
      const [withToken] = await connection().select("api_token", "api_token_fingerprint", "status")
      await connection().update({ api_token: null, api_token_fingerprint: null })
      expect(await again()).toEqual(["undeclared", "reported", null])
      expect(await reports(orderNo)).toBe(before)
      await connection().update(withToken)
      await knex()("svc_hold").delete()
      expect(await again()).toEqual([null, "reported", null])
      expect(await reports(orderNo)).toBe(before + 1)
      // It says that it has the number already.
      await shop.sandbox.control("/profiles", { process_orders: "conflict" })
      expect(await again()).toEqual([null, "reported", null])
    })

    it("is no failure where the service took it, the process died before the row said so, and the service refuses the repeat that a person asks for", async () => {
      const { orderId } = await buy(mugShow())
      const [row] = await settled(orderId)
      expect(row.state).toBe("reported")
      await knex()("svc_attribution")
        .where({ id: row.id })
        .update({
          state: "waiting",
          reported_at: null,
          lease_token: "of a process that died",
          lease_until: new Date(Date.now() + 60_000),
        })
      await shop.fault({ kind: "status", status: 422 })
      const { data } = await shop.report(row.id)
      expect(data).toMatchObject({ order: { state: "reported", reason: null } })
    })

    it("is made once where a person asked for it and the process died after the answer was written down", async () => {
      const { orderId, orderNo } = await buy(mugShow())
      const [row] = await settled(orderId)
      await knex()("svc_attribution")
        .where({ id: row.id })
        .update({ state: "waiting", reported_at: null, forced: true })
      expect(await settled(orderId)).toMatchObject([{ state: "reported" }])
      expect(await reports(orderNo)).toBe(1)
    })

    it("that fails while its order is cancelled is judged again", async () => {
      await shop.sandbox.control("/profiles", { process_orders: "conflict_first" })
      await shop.sandbox.control("/faults", {
        on: "process_orders",
        kind: "delay",
        // The lease is looked for meanwhile.
        delay_ms: 3_000,
      })
      const { orderId } = await buy(mugShow())
      await eventually(
        () => knex()("svc_attribution").where({ order_id: orderId }).first(),
        (row) => Boolean(row?.lease_token),
      )
      await changes().cancel(orderId)
      await workLedger(getContainer())
      expect(await becomes(orderId, "excluded")).toMatchObject([
        { reason: { code: "order_cancelled" } },
      ])
    })

    it("that failed is judged again where its order is no sale any more: nobody is asked to make it, and its number is free", async () => {
      await shop.fault({ kind: "status", status: 422 })
      const show = mugShow()
      const cancelled = await buy(show)
      const marked = await buy(show)
      for (const { orderId } of [cancelled, marked]) {
        expect(await settled(orderId)).toMatchObject([{ state: "failed" }])
      }
      await shop.sandbox.endFaults()
      await changes().cancel(cancelled.orderId)
      await shop.setMetadata(marked.orderId, { svc_test: true })
      await workLedger(getContainer())
      expect(await settled(cancelled.orderId)).toMatchObject([
        { state: "excluded", reason: { code: "order_cancelled" } },
      ])
      expect(await settled(marked.orderId)).toMatchObject([
        { state: "excluded", reason: { code: "test_order" } },
      ])
      expect((await svc().connections.counts.orders()).failed).toBe(0)
      const second = await buyUnder(show, cancelled.orderNo)
      expect(await settled(second)).toMatchObject([{ state: "reported" }])
      expect(await reports(cancelled.orderNo)).toBe(1)
    })

    // gap 49
    it("of an order whose number another order had first is made by hand where nobody has it any more, and refused while somebody has; both count", async () => {
      const show = mugShow()
      dropEvents()
      const { orderId: first, orderNo } = await buy(show)
      await attributeOrderWorkflow(getContainer()).run({ input: first })
      // The same checkout link, opened by somebody else.
      const second = await buyUnder(show, orderNo)
      await attributeOrderWorkflow(getContainer()).run({ input: second })
      const [row] = await attributions(`order_id=${second}`)
      expect(row.state).toBe("duplicate")
      expect(await campaign(show)).toMatchObject({ orders: 2, units: 2, net: 158 })
      expect(await toLookAt()).toBe(0)
      const refused = await shop.report(row.id)
      expect([refused.status, refused.data.code]).toEqual([409, "order_number_used"])
      const [{ page }] = await knex()("svc_attribution")
        .where({ order_id: first })
        .update({ state: "excluded" })
        .returning("page")
      expect(await toLookAt()).toBe(1)
      // Not where it is not to be reported either: cancelled, a test, of a page that the connection has left.
      for (const [table, change, back] of [
        ["svc_show_order", { canceled_at: new Date() }, { canceled_at: null }],
        ["svc_show_order", { left_out: "test_order" }, { left_out: null }],
        ["svc_attribution", { page: "left" }, { page }],
      ] as const) {
        await knex()(table).where({ order_id: second }).update(change)
        expect([change, await toLookAt()]).toEqual([change, 0])
        await knex()(table).where({ order_id: second }).update(back)
      }
      expect((await shop.report(row.id)).status).toBe(200)
      expect(await attributions(`order_id=${second}`)).toMatchObject([{ state: "reported" }])
      expect(await toLookAt()).toBe(0)
    })

    it("is one for two campaigns that have one number, and each has its own pieces", async () => {
      const [size] = shop.mugs.filter((variant) => variant.id !== shop.mug.id)
      if (!size) throw new Error("no second mug")
      const one = await aMugShow(79)
      const other = await runShow(shop.sandbox, shop.denmark, [{ variant: size, price: 99 }])
      const { cartId, orderNo } = await basket(one)
      await tap({ ...other, orderNo }, cartId, [{ variant: size, quantity: 2 }])
      const rows: Row[] = await settled(await shop.place(cartId))
      const of = (show: Show) => rows.find((row) => row.campaign_uid === show.campaignUid)
      expect([of(one), of(other)]).toMatchObject([
        { state: "duplicate", units: 1, gross: 79, reason: { code: "order_number_shared" } },
        { state: "reported", units: 2, gross: 198 },
      ])
      expect(await reports(orderNo)).toBe(1)
      expect(await toLookAt()).toBe(0)
      // Each is shown with its own lines alone.
      for (const { id, campaign_uid } of rows) {
        const { order } = await shop.get(`orders/${id}`)
        expect(order.lines).toMatchObject([{ campaign_uid }])
      }
    })

    it("is one for a campaign, although the shopper had two of its numbers", async () => {
      const [size] = shop.mugs.filter((variant) => variant.id !== shop.mug.id)
      if (!size) throw new Error("no second mug")
      const variants = [
        { external_id: shop.mug.id, price: 79 },
        { external_id: size.id, price: 99 },
      ]
      const show = await runShow(shop.sandbox, shop.denmark, [
        { variant: shop.mug, price: 79, extra: { variants } },
      ])
      const first = await basket(show)
      const orderNo = await newOrderNo(shop.sandbox, show.campaignUid)
      await tap({ ...show, orderNo }, first.cartId, [{ variant: size, quantity: 2 }])
      const orderId = await shop.place(first.cartId)
      expect(await settled(orderId)).toMatchObject([
        { svc_order_no: orderNo, state: "reported", units: 3, gross: 277, net: 277 },
      ])
      expect([await reports(first.orderNo), await reports(orderNo)]).toEqual([0, 1])
      await changes().cancel(orderId)
      expect(await campaign(show)).toMatchObject({ orders: 0, cancelled_orders: 1, net: 0 })
    })
  })
}
