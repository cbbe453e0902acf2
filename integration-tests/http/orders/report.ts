/** What becomes of a report that the service refuses, or that is not to be made. */
import { Modules } from "@medusajs/framework/utils"
import { attributeOrderWorkflow, workReports } from "../../../src/workflows/orders"
import {
  completeCart,
  createCart,
  eventually,
  newOrderNo,
  runShow,
  type Show,
} from "../../setup/market"
import type { OrdersShop } from "./shop"

type Row = { campaign_uid: string; state: string; units: number; gross: number; reason: unknown }

export function describeReport(shop: OrdersShop): void {
  const { api, getContainer, changes, knex, tap, basket, buy, attributions } = shop
  const { settled, campaign, reports, aMugShow, dropEvents } = shop

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

    it("says of a repeat whether the service took it, and what was reported stays so", async () => {
      const { orderId, orderNo } = await buy(await aMugShow())
      const [row] = await settled(orderId)
      const again = async () => {
        const { data } = await api.post(
          `/admin/svc/orders/${row.id}/report`,
          {},
          shop.denmark.admin,
        )
        return [data.accepted, data.order.state, data.order.reason]
      }
      expect(await again()).toEqual([true, "reported", null])
      await shop.sandbox.control("/faults", { on: "process_orders", kind: "status", status: 503 })
      expect(await again()).toEqual([false, "reported", null])
      await shop.sandbox.control("/faults", undefined, "DELETE")
      // Without a token the service is not asked at all, and it would take the report.
      const before = await reports(orderNo)
      const connection = () => knex()("svc_connection").where({ id: shop.denmark.connectionId })
      const [withToken] = await connection().select("api_token", "api_token_fingerprint", "status")
      await connection().update({ api_token: null, api_token_fingerprint: null })
      expect(await again()).toEqual([false, "reported", null])
      expect(await reports(orderNo)).toBe(before)
      await connection().update({
        ...withToken,
        breaker_failures: 0,
        breaker_open_until: null,
      })
      expect(await again()).toEqual([true, "reported", null])
      expect(await reports(orderNo)).toBe(before + 1)
      // It says that it has the number already.
      await shop.sandbox.control("/profiles", { process_orders: "conflict" })
      expect(await again()).toEqual([true, "reported", null])
    })

    describe("of an order whose number another order had first", () => {
      const buyUnder = async (show: Show, orderNo: string) => {
        const cartId = await createCart(api, shop.denmark)
        await tap({ ...show, orderNo }, cartId, [{ variant: shop.mug, quantity: 1 }])
        const { data } = await completeCart(api, shop.denmark, cartId, "dk")
        return data.order?.id ?? ""
      }
      const comeToNothing = {
        cancelled: (orderId: string) => changes().cancel(orderId),
        deleted: (orderId: string) => getContainer().resolve(Modules.ORDER).deleteOrders([orderId]),
      }
      const twoUnderOneNumber = async () => {
        const show = await aMugShow()
        dropEvents()
        const { orderId: first, orderNo } = await buy(show)
        await attributeOrderWorkflow(getContainer()).run({ input: first })
        const second = await buyUnder(show, orderNo)
        await attributeOrderWorkflow(getContainer()).run({ input: second })
        const [row] = await attributions(`order_id=${second}`)
        expect(row.state).toBe("duplicate")
        return { first, second, orderNo, row }
      }

      it.each(["cancelled", "deleted"] as const)(
        "is made where that one was %s before it was told",
        async (how) => {
          const { first, second, orderNo } = await twoUnderOneNumber()
          await comeToNothing[how](first)
          await workReports(getContainer())
          expect(await attributions(`order_id=${first}`)).toMatchObject([{ state: "excluded" }])
          expect(await attributions(`order_id=${second}`)).toMatchObject([
            { state: "reported", reason: null },
          ])
          expect(await reports(orderNo)).toBe(1)
        },
      )

      it("is made by hand where nobody has the number any more, and refused while somebody has", async () => {
        const { first, second, row } = await twoUnderOneNumber()
        const again = () =>
          api.post(
            `/admin/svc/orders/${row.id}/report`,
            {},
            {
              ...shop.denmark.admin,
              validateStatus: () => true,
            },
          )
        const refused = await again()
        expect([refused.status, refused.data.code]).toEqual([409, "order_number_used"])
        await knex()("svc_attribution").where({ order_id: first }).update({ state: "excluded" })
        expect((await again()).status).toBe(200)
        expect(await attributions(`order_id=${second}`)).toMatchObject([{ state: "reported" }])
      })
    })

    it("is one for two campaigns that have one number, and each has its own pieces", async () => {
      const [size] = shop.mugs.filter((variant) => variant.id !== shop.mug.id)
      if (!size) throw new Error("no second mug")
      const one = await aMugShow(79)
      const other = await runShow(shop.sandbox, shop.denmark, [{ variant: size, price: 99 }])
      const { cartId, orderNo } = await basket(one)
      await tap({ ...other, orderNo }, cartId, [{ variant: size, quantity: 2 }])
      const { data } = await completeCart(api, shop.denmark, cartId, "dk")
      const rows: Row[] = await settled(data.order?.id ?? "")
      const of = (show: Show) => rows.find((row) => row.campaign_uid === show.campaignUid)
      expect([of(one), of(other)]).toMatchObject([
        { state: "duplicate", units: 1, gross: 79, reason: { code: "order_number_shared" } },
        { state: "reported", units: 2, gross: 198 },
      ])
      expect(await reports(orderNo)).toBe(1)
    })

    it("is one for each number of a campaign, and each says what it earned itself", async () => {
      const [size] = shop.mugs.filter((variant) => variant.id !== shop.mug.id)
      if (!size) throw new Error("no second mug")
      const variants = [
        { external_id: shop.mug.id, price: 79 },
        { external_id: size.id, price: 99 },
      ]
      const show = await runShow(shop.sandbox, shop.denmark, [
        { variant: shop.mug, price: 79, extra: { variants } },
      ])
      const { cartId } = await basket(show)
      const orderNo = await newOrderNo(shop.sandbox, show.campaignUid)
      await tap({ ...show, orderNo }, cartId, [{ variant: size, quantity: 2 }])
      const { data } = await completeCart(api, shop.denmark, cartId, "dk")
      const orderId = data.order?.id ?? ""
      await settled(orderId)
      await campaign(show)
      const amounts = async () => {
        const rows: { gross: number; net: number }[] = await settled(orderId)
        return rows.map(({ gross, net }) => [gross, net]).sort(([one = 0], [two = 0]) => one - two)
      }
      expect(await amounts()).toEqual([
        [79, 79],
        [198, 198],
      ])
      await changes().cancel(orderId)
      await campaign(show)
      expect(await amounts()).toEqual([
        [79, 0],
        [198, 0],
      ])
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
