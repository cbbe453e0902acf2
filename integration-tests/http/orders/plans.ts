/** What the database does for one order, in a store that has many. */
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { sweepOrders, sweepOrdersNightly } from "../../../src/workflows/orders"
import type { OrdersShop } from "./shop"

type Statement = { sql: string; bindings?: readonly Knex.RawBinding[] }

/** Tables that grow with every order. */
const GROWING =
  /Seq Scan on (svc_(attribution|ledger_entry|show_order|show_order_line|report_attempt|cart_order_number)\b.*)/g

export function describePlans(shop: OrdersShop): void {
  const { api, getContainer, svc, changes, knex, buy, buyUnder, settled, campaign, aMugShow } = shop
  const get = (path: string) => api.get(`/admin/svc/${path}`, shop.denmark.admin)

  /** Every statement of the store that reads or changes rows while something is done. */
  const statementsOf = async (work: () => Promise<unknown>): Promise<Statement[]> => {
    const seen = new Map<string, Statement>()
    const note = ({ sql, bindings }: Statement) => {
      if (/^\s*(select|with|insert|update|delete)\b/i.test(sql)) seen.set(sql, { sql, bindings })
    }
    knex().on("query", note)
    try {
      await work()
    } finally {
      knex().removeListener("query", note)
    }
    return [...seen.values()]
  }
  /** Tables that a statement can only read from their beginning to their end: no index can serve it. */
  const readWhole = async ({ sql, bindings }: Statement): Promise<string[]> =>
    knex().transaction(async (trx) => {
      await trx.raw("SET LOCAL enable_seqscan = off")
      const { rows } = await trx.raw<{ rows: { "QUERY PLAN": string }[] }>(
        `EXPLAIN ${sql.replace(/\$\d+/g, "?")}`,
        [...(bindings ?? [])],
      )
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n")
      return [...plan.matchAll(GROWING)].map(([, table]) => table ?? "")
    })

  describe("the database", () => {
    it("reads what belongs to an order by an index, whatever becomes of the order", async () => {
      const show = await aMugShow()
      const statements = await statementsOf(async () => {
        const { orderId, orderNo } = await buy(show)
        const [row] = await settled(orderId)
        const [line] = (await changes().order(orderId)).items
        await changes().edit(orderId, line?.id ?? "", { quantity: 2 })
        await campaign(show)
        // The same number on another order.
        const other = await buyUnder(show, orderNo)
        await settled(other)
        await changes().cancel(other)
        await get("orders")
        await get(`orders/${row.id}`)
        await get(`orders?q=${encodeURIComponent(`#${row.display_id}`)}`)
        await get(`ledger?order_id=${orderId}`)
        await api.post(`/admin/svc/orders/${row.id}/report`, {}, shop.denmark.admin)
        await sweepOrders(getContainer())
        await sweepOrdersNightly(getContainer())
        await campaign(show)
        await svc().orders.orderChanges.eraseAnswers("cus_nobody")
        await svc().orders.ledger.admit(orderId)
        await svc().orders.attributions.forgetDeleted([other])
      })
      expect(statements.length).toBeGreaterThan(50)
      const wrong: [string[], string][] = []
      for (const statement of statements.filter(({ sql }) => sql.includes("svc_"))) {
        const tables = await readWhole(statement)
        if (tables.length > 0) wrong.push([tables, statement.sql])
      }
      expect(wrong).toEqual([])
    })
  })
}
