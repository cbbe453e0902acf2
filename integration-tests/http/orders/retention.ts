/** What is forgotten of ordered carts, and what never is. */
import { KEPT_DAYS, rebuildLedger, sweepOrdersNightly } from "../../../src/workflows/orders"
import { untilWaiting } from "../../setup/locks"
import { createCart, eventually, newOrderNo, runShow, type Show } from "../../setup/market"
import type { OrdersShop } from "./shop"

const DAY_MS = 86_400_000
const RECORDS = ["svc_cart_order_number", "svc_line_price"] as const

export function describeRetention(shop: OrdersShop): void {
  const { getContainer, svc, knex, tap, buy, settled, campaign, dropEvents, mugShow, changes } =
    shop

  /** When records of orders of today are old enough. */
  const muchLater = () => new Date(Date.now() + (KEPT_DAYS.orders + 1) * DAY_MS)
  const kept = async (cartId: string) =>
    Promise.all(
      RECORDS.map(async (table) => (await knex()(table).where({ cart_id: cartId })).length),
    )
  const calls = async () => (await knex()("svc_report_attempt").select("id")).length

  describe("records of ordered carts", () => {
    it("are forgotten after the time that is set, and what was earned is not", async () => {
      const show = mugShow()
      const { orderId, cartId } = await buy(show)
      await settled(orderId)
      const before = await campaign(show)
      expect([await kept(cartId), await calls()]).toEqual([[1, 1], 1])

      await sweepOrdersNightly(getContainer(), new Date(muchLater().getTime() - 2 * DAY_MS))
      expect([await kept(cartId), await calls()]).toEqual([[1, 1], 1])
      await sweepOrdersNightly(getContainer(), muchLater())
      expect([await kept(cartId), await calls()]).toEqual([[0, 0], 0])

      // The ledger is made from Medusa's rows and the proof of each sold line, also of what happens now.
      expect(await campaign(show)).toEqual(before)
      await rebuildLedger(getContainer(), orderId)
      expect(await campaign(show)).toEqual(before)
      await changes().cancel(orderId)
      expect(await campaign(show)).toMatchObject({ net: 0 })
    })

    it("stay while a report waits, and while an order is not attributed yet", async () => {
      const show = mugShow()
      const reported = await buy(show)
      await settled(reported.orderId)
      await knex()("svc_attribution").update({
        state: "waiting",
        next_attempt_at: new Date(Date.now() + DAY_MS),
      })
      dropEvents()
      const unheard = await buy(show)
      const open = await createCart(shop.api, shop.denmark)
      await tap(show, open, [{ variant: shop.mug, quantity: 1 }])
      await svc().orders.metCarts.pruneOrdered(muchLater(), 100)
      await svc().orders.reportAttempts.prune(muchLater(), 100)
      expect(await kept(reported.cartId)).toEqual([1, 1])
      expect(await kept(unheard.cartId)).toEqual([1, 1])
      expect(await kept(open)).toEqual([1, 1])
      expect(await calls()).toBe(1)
    })
  })

  describe("records of what a customer has bought of a show with a maximum per customer", () => {
    it("stay as long as the show sells, because they count for the maximum", async () => {
      await shop.ask(`connections/${shop.denmark.connectionId}/webhook`)
      const show = await runShow(shop.sandbox, shop.denmark, [
        { variant: shop.mug, price: 79, extra: { max_qty_per_customer: 1 } },
      ])
      const products = () =>
        knex()("svc_event_product").where({ campaign_uid: show.campaignUid }).select("*")
      await eventually(products, (rows) => rows[0]?.max_qty_per_customer === 1)
      const { orderId, cartId } = await buy(show)
      await settled(orderId)
      await campaign(show)
      await svc().orders.metCarts.pruneOrdered(muchLater(), 100)
      expect(await kept(cartId)).toEqual([1, 1])

      await shop.sandbox.control(`/events/${show.eventId}`, { deadline: Date.now() - 1000 })
      await eventually(
        () => knex()("svc_live_event").where({ campaign_uid: show.campaignUid }).select("*"),
        (rows) => rows[0]?.deadline !== null && rows.length > 0,
      )
      await svc().orders.metCarts.pruneOrdered(muchLater(), 100)
      expect(await kept(cartId)).toEqual([0, 0])
    })
  })

  describe("records of a cart that nobody came back to", () => {
    const prune = () => svc().orders.metCarts.prune(new Date(Date.now() - DAY_MS), 100)

    /** A cart that is old enough, and has no line at the show's price any more. */
    const anOldCart = async (show: Show) => {
      const cartId = await createCart(shop.api, shop.denmark)
      const { status } = await tap(show, cartId, [{ variant: shop.mug, quantity: 1 }])
      expect(status).toBe("SUCCESS")
      await knex()("svc_cart_order_number")
        .where({ cart_id: cartId })
        .update({ used_at: new Date(0) })
      await knex()("cart_line_item").where({ cart_id: cartId }).update({ is_custom_price: false })
      return cartId
    }

    it("stay where its shopper comes back meanwhile, for whom nobody waits", async () => {
      const open = await anOldCart(mugShow())
      // The shopper's request has written the number, and is not committed when the carts are chosen.
      const shopper = await knex().transaction()
      let isOver = false
      try {
        await shopper("svc_cart_order_number")
          .where({ cart_id: open })
          .update({ used_at: new Date() })
        const pruned = prune().finally(() => {
          isOver = true
        })
        await untilWaiting(knex(), 1, { isOver: () => isOver })
        expect(isOver).toBe(true)
        expect(await pruned).toBe(0)
      } finally {
        await shopper.commit()
      }
      expect(await kept(open)).toEqual([1, 1])
    })

    it("stay where an order was made from it that is not attributed yet", async () => {
      const show = mugShow()
      const [gone, ordered] = [await anOldCart(show), await anOldCart(show)]
      await knex()("order_cart").insert({
        id: "ordercart_unheard",
        order_id: "order_unheard",
        cart_id: ordered,
      })
      await prune()
      expect(await kept(gone)).toEqual([0, 0])
      expect(await kept(ordered)).toEqual([1, 1])
    })

    it("are forgotten without what another request has to tell the shopper meanwhile, however early it began", async () => {
      const show = mugShow()
      const [gone, back] = [await anOldCart(show), await anOldCart(show)]
      // A job's transaction has begun, and has not written yet.
      const job = await knex().transaction()
      await job.raw("SELECT now()")
      const other = await knex().transaction()
      await other("svc_line_price").where({ cart_id: gone }).forUpdate().select("id")
      const pruned = prune()
      await untilWaiting(knex())
      await job("svc_price_change").insert({
        id: "svcpc_meanwhile",
        cart_id: back,
        line_item_id: "cali_meanwhile",
        title: "Mug",
        old_unit_price: 79,
        raw_old_unit_price: { value: "79", precision: 20 },
        old_is_tax_inclusive: true,
        currency_code: "dkk",
        reason: "campaign_ended",
      })
      await job.commit()
      await other.commit()
      await pruned
      expect(await kept(back)).toEqual([0, 0])
      expect(await knex()("svc_price_change").where({ cart_id: back })).toHaveLength(1)
    })

    it("stay where a price is proven again under another number while they are being forgotten", async () => {
      const show = mugShow()
      const carts: string[] = []
      for (const _ of ["gone", "back"]) {
        const cart = await createCart(shop.api, shop.denmark)
        await tap(show, cart, [{ variant: shop.mug, quantity: 1 }])
        carts.push(cart)
      }
      const [gone, back] = carts as [string, string]
      await knex()("svc_cart_order_number").update({ used_at: new Date(0) })
      await knex()("cart_line_item").whereIn("cart_id", carts).update({ is_custom_price: false })
      // The numbers are deleted, and the first proof cannot be yet.
      const other = await knex().transaction()
      await other("svc_line_price").where({ cart_id: gone }).forUpdate().select("id")
      const pruned = svc().orders.metCarts.prune(new Date(Date.now() - DAY_MS), 100)
      await untilWaiting(knex())
      const orderNo = await newOrderNo(shop.sandbox, show.campaignUid)
      let isProven = false
      const proven = tap({ ...show, orderNo }, back, [{ variant: shop.mug, quantity: 1 }]).then(
        () => {
          isProven = true
        },
      )
      // Postgres visits the rows of a deletion in an order of its own. Where it came to this cart's first, the shopper waits.
      await untilWaiting(knex(), 2, { isOver: () => isProven })
      await other.commit()
      await Promise.all([pruned, proven])
      expect(await kept(gone)).toEqual([0, 0])
      const proofs = await knex()("svc_line_price").where({ cart_id: back }).select("order_no")
      expect(proofs).toEqual([{ order_no: orderNo }])
    })
  })
}
