/** What the database does for one order, in a store that has many. */
import { tryStatements } from "../../../src/modules/svc/core-tables/try-statements"
import { sweepOrders, sweepOrdersNightly } from "../../../src/workflows/orders"
import { readWhole, statementsOf } from "../../setup/read-whole"
import type { OrdersShop } from "./shop"

/** Tables that grow with every order: ours, and Medusa's. */
const GROWING =
  `svc_(?:attribution|ledger_entry|show_order|show_order_line|report_attempt|cart_order_number|line_price|live_event)
  |"order|order_\\w+|payment\\w*|capture|refund|return|cart|cart_\\w+|customer`.replace(/\s/g, "")

export function describePlans(shop: OrdersShop): void {
  const { get, getContainer, svc, changes, knex, background } = shop
  const { buy, buyUnder, settled, campaign, aMugShow } = shop

  describe("the database", () => {
    it("reads what belongs to an order by an index, whatever becomes of the order", async () => {
      const show = await aMugShow()
      const statements = await statementsOf([knex(), background()], async () => {
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
        await shop.report(row.id)
        await sweepOrders(getContainer())
        await sweepOrdersNightly(getContainer())
        await campaign(show)
        await svc().orders.orderChanges.eraseAnswers("cus_nobody")
        await svc().orders.ledger.admit(orderId, true)
        await svc().orders.attributions.forgetDeleted([other])
      })
      expect(statements.length).toBeGreaterThan(50)
      expect(await readWhole(knex(), statements, GROWING)).toEqual([])
    })

    it("reads Medusa's tables by their indexes, in each statement of ours", async () => {
      const all = await statementsOf([knex()], () => tryStatements(knex()))
      // Of a module that this store does not have.
      const statements = all.filter(({ sql }) => !sql.includes("translation"))
      expect(statements.length).toBeGreaterThan(40)
      expect(await readWhole(knex(), statements, GROWING)).toEqual([])
    })
  })
}
