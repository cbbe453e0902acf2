/** What no event told: lost events, outages, and orders that passed no guard. */
import { completeCartWorkflow } from "@medusajs/core-flows"
import reportOrders from "../../../src/jobs/report-orders"
import { readHealth } from "../../../src/workflows/connections"
import {
  KEPT_DAYS,
  sweepOrders,
  sweepOrdersNightly,
  wakeReports,
  workReports,
} from "../../../src/workflows/orders"
import {
  beginPayment,
  createCart,
  eventually,
  eventuallyIs,
  newOrderNo,
  type Show,
} from "../../setup/market"
import { whileRefusing } from "../../setup/while-refusing"
import type { OrdersShop } from "./shop"

const OUTAGE_ORDERS = Number(process.env.ORDERS_OUTAGE ?? 30)
/** Calls under way at a time. */
const BATCH = 10
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

export function describeHealing(shop: OrdersShop): void {
  const { api, getContainer, svc, changes, knex, tap, basket, buy, buyUnder, attributions } = shop
  const { settled, becomes, campaign, reports, aMugShow, mugShow, dropEvents } = shop
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS)

  describe("a ledger that cannot be made", () => {
    it("says what the database said, not by which statement, and is told where it stays", async () => {
      const show = mugShow()
      const { orderId } = await buy(show)
      await settled(orderId)
      const notBooked = async () => {
        const { problems } = await readHealth(getContainer())
        return problems.find(({ code }) => code === "orders_not_booked")?.params?.count ?? 0
      }
      await whileRefusing(
        knex(),
        "INSERT OR DELETE ON svc_ledger_entry",
        "no entry is taken today",
        async () => {
          await changes().cancel(orderId)
          await eventuallyIs(
            async () =>
              (await knex()("svc_show_order").where({ order_id: orderId }).first()).reason_code,
            "ledger_store_error",
          )
          const { order } = await shop.get(`orders/${orderId}`)
          expect(order.ledger_problem).toMatchObject({
            code: "ledger_store_error",
            params: { problem: "no entry is taken today" },
          })
          expect(await notBooked()).toBe(0)
          // It has gone on for a while.
          await knex()("svc_show_order").where({ order_id: orderId }).update({ attempts: 5 })
          expect(await notBooked()).toBe(1)
        },
      )
    })
  })

  describe("a report that the store's own database does not take", () => {
    it("is tried again by itself, and says that the store failed, not the service", async () => {
      const orderId = await whileRefusing(
        knex(),
        "INSERT ON svc_report_attempt",
        "the disk is full",
        async () => {
          const { orderId } = await buy(mugShow())
          expect(await settled(orderId)).toMatchObject([
            {
              state: "waiting",
              reason: {
                code: "report_store_error",
                message: expect.stringMatching(/the store's own database: the disk is full$/),
                params: { problem: "the disk is full" },
              },
            },
          ])
          return orderId
        },
      )
      expect(await becomes(orderId, "reported")).toMatchObject([{ reason: null }])
    })
  })

  describe("events that nobody heard", () => {
    it("are made up for by one pass of the sweep: orders, cancellations, payments", async () => {
      const show = mugShow()
      dropEvents()
      const bought = [await buy(show), await buy(show)]
      expect(await attributions(`campaign_uid=${show.campaignUid}`)).toEqual([])
      await sweepOrders(getContainer(), inMinutes(11))
      await workReports(getContainer())
      for (const { orderNo } of bought) expect(await reports(orderNo)).toBe(1)

      const [first] = bought
      await changes().cancel(first?.orderId ?? "")
      expect(await campaign(show)).toMatchObject({
        orders: 1,
        cancelled_orders: 1,
        conversion_rate: 0.5,
        gross: 79,
        refunded: 0,
        net: 79,
      })
    })

    it("are looked for since the last look each minute, and through a month each night", async () => {
      const show = mugShow()
      dropEvents()
      const { orderId } = await buy(show)
      await svc().work.cursors.moveTo("orders", inMinutes(60))
      expect(await sweepOrders(getContainer(), inMinutes(11))).toBe(0)
      expect(await attributions(`order_id=${orderId}`)).toEqual([])
      await sweepOrdersNightly(getContainer(), inMinutes(11))
      expect(await attributions(`order_id=${orderId}`)).toHaveLength(1)
    })

    it("do not count a show's carts for two currencies", async () => {
      const show = mugShow()
      await settled((await buy(show)).orderId)
      const other = await createCart(api, shop.denmark)
      await tap(show, other, [{ variant: shop.mug, quantity: 1 }])
      await knex()("cart").where({ id: other }).update({ currency_code: "eur" })
      await campaign(show)
      const { campaigns } = await shop.get(`campaigns?campaign_uid=${show.campaignUid}`)
      expect(
        campaigns.map((row: { currency_code: string; carts: number; orders: number }) => [
          row.currency_code,
          row.carts,
          row.orders,
        ]),
      ).toEqual(
        expect.arrayContaining([
          ["dkk", 1, 1],
          ["eur", 1, 0],
        ]),
      )
    })
  })

  describe("an outage of the service", () => {
    it("of an hour of 404 and two days of 503 costs no order its report, and nobody a click", async () => {
      const show = mugShow()
      const bought: { orderId: string; orderNo: string }[] = []
      /** Its report was tried once. */
      const isBought = async () => {
        const one = await buy(show)
        await settled(one.orderId)
        bought.push(one)
      }
      /** As if the hours had gone by: our waits run on the database's clock. */
      const goBy = async (hours: number) => {
        const earlier = (column: string) =>
          knex().raw("?? - ? * interval '1 hour'", [column, hours])
        await knex()("svc_attribution").update({
          placed_at: earlier("placed_at"),
          next_attempt_at: earlier("next_attempt_at"),
          // However often it was tried in them.
          attempts: knex().raw("attempts + 100"),
        })
        await knex()("svc_hold").update({ until: earlier("until") })
        await reportOrders(getContainer())
        await workReports(getContainer())
      }
      const lasts = async (status: number, steps: number, hours: number) => {
        await shop.sandbox.endFaults()
        await shop.fault({ kind: "status", status })
        await isBought()
        for (let step = 0; step < steps; step++) await goBy(hours)
        const { faults } = await shop.sandbox.control<{
          faults: { rules: { applied: number }[] }[]
        }>("/faults")
        expect(faults[0]?.rules[0]?.applied).toBeGreaterThan(1)
        for (const { orderId } of bought) {
          expect(await attributions(`order_id=${orderId}`)).toMatchObject([{ state: "waiting" }])
        }
      }
      await lasts(404, 2, 1 / 2)
      await lasts(503, 3, 16)
      await shop.sandbox.endFaults()
      // One of them is tried first, and the others follow as soon as it is taken.
      await goBy(1)
      for (const { orderId, orderNo } of bought) {
        expect(await attributions(`order_id=${orderId}`)).toMatchObject([{ state: "reported" }])
        expect(await reports(orderNo)).toBe(1)
      }
    })

    it("is none where one number is not known: that report ends, and holds no other up", async () => {
      const unknown = await buyUnder(mugShow(), "SVC-OLD 1")
      const { connectionId } = shop.denmark
      const [tried] = await settled(unknown)
      expect(tried).toMatchObject({ state: "waiting", reason: { code: "svc_endpoint_closed" } })
      await knex()("svc_hold").update({ until: knex().raw("now()") })
      const tryAgain = () =>
        knex()("svc_attribution").where({ id: tried.id }).update({ next_attempt_at: new Date() })
      for (const times of [2, 3]) {
        // Another one is tried once the hold is over, and is taken; from then on nothing is held.
        const { orderId } = await buy(mugShow())
        expect(await becomes(orderId, "reported")).toMatchObject([{ state: "reported" }])
        await tryAgain()
        // Once may be a service whose processes are being replaced.
        const state = times === 2 ? "waiting" : "failed"
        expect(await settled(unknown)).toMatchObject([{ state, attempts: times }])
      }
      expect(await attributions(`order_id=${unknown}`)).toMatchObject([
        {
          reason: {
            code: "svc_rejected",
            message: 'The service refused it: There is no order number "SVC-OLD 1".',
          },
        },
      ])
      const { problems } = await readHealth(getContainer())
      expect(problems.map(({ code }) => code)).not.toContain("svc_endpoint_closed")
      expect(await svc().connections.holds.of("orders", [connectionId])).toEqual(new Map())
    })

    /** Orders of an hour, as they are when all of them have been tried and the breaker is open. @returns their numbers */
    const ordersOfAnHour = async (show: Show, count: number): Promise<string[]> => {
      const { orderId } = await buy(show)
      await settled(orderId)
      const [template] = await knex()("svc_attribution").where({ order_id: orderId })
      const numbers: string[] = []
      for (let n = 0; n < count; n++) {
        numbers.push(await newOrderNo(shop.sandbox, show.campaignUid))
      }
      await knex().raw(
        `INSERT INTO "order" (id, region_id, sales_channel_id, email, currency_code, version, status)
         SELECT 'order_outage_' || n, region_id, sales_channel_id, email, currency_code, 1, status
         FROM "order", generate_series(1, ?) n WHERE id = ?`,
        [count, orderId],
      )
      await knex().batchInsert(
        "svc_attribution",
        numbers.map((svc_order_no, n) => ({
          id: `svcatt_outage_${n}`,
          order_id: `order_outage_${n + 1}`,
          connection_id: template.connection_id,
          page: template.page,
          campaign_uid: template.campaign_uid,
          svc_order_no,
          currency_code: "dkk",
          placed_at: new Date(),
        })),
        500,
      )
      return numbers
    }

    it("has no report begin that waits for a connection until its time is over", async () => {
      await ordersOfAnHour(await aMugShow(), OUTAGE_ORDERS)
      const hung = { on: "process_orders", kind: "hang", delay_ms: 8_000 }
      await shop.sandbox.control("/faults", hung)
      const work = workReports(getContainer())
      const claimed = () => knex()("svc_attribution").whereNotNull("lease_token").pluck("id")
      const { length } = await eventually(claimed, (ids) => ids.length > 0)
      // While none of them is answered, each of them is there.
      await eventually(
        async () =>
          (await shop.sandbox.control<{ faults: { rules: { applied: number }[] }[] }>("/faults"))
            .faults[0]?.rules[0]?.applied,
        (there) => there === length,
        7_000,
      )
      await shop.sandbox.endFaults()
      await work
    })

    it(`is followed by all ${OUTAGE_ORDERS} reports, each once, in bounded batches and one alarm after the other`, async () => {
      // Of its own: what was told of it is counted at the service.
      const show = await aMugShow()
      const numbers = await ordersOfAnHour(show, OUTAGE_ORDERS)
      await shop.fault({ kind: "status", status: 503 })
      await workReports(getContainer())
      const tried = await knex()("svc_report_attempt")
        .where({ status: 503 })
        .count({ n: "*" })
        .first()
      // The hold keeps the rest back: an outage is not made worse.
      expect(Number(tried?.n)).toBeGreaterThan(0)
      expect(Number(tried?.n)).toBeLessThanOrEqual(2 * BATCH)

      await shop.sandbox.endFaults()
      await knex()("svc_hold").delete()
      await knex()("svc_attribution").where({ state: "waiting" }).update({ next_attempt_at: null })
      // Woken once: a pass that ends before all are told sets its own alarm for the rest.
      wakeReports(getContainer())
      await eventually(
        async () => knex()("svc_attribution").where({ state: "waiting" }).count({ n: "*" }).first(),
        (left) => Number(left?.n) === 0,
      )
      const { orders } = await shop.sandbox.control<{
        orders: { order_no: string; reports: number; converted_at: number | null }[]
      }>(`/orders?campaign_uid=${show.campaignUid}`)
      const told = new Map(
        orders.filter((order) => order.converted_at !== null).map((row) => [row.order_no, row]),
      )
      expect(numbers.map((number) => told.get(number)?.reports)).toEqual(numbers.map(() => 1))
    })
  })

  describe("an order that a payment provider's webhook places", () => {
    it("shows what was charged beside the proof of its price", async () => {
      const show = mugShow()
      const { cartId } = await basket(show)
      expect((await beginPayment(api, shop.denmark, cartId)).status).toBe(200)
      await knex()("svc_line_price")
        .where({ cart_id: cartId })
        .update({ amount: 99, raw_amount: JSON.stringify({ value: "99", precision: 20 }) })
      // Minutes later the provider says that it was paid. Its webhook runs core's workflow, not the guarded route.
      const { result } = await completeCartWorkflow(getContainer()).run({ input: { id: cartId } })
      const [row] = await settled(result.id)
      const { order } = await shop.get(`orders/${row.id}`)
      expect(order.lines).toMatchObject([{ unit_price: 79, proof: { price: 99 } }])
    })
  })

  describe("what a cart met", () => {
    it("is forgotten after a time where nothing was ordered, and kept with the order", async () => {
      const show = mugShow()
      const { cartId: left } = await basket(show)
      const { cartId: ordered, orderId } = await buy(show)
      await settled(orderId)
      const days = KEPT_DAYS.carts
      const later = new Date(Date.now() + (days - 1) * DAY_MS)
      const rows = async (cart_id: string) => {
        const counts = await Promise.all(
          ["svc_cart_order_number", "svc_line_price"].map((table) =>
            knex()(table).where({ cart_id }).count({ n: "*" }).first(),
          ),
        )
        return counts.map((count) => Number(count?.n))
      }
      await campaign(show)
      await sweepOrdersNightly(getContainer(), later)
      expect([await rows(left), await rows(ordered)]).toEqual([
        [1, 1],
        [1, 1],
      ])
      await sweepOrdersNightly(getContainer(), new Date(later.getTime() + 2 * DAY_MS))
      expect([await rows(left), await rows(ordered)]).toEqual([
        [0, 0],
        [1, 1],
      ])
      // Conversion still divides by both.
      expect(await campaign(show)).toMatchObject({ carts: 2, orders: 1, conversion_rate: 0.5 })
    })
  })
}
