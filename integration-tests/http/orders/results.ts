/** Results as SQL gives them, their files, and the ledger that anybody can check them by. */
import { rebuildLedger, workLedger } from "../../../src/workflows/orders"
import type { Show } from "../../setup/market"
import { planOf, statementsOf } from "../../setup/read-whole"
import type { OrdersShop } from "./shop"

export function describeResults(shop: OrdersShop): void {
  const {
    api,
    get,
    ask,
    getContainer,
    preparedOnce,
    svc,
    changes,
    knex,
    background,
    tap,
    basket,
    buy,
    settled,
    campaign,
    aMugShow,
  } = shop
  const csv = async (path: string): Promise<string[]> => {
    const { data, headers } = await api.get(`/admin/svc/${path}`, {
      headers: { ...shop.denmark.admin.headers, accept: "text/csv" },
      responseType: "text",
    })
    expect(headers["content-type"]).toContain("text/csv")
    return String(data).replace("\uFEFF", "").trim().split("\r\n")
  }
  /** All of it at one time: an hour, or a day, may end while a test runs. */
  const allAtNoon = async (): Promise<Date> => {
    const noon = new Date()
    noon.setUTCHours(12, 0, 0, 0)
    await knex()("svc_ledger_entry").update({ occurred_at: noon })
    await knex()("svc_cart_order_number").update({ created_at: noon })
    return noon
  }
  type Row = {
    orders: number
    cancelled_orders: number
    carts: number | null
    conversion_rate: number | null
  }
  /** Two orders, of which one lost a piece. */
  let sold: { show: Show; one: Awaited<ReturnType<typeof buy>>; line: string }
  const sellTwice = async () => {
    const show = await aMugShow()
    const [one, other] = [await buy(show, 2), await buy(show)]
    for (const { orderId } of [one, other]) await settled(orderId)
    const line = (await changes().order(one.orderId)).items[0]?.id ?? ""
    await changes().fulfil(one.orderId, [{ id: line, quantity: 2 }])
    await changes().sendBack(one.orderId, [{ id: line, quantity: 1 }])
    await campaign(show)
    sold = { show, one, line }
  }

  describe("of two orders of a show", () => {
    beforeEach(preparedOnce(sellTwice))

    describe("results", () => {
      // gap 51
      it("say what is gross, what came back, and what is left with and without tax", async () => {
        const { show } = sold
        const { results } = await get(`results?campaign_uid=${show.campaignUid}`)
        expect(results).toMatchObject([
          {
            campaign_uid: show.campaignUid,
            orders: 2,
            cancelled_orders: 0,
            units: 3,
            gross: 237,
            discounts: 0,
            refunded: 79,
            net: 158,
            tax: 31.6,
            net_without_tax: 126.4,
            carts: 2,
            conversion_rate: 1,
          },
        ])
      })

      it("of one show are found without reading those of all others", async () => {
        await knex().raw(
          `INSERT INTO svc_ledger_entry (id, order_id, source, kind, connection_id, campaign_uid, currency_code, occurred_at,
           quantity, raw_quantity, amount, raw_amount, tax, raw_tax, discount, raw_discount)
         SELECT 'svcled_' || show || '_' || part, 'order_' || show || '_' || part, 'v1', 'sale', 'svccon_results',
           'campaign_' || show, 'dkk', now(), 1, '{}', 1, '{}', 0, '{}', 0, '{}'
         FROM generate_series(1, 2000) show, generate_series(1, 10) part`,
        )
        await knex().raw(
          `INSERT INTO svc_live_event (id, connection_id, event_id, kind, campaign_uid, occurred_at, rank, hash, data)
         SELECT 'svcev_' || show, 'svccon_results', 'event_' || show, 'live', 'campaign_' || show, now(), 0, '', '{}'
         FROM generate_series(1, 2000) show`,
        )
        await knex().raw("ANALYZE svc_ledger_entry, svc_live_event, svc_attribution")
        const statements = await statementsOf([knex()], () => get("results?event_id=event_7"))
        const ofResults = statements.find(({ sql }) => sql.includes("of_order"))
        const plan = await planOf(knex(), ofResults)
        expect(plan).toContain("svc_ledger_entry")
        expect(plan).not.toContain("Seq Scan on svc_ledger_entry")
      })

      it("count an order of two shows once in a sum, their baskets by show alone, and one that lost its show's lines as before after a rebuild", async () => {
        const [one, other] = [await aMugShow(79), await aMugShow(89)]
        const { cartId } = await basket(one, 1)
        await tap(other, cartId, [{ variant: shop.mug, quantity: 2 }])
        const orderId = await shop.place(cartId)
        await settled(orderId)
        await campaign(one)
        const noon = await allAtNoon()
        // One that buys nothing, in an hour in which nothing is sold.
        const later = await basket(one, 1)
        await knex()("svc_cart_order_number")
          .where({ cart_id: later.cartId })
          .update({ created_at: new Date(noon.getTime() + 3_600_000) })
        const of = `campaign_uid=${one.campaignUid}&campaign_uid=${other.campaignUid}`
        const orders = async (group: string) => {
          const { results } = await get(`results?group_by=${group}&${of}`)
          return results.map((row: Row) => [row.orders, row.cancelled_orders])
        }
        expect(await orders("campaign")).toEqual([
          [1, 0],
          [1, 0],
        ])
        const carts = async (query: string) =>
          (await get(`results?${of}&${query}`)).results.map((row: Row) => [
            row.carts,
            row.conversion_rate,
          ])
        expect(await carts("group_by=campaign&order=carts")).toEqual([
          [1, 1],
          [2, 0.5],
        ])
        for (const group of ["currency", "day", "hour", "product"]) {
          expect([group, await orders(group)]).toEqual([group, [[1, 0]]])
          expect([group, await carts(`group_by=${group}`)]).toEqual([group, [[null, null]]])
        }
        for (const { id } of (await changes().order(orderId)).items) {
          await changes().edit(orderId, id, { quantity: 0 })
        }
        await changes().cancel(orderId)
        await campaign(one)
        const before = await get(`results?${of}`)
        expect(await orders("currency")).toEqual([[0, 1]])
        // A day on which it was cancelled, and nothing was sold, is not among the days.
        await knex()("svc_ledger_entry")
          .where({ order_id: orderId })
          .whereNot({ kind: "sale" })
          .update({ occurred_at: new Date(noon.getTime() + 86_400_000) })
        for (const group of ["day", "hour"]) {
          expect([group, await orders(group)]).toEqual([group, [[0, 1]]])
        }
        await rebuildLedger(getContainer(), null)
        await workLedger(getContainer())
        expect(await get(`results?${of}`)).toEqual(before)
      })

      it("have totals over all that matches, in each currency for itself", async () => {
        const { show } = sold
        const other = await aMugShow()
        const { orderId } = await buy(other)
        await settled(orderId)
        await campaign(other)
        const of = `campaign_uid=${show.campaignUid}&campaign_uid=${other.campaignUid}`
        const sums = { orders: 3, units: 4, gross: 316, refunded: 79, net: 237, tax: 47.4 }
        for (const span of ["", "&limit=1"]) {
          const { results, count } = await get(`results?group_by=currency&${of}${span}`)
          expect([span, count, results]).toEqual([
            span,
            1,
            [expect.objectContaining({ ...sums, currency_code: "dkk", net_without_tax: 189.6 })],
          ])
        }
        expect((await get(`results?group_by=currency&${of}&to=2020-01-01`)).results).toEqual([])
        // The pages of a list are parts of these.
        const pages = [0, 1].map((offset) => get(`results?${of}&limit=1&offset=${offset}`))
        const nets = (await Promise.all(pages)).map(({ results }) => results[0].net)
        expect(nets[0] + nets[1]).toBe(237)
        // A page behind the last one is empty, and says how many there are.
        for (const list of ["results", "campaigns"]) {
          const behind = await get(`${list}?${of}&limit=1&offset=7`)
          expect([list, behind[list], behind.count]).toEqual([list, [], 2])
        }
        // Another currency has a row of its own.
        await knex().raw(
          `INSERT INTO svc_ledger_entry (id, order_id, source, kind, connection_id, campaign_uid, currency_code, occurred_at,
           quantity, raw_quantity, amount, raw_amount, tax, raw_tax, discount, raw_discount)
         SELECT 'svcled_sek', 'order_sek', 'v1', 'sale', connection_id, campaign_uid, 'sek', occurred_at,
           1, '{}', 50, '{}', 0, '{}', 0, '{}'
         FROM svc_ledger_entry WHERE campaign_uid = ? LIMIT 1`,
          [other.campaignUid],
        )
        const { results } = await get(`results?group_by=currency&${of}&order=-net`)
        expect(
          results.map((row: { currency_code: string; net: number }) => [
            row.currency_code,
            row.net,
          ]),
        ).toEqual([
          ["dkk", 237],
          ["sek", 50],
        ])
      })

      it("count orders apart in which nothing was sold at a show's price, however they are grouped", async () => {
        const { show } = sold
        const noon = await allAtNoon()
        // The day before nothing was sold, and no cart met the show.
        await knex().raw(
          `INSERT INTO svc_attribution (id, order_id, connection_id, page, campaign_uid, svc_order_no, currency_code, has_show_lines, state, placed_at)
         SELECT 'svcatt_bare' || n, 'order_bare' || n, ?, '', ?, 'bare-' || n, 'dkk', false,
           CASE WHEN n > 3 THEN 'excluded' WHEN n = 2 THEN 'duplicate' ELSE 'reported' END,
           ?::timestamptz - n * interval '1 day'
         FROM generate_series(0, 5) n`,
          [shop.denmark.connectionId, show.campaignUid, noon],
        )
        // One of them was a test, as somebody said after its report. Two others waited for a consent in vain.
        await knex().raw(
          `INSERT INTO svc_show_order (id, order_id, currency_code, placed_at, version, dirty, left_out)
         SELECT 'svcord_' || order_id, order_id, currency_code, placed_at, 1, false,
           CASE svc_order_no WHEN 'bare-3' THEN 'test_order' END
         FROM svc_attribution WHERE svc_order_no LIKE 'bare-%'`,
        )
        // In one of them another show sold something.
        const other = await aMugShow()
        await knex().raw(
          `INSERT INTO svc_show_order_line (id, order_id, line_item_id, connection_id, campaign_uid, svc_order_no,
           unit_price, raw_unit_price, proven_price, raw_proven_price, is_tax_inclusive, fetched_at, expires_at)
         VALUES ('svcol_other', 'order_bare0', 'line_other', ?, ?, ?, 1, '{}', 1, '{}', true, now(), now())`,
          [shop.denmark.connectionId, other.campaignUid, other.orderNo],
        )
        await knex()("svc_live_event").insert({
          id: "svcev_kiln",
          connection_id: shop.denmark.connectionId,
          event_id: show.eventId,
          kind: "live",
          campaign_uid: show.campaignUid,
          name: "Evening at the kiln",
          occurred_at: noon,
          rank: 1,
          hash: "hash",
          data: "{}",
        })
        const ofShow = `campaign_uid=${show.campaignUid}`
        const counts = async (query: string, of = ofShow): Promise<[number, number][]> =>
          (await get(`results?${of}&${query}`)).results.map(
            (row: { orders: number; orders_without_show_lines: number }) => [
              row.orders,
              row.orders_without_show_lines,
            ],
          )
        for (const asked of [ofShow, `event_id=${show.eventId}`, "q=kiln"]) {
          for (const group of ["campaign", "currency"]) {
            const seen = await counts(`group_by=${group}`, asked)
            expect([asked, group, seen]).toEqual([asked, group, [[2, 5]]])
          }
        }
        // Where both shows are asked for, it is an order like others.
        const both = `${ofShow}&campaign_uid=${other.campaignUid}`
        expect(await counts("group_by=currency", both)).toEqual([[2, 4]])
        expect(await counts("group_by=day&order=-period")).toEqual([
          [2, 1],
          [0, 1],
          [0, 1],
          [0, 1],
          [0, 1],
        ])
        const yesterday = new Date(noon.getTime() - 36 * 3_600_000).toISOString()
        expect(await counts(`group_by=currency&from=${yesterday}`)).toEqual([[2, 2]])
        expect(await counts("group_by=product")).toEqual([[2, 0]])
      })

      it("are the same by product, day, hour and show, and nothing outside their time", async () => {
        const { show } = sold
        const of = `campaign_uid=${show.campaignUid}`
        for (const group of ["product", "currency"]) {
          const { results } = await get(`results?group_by=${group}&${of}`)
          expect(results).toMatchObject([{ orders: 2, units: 3, net: 158 }])
        }
        // An hour, or a day, may end between the two orders.
        type Row = { orders: number; units: number; net: number }
        for (const group of ["day", "hour"]) {
          const rows: Row[] = (await get(`results?group_by=${group}&${of}`)).results
          const sum = (of: keyof Row) => rows.reduce((all, row) => all + row[of], 0)
          expect([group, sum("orders"), sum("units"), sum("net")]).toEqual([group, 2, 3, 158])
        }
        await get(`results?group_by=event&${of}`)
        expect((await get(`results?group_by=product&${of}`)).results[0]).toMatchObject({
          product_id: shop.mug.product_id,
          name: "Havn mug",
        })
        const copenhagen = await get(`results?group_by=day&${of}&timezone=Europe/Copenhagen`)
        const midnight = new Intl.DateTimeFormat("en", {
          timeZone: "Europe/Copenhagen",
          timeStyle: "short",
          hourCycle: "h23",
        })
        expect(midnight.format(new Date(copenhagen.results[0].period))).toBe("00:00")
        // The file of it has days, and not the moment of another day at which they begin.
        const day = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Copenhagen" })
        const [, ...days] = await csv(`results?group_by=day&${of}&timezone=Europe/Copenhagen`)
        expect(days.map((line) => line.split(",")[0])).toEqual(
          copenhagen.results.map(({ period }: { period: string }) => day.format(new Date(period))),
        )
        expect((await get(`results?${of}&to=2020-01-01`)).results).toEqual([])
        // Node calls India's time so; Postgres means Israel's by it.
        const india = await get(`results?group_by=day&${of}&timezone=IST`)
        expect(india.results[0].period).toMatch(/T18:30:00/)
        for (const timezone of ["Moon/Crater", "%2B05:30"]) {
          const wrong = await api.get(`/admin/svc/results?group_by=day&timezone=${timezone}`, {
            ...shop.denmark.admin,
            validateStatus: () => true,
          })
          expect([timezone, wrong.status, wrong.data.code]).toEqual([
            timezone,
            400,
            "invalid_request",
          ])
        }
        // One that Node knows and this Postgres does not, as an older one has it of a zone that was renamed.
        for (const asked of [
          { groupBy: "day", from: null },
          { groupBy: "currency", from: "2026-11-01" },
        ] as const) {
          const renamed = shop.svc().orders.results.list({
            ...asked,
            filters: {},
            to: null,
            timezone: "Moon/Crater",
            order: { column: "net", direction: "DESC" },
          })
          await expect(renamed).rejects.toMatchObject({ code: "invalid_request" })
        }
      })

      it("begin and end with the days of the zone that is asked for, and have each hour of the night in which its clocks go back", async () => {
        const { show, one } = sold
        const of = `campaign_uid=${show.campaignUid}`
        const entries = () => knex()("svc_ledger_entry").where({ campaign_uid: show.campaignUid })
        // In New York it is half past eight in the evening of the first.
        await entries().update({ occurred_at: "2026-11-02T01:30:00Z" })
        const days = async (span: string) =>
          (await csv(`results?group_by=day&${of}&${span}`))
            .slice(1)
            .map((line) => line.split(",")[0])
        const first = "from=2026-11-01&to=2026-11-02"
        expect(await days(first)).toEqual([])
        expect(await days(`${first}&timezone=America/New_York`)).toEqual(["2026-11-01"])
        // A moment is the same everywhere.
        const evening = "from=2026-11-02T01:30:00Z&to=2026-11-02T01:31:00Z"
        expect(await days(`${evening}&timezone=America/New_York`)).toEqual(["2026-11-01"])
        await entries().update({ occurred_at: "2026-10-25T01:30:00Z" })
        await entries()
          .where({ order_id: one.orderId })
          .update({ occurred_at: "2026-10-25T00:30:00Z" })
        const hours = await get(
          `results?group_by=hour&order=period&${of}&timezone=Europe/Copenhagen`,
        )
        expect(hours.results.map(({ period }: { period: string }) => period)).toEqual([
          "2026-10-25T00:00:00.000Z",
          "2026-10-25T01:00:00.000Z",
        ])
      })

      it("can be sorted by every field that they have", async () => {
        for (const group of ["campaign", "product", "day", "currency"]) {
          const all = `results?group_by=${group}`
          const fields = Object.keys((await get(all)).results[0] ?? {})
          expect(fields).toContain("net_without_tax")
          for (const field of fields) {
            expect((await get(`${all}&order=-${field}`)).results.length).toBeGreaterThan(0)
          }
        }
      })
    })

    describe("the campaigns of orders", () => {
      type Campaign = { campaign_uid: string; orders: number }
      const campaigns = async (query = ""): Promise<Campaign[]> =>
        (await get(`orders/campaigns${query}`)).campaigns

      it("are named with their orders, the latest first, and narrow the list", async () => {
        const [first, second] = ["first", "second"]
        await knex().raw(
          `INSERT INTO svc_attribution (id, order_id, connection_id, page, campaign_uid, svc_order_no, currency_code, state, placed_at)
         SELECT 'svcatt_' || n, 'order_' || n, ?, '', CASE n WHEN 1 THEN 'first' ELSE 'second' END, 'no-' || n, 'dkk', 'reported',
           now() + n * interval '1 hour' FROM generate_series(1, 3) n`,
          [shop.denmark.connectionId],
        )
        await knex()("svc_live_event").insert({
          id: "svcev_named",
          connection_id: shop.denmark.connectionId,
          event_id: "named",
          kind: "live",
          campaign_uid: second,
          name: "Evening at the kiln",
          occurred_at: new Date(),
          rank: 1,
          hash: "hash",
          data: "{}",
        })
        const [latest, before] = await campaigns()
        expect(latest).toMatchObject({
          campaign_uid: second,
          connection_id: shop.denmark.connectionId,
          name: "Evening at the kiln",
          orders: 2,
        })
        expect(before).toMatchObject({
          campaign_uid: first,
          name: null,
          orders: 1,
        })
        const { orders } = await get(`orders?campaign_uid=${second}`)
        expect(orders).toHaveLength(2)
      })

      it("are a hundred at most, with those that were asked for among them", async () => {
        const { show } = sold
        await knex().raw(
          `INSERT INTO svc_attribution (id, order_id, connection_id, page, campaign_uid, svc_order_no, currency_code, state, placed_at)
         SELECT 'svcatt_later' || n, 'order_later' || n, ?, '', 'later-' || n, 'no-' || n, 'dkk', 'excluded',
           now() + interval '1 day' FROM generate_series(1, 110) n`,
          [shop.denmark.connectionId],
        )
        const uids = async (query?: string) =>
          (await campaigns(query)).map(({ campaign_uid }) => campaign_uid)
        expect(await uids()).toHaveLength(100)
        expect(await uids()).not.toContain(show.campaignUid)
        const asked = await uids(`?campaign_uid=${show.campaignUid}`)
        expect([asked.length, asked.includes(show.campaignUid)]).toEqual([100, true])
      })
    })

    describe("the ledger", () => {
      it("has a row for each line and change, adds up to the results, and is a file too", async () => {
        const { show, one, line } = sold
        const { ledger, count } = await get(`ledger?order_id=${one.orderId}&order=occurred_at`)
        expect(count).toBe(ledger.length)
        expect(
          ledger
            .filter((entry: { line_item_id: string }) => entry.line_item_id === line)
            .map((entry: { kind: string; quantity: number; amount: number; tax: number }) => [
              entry.kind,
              entry.quantity,
              entry.amount,
              entry.tax,
            ]),
        ).toEqual([
          ["sale", 2, 158, 31.6],
          ["return", -1, -79, -15.8],
        ])
        // Searched by a part of an id, and not merely answered.
        expect((await get(`ledger?q=${one.orderId.slice(-8)}`)).count).toBe(count)
        expect((await get("ledger?q=nobodys")).count).toBe(0)
        const file = await csv(`ledger?campaign_uid=${show.campaignUid}`)
        expect(file).toHaveLength(1 + 3)
      })

      it("of an order that changes does not wait while all others are made again", async () => {
        const { one } = sold
        const { ledger } = svc().orders
        await knex().raw(
          `INSERT INTO svc_show_order (id, order_id, currency_code, placed_at, made_at)
         SELECT 'svcord_' || n, 'order_0000000000_' || n, 'dkk', now(), now() FROM generate_series(1, 3000) n`,
        )
        await knex().raw("ANALYZE svc_show_order")
        const entries = () => knex()("svc_ledger_entry").where({ order_id: one.orderId })
        const changed = () => ledger.markDirty([one.orderId])
        const all = () => ledger.markAllDirty()
        for (const marks of [
          [changed, all],
          [all, changed],
        ]) {
          await entries().delete()
          for (const mark of marks) await mark()
          const statements = await statementsOf([background()], () => ledger.writeDirty([]))
          expect(await entries()).not.toHaveLength(0)
          // And the next ones are found without reading the others.
          const choice = statements.find(({ sql }) => sql.includes("SKIP LOCKED"))
          expect(await planOf(knex(), choice)).not.toContain("Sort")
        }
        // No order of these is there: their ledgers would be made, and that is not what is looked at.
        await knex()("svc_show_order").whereLike("order_id", "order\\_0000000000\\_%").delete()
      })

      it("is made again from Medusa's rows, of one order or of all", async () => {
        const { show, one } = sold
        const entries = () =>
          knex()("svc_ledger_entry").orderBy("id").select("id", "source", "amount")
        const before = await entries()
        const lose = () =>
          knex()("svc_ledger_entry").where({ order_id: one.orderId, kind: "return" }).delete()
        for (const [body, orders] of [
          [{ order_id: one.orderId }, 1],
          [{}, 2],
        ] as const) {
          await lose()
          const answer = await ask("ledger/rebuild", body)
          expect([answer.status, answer.data]).toEqual([202, { orders }])
          await workLedger(getContainer())
          expect(await entries()).toEqual(before)
        }
        expect(await campaign(show)).toMatchObject({ net: 158 })
      })
    })
  })
}
