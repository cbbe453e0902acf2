/** A price that holds, ends or changes while its line is in the cart (gap 45a). */
import type { CartPlan } from "../../../src/modules/svc/cart/plan"
import { changeCart, guardCart } from "../../../src/workflows"
import { liveEvent } from "../../setup/deliveries"
import { completeCart, eventually, placeOrder, type Show } from "../../setup/market"
import { changeInShow } from "../../setup/shopper"
import type { CartShop } from "./shop"

type LineChange = CartPlan["changes"][number]

export function describePriceChanges(shop: CartShop): void {
  const { api, endHolds, getContainer, inShow, ref } = shop

  describe("a price that changes", () => {
    it("tells both of two requests that came at once, such as a double click", async () => {
      const { show, anna, cartId } = await inShow()
      await shop.sandbox.control(`/events/${show.eventId}/cancel`, {})
      await endHolds(show)
      await changeCart(getContainer(), { cart_id: cartId, intent: { occasion: "job" } })

      for (const { data } of await Promise.all([anna.order(), anna.order()])) {
        expect(data.error?.lines).toMatchObject([{ old_unit_price: 129, new_unit_price: 189 }])
      }
    })

    it("is said of the line that changed, and neither denied nor to be tried again, beside a product that was refused", async () => {
      const { show, anna } = await inShow()
      await endHolds(show)
      await shop.sandbox.control("/faults", {
        rules: [{ on: "price", kind: "status", status: 503 }],
      })
      const products = [{ action: "add", product_id: "prod_gone", quantity: 1 }]
      const { data } = await anna.act("update-cart-contents", show, products)
      await shop.sandbox.endFaults()
      expect(data).toMatchObject({
        status: "FAILURE",
        failed_products: [{ code: "product_not_found" }],
        changes: [
          {
            old_unit_price: 129,
            new_unit_price: 189,
            reason: "price_unavailable",
            message: "The show's price could not be confirmed, so this is at the regular price.",
          },
        ],
        cart: { items: [{ unit_price: 189 }] },
      })
      // The basket was changed.
      expect(data).not.toHaveProperty("message")
    })

    it("does not change with another date of the same campaign that is cancelled while the show runs", async () => {
      const webhook = `/admin/svc/connections/${shop.denmark.connectionId}/webhook`
      await api.post(webhook, {}, shop.denmark.admin)
      const { show, anna, cartId } = await inShow()
      const path = `/admin/svc/live-events?campaign_uid=${show.campaignUid}&order=-occurred_at`
      const isTold = (told: string) =>
        eventually(
          async () => (await api.get(path, shop.denmark.admin)).data.live_events,
          (events: { status: string }[]) => events.map(({ status }) => status).join() === told,
        )
      await isTold("live")
      const campaignId = show.campaignUid
      await shop.sandbox.control("/emit", {
        page_uid: shop.denmark.pageUid,
        topic: "live_event.updated",
        data: liveEvent("postponed", { campaignId, currentStatus: "cancelled" }),
      })
      await isTold("cancelled,live")

      await endHolds(show)
      await changeCart(getContainer(), { cart_id: cartId, intent: { occasion: "job" } })
      const products = [{ action: "change", ...ref(shop.mug, 2) }]
      const { data } = await anna.act("update-cart-contents", show, products)
      expect(data).toMatchObject({
        status: "SUCCESS",
        cart: { items: [{ quantity: 2, unit_price: 129 }] },
      })
      await api.delete(webhook, shop.denmark.admin)
    })

    it("is asked about in a checkout of the store's own, until the shopper has seen it", async () => {
      const { show, anna, cartId } = await inShow()
      expect(await guardCart(getContainer(), cartId, "order")).toBeNull()
      await shop.sandbox.control(`/events/${show.eventId}/cancel`, {})
      await endHolds(show)
      const ask = (acknowledged?: string[]) =>
        guardCart(getContainer(), cartId, "payment", { acknowledged })
      const question = await ask()
      expect(question).toMatchObject({
        cartId,
        lines: [{ old_unit_price: 129, new_unit_price: 189, currency_code: "dkk" }],
      })
      // Asked again as long as the answer may have been lost, and no more once it names what was shown.
      expect(await ask([])).toEqual(question)
      expect(await ask(question?.lines.map(({ id }) => id))).toBeNull()
      expect(await guardCart(getContainer(), cartId, "order")).toBeNull()
      expect((await anna.cart()).items).toMatchObject([{ unit_price: 189 }])
    })

    /** The show's price is another now, and what was proven before is over. */
    const costs = async (show: Show, price: number) => {
      await changeInShow(shop.sandbox, getContainer(), shop.denmark, show, shop.mug, {
        price,
        variants: [{ external_id: shop.mug.id, price }],
      })
      await endHolds(show)
    }
    const asked = async (cartId: string, acknowledged: string[] = []) =>
      (await guardCart(getContainer(), cartId, "payment", { acknowledged }))?.lines ?? []

    /** A change of a line was written down, and nobody was told of it yet. */
    const recorded = (
      cartId: string,
      lineId: string,
      change: Pick<LineChange, "reason"> & Partial<LineChange>,
    ) =>
      getContainer()
        .resolve("svc")
        .cart.records.before(cartId, {
          number: null,
          showOrderNo: null,
          changes: [
            {
              lineId,
              variantId: shop.mug.id,
              title: "Mug",
              oldUnitPrice: 129,
              oldIsTaxInclusive: true,
              oldQuantity: 1,
              currency: "dkk",
              removed: false,
              ...change,
            },
          ],
        })

    it("is asked about where it is the first again, and pages have shown the one between", async () => {
      const { show, cartId } = await inShow()
      await costs(show, 99)
      const [cheaper] = await asked(cartId)
      expect(cheaper).toMatchObject({ old_unit_price: 129, new_unit_price: 99 })
      await costs(show, 129)
      const [back] = await asked(cartId, [cheaper?.id ?? ""])
      expect(back).toMatchObject({ old_unit_price: 99, new_unit_price: 129, old_quantity: 1 })
      expect(await asked(cartId, [back?.id ?? ""])).toEqual([])
    })

    it("is asked about where it followed another that nobody was told of, though it was recorded and never made", async () => {
      const { show, cartId, lineId } = await inShow()
      await recorded(cartId, lineId, {
        oldQuantity: 5,
        reason: { code: "quantity_limited", params: { limit: "max", quantity: 1 } },
      })
      await costs(show, 149)
      const [dearer] = await asked(cartId)
      expect(dearer).toMatchObject({
        old_unit_price: 129,
        new_unit_price: 149,
        old_quantity: 5,
        new_quantity: 1,
      })
      // As far as a process comes that dies, or whose lines cannot be changed.
      await recorded(cartId, lineId, { oldUnitPrice: 149, reason: { code: "price_changed" } })
      const [again] = await asked(cartId, [dearer?.id ?? ""])
      expect(again).toMatchObject({ line_item_id: lineId, new_unit_price: 149 })
      expect(await asked(cartId, [again?.id ?? ""])).toEqual([])
    })

    it("lets a basket be ordered at the catalog price after its connection was deleted", async () => {
      const { cartId } = await inShow()
      await api.delete(`/admin/svc/connections/${shop.denmark.connectionId}`, shop.denmark.admin)
      const refused = await completeCart(api, shop.denmark, cartId, "dk")
      expect([refused.status, refused.data.code]).toEqual([409, "svc_price_changed"])
      const placed = await placeOrder(api, shop.denmark, cartId)
      expect(placed).toMatchObject({
        status: 200,
        data: { order: { items: [{ unit_price: 189 }] } },
      })
    })
  })
}
