/** How old a price is that a delivery told, where the service cannot be asked (gap 36, option `whenPriceUnavailable`). */
import { deliver, envelope, eventProduct } from "../../setup/deliveries"
import { eventually, runShow, type Show } from "../../setup/market"
import { newShopper } from "../../setup/shopper"
import type { CartShop } from "./shop"

const KEY = "a key as it was shown"
const MINUTE = 60_000

export function describeFreshness(shop: CartShop): void {
  const { api, knex, storeUrl, svc } = shop

  describe("the price that a delivery told", () => {
    it("grows no fresher by an older delivery that comes late", async () => {
      const { connectionId, admin } = shop.denmark
      const key = { signature_key: KEY }
      await api.post(`/admin/svc/connections/${connectionId}/webhook/key`, key, admin)
      const showOfMugs = () =>
        runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const [fresh, old] = [await showOfMugs(), await showOfMugs()]
      const row = ({ campaignUid }: Show) =>
        knex()("svc_event_product")
          .where({ campaign_uid: campaignUid })
          .first("price", "updated_at")
      const told = async ({ campaignUid }: Show, price: number, minutesAgo: number) => {
        const of = { externalId: shop.mug.product_id, price }
        const { status } = await deliver({
          url: `${storeUrl}/hooks/svc/${connectionId}`,
          key: KEY,
          body: envelope("live_event_product.updated", eventProduct("mug", campaignUid, of), {
            occurredAt: Date.now() - minutesAgo * MINUTE,
          }),
        })
        expect(status).toBe(200)
      }
      const sold = async (show: Show) => {
        const anna = await newShopper(api, shop.denmark)
        const { data } = await anna.add(show, shop.mug, 1)
        return data.failed_products[0]?.code ?? data.cart.items[0]?.unit_price
      }

      // From the start: a price that the service itself confirmed meanwhile would be a fresh one.
      await shop.sandbox.control("/faults", { on: "price", kind: "status", status: 503 })
      await told(fresh, 129, 1)
      await told(old, 129, 60)
      for (const show of [fresh, old]) {
        await eventually(
          () => row(show),
          (product) => Number(product?.price) === 129,
        )
      }
      // What the second show told came at its time, and nothing has come since.
      await knex()("svc_event_product")
        .where({ campaign_uid: old.campaignUid })
        .update({ updated_at: new Date(Date.now() - 60 * MINUTE) })
      Object.assign(svc().options, { whenPriceUnavailable: "webhook_price" })
      expect([await sold(fresh), await sold(old)]).toEqual([129, "price_unavailable"])
      await told(old, 149, 90)
      const late = await eventually(
        () => row(old),
        (product) => product.updated_at.getTime() > Date.now() - 10 * MINUTE,
      )
      expect(Number(late.price)).toBe(129)
      expect(await sold(old)).toBe("price_unavailable")
    })
  })
}
