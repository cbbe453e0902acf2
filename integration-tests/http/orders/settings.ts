/** When an order is reported, which orders are left out, and what the service and the merchant's own code are told. */
import { Modules } from "@medusajs/framework/utils"
import {
  sweepOrders,
  sweepOrdersNightly,
  workLedger,
  workReports,
} from "../../../src/workflows/orders"
import { gate } from "../../setup/gate"
import { untilWaiting } from "../../setup/locks"
import { eventually } from "../../setup/market"
import { whileRefusing } from "../../setup/while-refusing"
import type { OrdersShop } from "./shop"

export function describeSettings(shop: OrdersShop): void {
  const { api, getContainer, svc, changes, knex, basket, buy, attributions } = shop
  const { settled, becomes, campaign, reports, mugShow, dropEvents } = shop

  const set = (changes: Record<string, unknown>) =>
    shop.change({
      report_settings: { report_on: "order_placed", needs_consent: false, ...changes },
    })
  const detail = async (id: string) => (await shop.get(`orders/${id}`)).order
  /** What the service was told about a number, call by call. */
  const told = async (orderNo: string): Promise<Record<string, unknown>[]> => {
    const q = `endpoint:process_orders ${orderNo}`
    const { entries } = await shop.sandbox.client.journal.find({ q })
    return entries.map(({ request }) => JSON.parse(request.body))
  }

  describe("a connection's settings of reports", () => {
    // gap 50
    it("hold an order back until the shopper agrees, on the cart or later", async () => {
      await set({ needs_consent: true })
      const show = mugShow()
      const agreed = await basket(show)
      await api.post(
        `/store/carts/${agreed.cartId}`,
        { metadata: { svc_consent: true } },
        shop.denmark.store,
      )
      expect(await settled(await shop.place(agreed.cartId))).toMatchObject([{ state: "reported" }])

      const { orderId, orderNo } = await buy(show)
      expect(await settled(orderId)).toMatchObject([
        { state: "waiting", reason: { code: "consent_missing" } },
      ])
      await shop.setMetadata(orderId, { svc_consent: true })
      await becomes(orderId, "reported")
      expect(await reports(orderNo)).toBe(1)
    })

    it("report an order whose authorised payment an edit cancelled while it waited", async () => {
      await set({ needs_consent: true })
      const { orderId, orderNo } = await buy(mugShow())
      expect(await settled(orderId)).toMatchObject([{ reason: { code: "consent_missing" } }])
      const [line] = (await changes().order(orderId)).items
      await changes().edit(orderId, line?.id ?? "", { quantity: 2 })
      const payments = await knex()("payment")
        .join(
          "order_payment_collection AS paid",
          "paid.payment_collection_id",
          "payment.payment_collection_id",
        )
        .where({ "paid.order_id": orderId })
        .pluck("payment.canceled_at")
      expect(payments).toEqual([expect.any(Date)])
      await shop.setMetadata(orderId, { svc_consent: true })
      const [row] = await eventually(
        () => settled(orderId),
        ([row]) => row.reason?.code !== "consent_missing",
      )
      expect(row).toMatchObject({ state: "reported", unpaid: false })
      expect(await reports(orderNo)).toBe(1)
    })

    it("report an order whose consent comes while a worker looks at it", async () => {
      await set({ needs_consent: true })
      const { attributions, placedOrders } = svc().orders
      const read = placedOrders.read.bind(placedOrders)
      let hasAgreed = false
      const reading = jest.spyOn(placedOrders, "read").mockImplementation(async (ids) => {
        const found = await read(ids)
        const [leased] = await knex()("svc_attribution")
          .whereIn("order_id", ids)
          .whereNotNull("lease_token")
        if (!leased || hasAgreed) return found
        hasAgreed = true
        await shop.setMetadata(leased.order_id, { svc_consent: true })
        // Its event may be later, and is by then.
        await attributions.wakeOrders(ids)
        return found
      })
      const { orderId, orderNo } = await buy(mugShow())
      await becomes(orderId, "reported").finally(() => reading.mockRestore())
      expect([hasAgreed, await reports(orderNo)]).toEqual([true, 1])
    })

    it("hold back an order whose shopper said yes on the cart, and no since", async () => {
      await set({ needs_consent: true, report_on: "payment_captured" })
      const { cartId, orderNo } = await basket(mugShow())
      const yes = { metadata: { svc_consent: true } }
      await api.post(`/store/carts/${cartId}`, yes, shop.denmark.store)
      const orderId = await shop.place(cartId)
      expect(await settled(orderId)).toMatchObject([{ reason: { code: "payment_not_captured" } }])
      await shop.setMetadata(orderId, { svc_consent: false })
      await changes().capture(orderId)
      expect(
        await eventually(
          () => settled(orderId),
          ([row]) => row.reason?.code !== "payment_not_captured",
        ),
      ).toMatchObject([{ state: "waiting", reason: { code: "consent_missing" } }])
      expect(await reports(orderNo)).toBe(0)
    })

    it("leave out the addresses of staff, from reports and from results, until a person says otherwise, also where their report is refused first", async () => {
      svc().options.excludeEmails = ["*@example.test"]
      const show = mugShow()
      const { orderId, orderNo } = await buy(show)
      const [row] = await settled(orderId)
      expect(row).toMatchObject({
        state: "excluded",
        reason: { code: "email_excluded", params: { pattern: "*@example.test" } },
      })
      expect(await reports(orderNo)).toBe(0)
      expect(await campaign(show)).toMatchObject({ orders: 0, net: 0 })
      await shop.fault({ kind: "status", status: 422 })
      await shop.report(row.id)
      expect(await settled(orderId)).toMatchObject([{ state: "failed" }])
      await shop.sandbox.endFaults()
      await shop.ask("orders/report", { filters: { order_id: orderId } })
      expect(await settled(orderId)).toMatchObject([{ state: "reported" }])
      expect(await reports(orderNo)).toBe(1)
      expect(await campaign(show)).toMatchObject({ orders: 1, net: 79 })
    })

    it("remember that a person counts an order of staff while its ledger cannot be made", async () => {
      svc().options.excludeEmails = ["*@example.test"]
      const show = mugShow()
      let row: { id: string; state: string } | undefined
      await whileRefusing(
        knex(),
        "INSERT ON svc_ledger_entry",
        "no entry is taken today",
        async () => {
          const { orderId } = await buy(show)
          ;[row] = await settled(orderId)
          expect(row).toMatchObject({ state: "excluded", reason: { code: "email_excluded" } })
          await shop.report(row?.id ?? "")
          await workLedger(getContainer())
        },
      )
      await knex()("svc_show_order").update({ next_attempt_at: null })
      expect(await campaign(show)).toMatchObject({ orders: 1, net: 79 })
    })

    /** A person's report stands still once its row is due, and before it claims it, until it is let go. */
    const beforeTheirClaim = () => {
      const { attributions } = svc().orders
      const claim = attributions.claim.bind(attributions)
      const standstill = gate()
      jest.spyOn(attributions, "claim").mockImplementation(async (of, limit) => {
        if ("id" in of) await standstill.opened
        return claim(of, limit)
      })
      return standstill.open
    }

    it("let a person report and count an order at once: whoever is killed between has done neither", async () => {
      svc().options.excludeEmails = ["*@example.test"]
      const { orderId } = await buy(mugShow())
      const [row] = await settled(orderId)
      // The person's report stands still where the order is to be counted.
      const order = await knex().transaction()
      await order("svc_show_order").where({ order_id: orderId }).forUpdate().first()
      const report = shop.report(row.id)
      await untilWaiting(knex(), 1, { like: 'update "svc_show_order" set "admitted"%' })
      await workReports(getContainer())
      expect(await attributions(`order_id=${orderId}`)).toMatchObject([{ state: "excluded" }])
      await order.commit()
      expect((await report).data).toMatchObject({ order: { state: "reported" } })
    })

    it("let a person report what a worker finds at that moment, and hear what came of it", async () => {
      svc().options.excludeEmails = ["*@example.test"]
      const { orderId, orderNo } = await buy(mugShow())
      const [row] = await settled(orderId)
      await shop.sandbox.control("/faults", {
        on: "process_orders",
        kind: "delay",
        // The lease is looked for meanwhile.
        delay_ms: 1_000,
      })
      const letGo = beforeTheirClaim()
      const report = shop.report(row.id)
      const theirs = () => knex()("svc_attribution").where({ order_id: orderId }).first()
      await eventually(theirs, ({ state }) => state === "waiting")
      const work = workReports(getContainer())
      await eventually(theirs, ({ lease_token }) => lease_token !== null)
      letGo()
      expect((await report).data).toMatchObject({ order: { state: "reported" } })
      await work
      expect(await reports(orderNo)).toBe(1)
    })

    it("let two people report at once, at a service that takes the number from one of them alone", async () => {
      svc().options.excludeEmails = ["*@example.test"]
      const { orderId } = await buy(mugShow())
      const [row] = await settled(orderId)
      await shop.sandbox.control("/profiles", { process_orders: "conflict" })
      // Each has looked what was told before, and neither has told yet.
      const calls = await knex().transaction()
      await calls.raw("LOCK TABLE svc_report_attempt IN SHARE MODE")
      const reported: Promise<{ data: unknown }>[] = []
      for (const people of [1, 2]) {
        reported.push(shop.report(row.id))
        await untilWaiting(knex(), people, { like: "%svc_report_attempt%" })
      }
      await calls.commit()
      for (const { data } of await Promise.all(reported)) {
        expect(data).toMatchObject({ order: { state: "reported" } })
      }
      expect(await attributions(`order_id=${orderId}`)).toMatchObject([{ state: "reported" }])
    })

    it("say nothing of an older failure to whoever waits for a report", async () => {
      svc().options.excludeEmails = ["*@example.test"]
      const { orderId } = await buy(mugShow())
      const [row] = await settled(orderId)
      const letGo = beforeTheirClaim()
      const report = shop.report(row.id)
      const theirs = () => knex()("svc_attribution").where({ order_id: orderId })
      const made = await eventually(
        () => theirs().first(),
        // A worker may be through with it by now.
        ({ state }) => state !== "excluded",
      )
      expect(made.reason_code).toBeNull()
      // Somebody is just writing to the row: a claim passes it over.
      const other = await knex().transaction()
      await other("svc_attribution").where({ order_id: orderId }).forUpdate().first()
      letGo()
      await new Promise((resolve) => setTimeout(resolve, 500))
      await other.commit()
      expect((await report).data).toMatchObject({ order: { state: "reported" } })
    })
  })

  describe("an order that is no sale", () => {
    it("is one that a merchant marked as a test, and not one whose cart anybody marked", async () => {
      const show = mugShow()
      const { cartId, orderNo } = await basket(show)
      await api.post(`/store/carts/${cartId}`, { metadata: { svc_test: true } }, shop.denmark.store)
      expect(await settled(await shop.place(cartId))).toMatchObject([{ state: "reported" }])
      expect(await reports(orderNo)).toBe(1)
      expect(await campaign(show)).toMatchObject({ orders: 1, net: 79 })

      const marked = await buy(show)
      await settled(marked.orderId)
      await shop.setMetadata(marked.orderId, { svc_test: true })
      await eventually(
        () => attributions(`order_id=${marked.orderId}`),
        ([row]) => row.left_out === "test_order",
      )
      expect(await campaign(show)).toMatchObject({ orders: 1, net: 79 })
    })

    it("is one that a merchant marked as a test before it was written down", async () => {
      dropEvents()
      const { orderId, orderNo } = await buy(mugShow())
      await shop.setMetadata(orderId, { svc_test: true })
      await knex()("order").update({
        created_at: knex().raw("created_at - interval '11 minutes'"),
      })
      await sweepOrders(getContainer())
      expect(await settled(orderId)).toMatchObject([
        { state: "excluded", reason: { code: "test_order" }, left_out: "test_order" },
      ])
      expect(await reports(orderNo)).toBe(0)
    })
  })

  describe("what the service is told of an order", () => {
    it("is its number and nothing else, unless the store's own code adds to it", async () => {
      const show = mugShow()
      const plain = await buy(show)
      await settled(plain.orderId)
      expect(await told(plain.orderNo)).toEqual([{ svcOrderNumber: plain.orderNo }])

      svc().options.reportFields = ({ units, gross, currency_code }) => ({
        pieces: units,
        value: gross,
        currency: currency_code,
      })
      const { orderId, orderNo } = await buy(show, 2)
      await settled(orderId)
      expect(await told(orderNo)).toEqual([
        { svcOrderNumber: orderNo, pieces: 2, value: 158, currency: "dkk" },
      ])
    })

    it("waits where that code fails, and says why; the next one is reported", async () => {
      svc().options.reportFields = () => {
        throw new Error("no such warehouse")
      }
      const { orderId } = await buy(mugShow())
      const [row] = await settled(orderId)
      expect(row).toMatchObject({ state: "waiting", reason: { code: "report_fields_failed" } })
      expect(row.reason.message).toContain("no such warehouse")
      delete svc().options.reportFields
      expect(await settled((await buy(mugShow())).orderId)).toMatchObject([{ state: "reported" }])
    })
  })

  describe("what a merchant learns", () => {
    it("is every call, with the answer's status and words", async () => {
      await shop.fault({ kind: "status", status: 503, body: "the till is closed", times: 1 })
      const { orderId } = await buy(mugShow())
      await settled(orderId)
      await knex()("svc_attribution").update({ next_attempt_at: null })
      const [row] = await becomes(orderId, "reported")
      expect((await detail(row.id)).report_attempts).toMatchObject([
        { outcome: "accepted", status: null, finished_at: expect.any(String) },
        {
          outcome: "refused",
          status: 503,
          code: "svc_unavailable",
          excerpt: "the till is closed",
        },
      ])
      expect((await detail(row.id)).lines).toMatchObject([
        { svc_order_no: row.svc_order_no, unit_price: 79, quantity: 1, proof: { price: 79 } },
      ])
    })

    it("is told to code of theirs: reported, failed, excluded", async () => {
      const heard: [string, string, string | null][] = []
      const bus = getContainer().resolve(Modules.EVENT_BUS)
      for (const name of ["reported", "failed", "excluded"]) {
        bus.subscribe(`svc.order.${name}`, async ({ data }) => {
          const { order_id, code } = data as { order_id: string; code: string | null }
          heard.push([name, order_id, code])
        })
      }
      const show = mugShow()
      const good = await buy(show)
      await settled(good.orderId)
      await shop.fault({ kind: "status", status: 422 })
      const bad = await buy(show)
      await becomes(bad.orderId, "failed")
      svc().options.excludeEmails = ["karen@*"]
      const left = await buy(show)
      await becomes(left.orderId, "excluded")
      const all = await eventually(
        async () => [...heard],
        (seen) => seen.length >= 3,
      )
      expect(all).toEqual([
        ["reported", good.orderId, null],
        ["failed", bad.orderId, "svc_rejected"],
        ["excluded", left.orderId, "email_excluded"],
      ])
    })

    it("holds up no report and no sweep while the bus is away, and is told when it is back", async () => {
      const bus = getContainer().resolve(Modules.EVENT_BUS)
      const emit = bus.emit.bind(bus)
      const heard: string[] = []
      const back = gate()
      jest.spyOn(bus, "emit").mockImplementation(async (events, options) => {
        const [first] = Array.isArray(events) ? events : [events]
        if (!first?.name.startsWith("svc.order.")) return emit(events as never, options)
        heard.push(first.name)
        await back.opened
      })
      try {
        for (let order = 0; order < 2; order += 1) {
          const { orderId } = await buy(mugShow())
          await becomes(orderId, "reported")
        }
        const announced = () => knex()("svc_attribution").whereNotNull("announce")
        await announced().update({ updated_at: new Date(Date.now() - 120_000) })
        for (let minute = 0; minute < 3; minute += 1) await sweepOrders(getContainer())
        // Each by its report, and both by the first sweep.
        await eventually(
          async () => heard.length,
          (times) => times === 3,
        )
        back.open()
        await eventually(announced, ({ length }) => length === 0)
        expect(heard).toHaveLength(3)
      } finally {
        back.open()
      }
    })
  })

  describe("a customer who is deleted", () => {
    /** An order that the service refuses with the customer's address in its answer. */
    const refusedByName = async (status = 422, state = "failed") => {
      await shop.sandbox.control("/faults", {
        on: "process_orders",
        kind: "status",
        status,
        body: JSON.stringify({ message: "karen@example.test is unknown" }),
      })
      const { orderId } = await buy(mugShow())
      const [row] = await becomes(orderId, state)
      // Tried again meanwhile, it would be answered with the name again.
      if (state === "waiting") await shop.putOff(orderId)
      const order = await knex()("order").where({ id: orderId }).first("customer_id")
      return { row, customer: order.customer_id as string }
    }

    it.each([
      ["failed", 422],
      ["waiting", 500],
    ])(
      "leaves no word of what the service answered about their orders: %s",
      async (state, status) => {
        const { row, customer } = await refusedByName(status, state)
        expect(JSON.stringify(await detail(row.id))).toContain("karen@example.test")
        await api.delete(`/admin/customers/${customer}`, shop.denmark.admin)
        await eventually(
          () => detail(row.id),
          (order) => !JSON.stringify(order).includes("karen"),
        )
        const { rows } = await knex().raw(
          `SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'svc\\_%'`,
        )
        for (const { table_name } of rows) {
          const found = await knex().raw(
            `SELECT count(*)::int AS n FROM ${table_name} row WHERE row::text ILIKE '%karen%'`,
          )
          expect([table_name, found.rows[0].n]).toEqual([table_name, 0])
        }
        await workReports(getContainer())
      },
    )

    it("leaves none either where nobody heard of it, nor of a report that was made since, nor of an order that was deleted", async () => {
      const { row, customer } = await refusedByName()
      const deleted = await refusedByName()
      dropEvents()
      await knex()("order")
        .where({ id: deleted.row.order_id })
        .update({ deleted_at: knex().fn.now() })
      for (const id of new Set([customer, deleted.customer])) {
        await api.delete(`/admin/customers/${id}`, shop.denmark.admin)
      }
      for (const { id } of [row, deleted.row]) {
        expect(JSON.stringify(await detail(id))).toContain("karen")
      }
      await sweepOrdersNightly(getContainer())
      for (const { id } of [row, deleted.row]) {
        expect(JSON.stringify(await detail(id))).not.toContain("karen")
      }

      await shop.report(row.id)
      await sweepOrdersNightly(getContainer())
      const erased = await detail(row.id)
      expect([erased.state, erased.report_attempts.length]).toEqual(["failed", 2])
      expect(JSON.stringify(erased)).not.toContain("karen")
    })
  })
}
