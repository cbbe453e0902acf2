/** What shoppers and a merchant's own code hear: sentences by language, events by name. */
import { Modules } from "@medusajs/framework/utils"
import { SENTENCES } from "../../../src/modules/svc/cart/sentences"
import { CART_EVENTS } from "../../../src/workflows/cart"
import { eventually } from "../../setup/market"
import { ref } from "../../setup/shopper"
import type { CartShop } from "./shop"

export function describeTold(shop: CartShop): void {
  const { api, getContainer, ids } = shop

  describe("what is told", () => {
    it("is a sentence in the cart's language, else in the browser's", async () => {
      const { show, anna } = await shop.open()
      const sentence = async (language: string) => {
        const { data } = await api.post(
          `/store/carts/${anna.cartId}/svc/some-checkout`,
          { ...ids(show), products: [{ product_id: "prod_gone", quantity: 1 }] },
          { headers: { ...shop.denmark.store.headers, "accept-language": language } },
        )
        expect(data.failed_products).toMatchObject([{ code: "product_not_found" }])
        return data.failed_products[0].message
      }
      expect(await sentence("pt-BR")).toBe("This product is not in the store any more.")
      const danish = await sentence("de;q=0, da-DK;q=0.1, en;q=0.05")
      const german = await sentence("en;q=0.2, de-AT;q=0.7")
      expect([danish, german]).toEqual([
        "Varen findes ikke længere i butikken.",
        "Dieses Produkt gibt es im Shop nicht mehr.",
      ])
      await getContainer().resolve(Modules.CART).updateCarts(anna.cartId, { locale: "de-DE" })
      expect(await sentence("da")).toBe(german)
    })

    it("is a refusal in the cart's language, too", async () => {
      const { show, anna } = await shop.open()
      await getContainer().resolve(Modules.CART).updateCarts(anna.cartId, { locale: "de-DE" })
      const unmet = { campaignUid: "another-campaign" }
      const add = [{ action: "add", ...ref(shop.mug, 1) }]
      expect((await anna.act("update-cart-contents", unmet, add)).data).toMatchObject({
        code: "order_number_required",
        message: SENTENCES.de.order_number_required,
      })
      await shop.knex()("cart").where({ id: anna.cartId }).update({ completed_at: new Date() })
      const ordered = { code: "cart_completed", message: SENTENCES.de.cart_completed }
      expect((await anna.act("update-cart-contents", show, add)).data).toMatchObject(ordered)
      expect(await anna.contents()).toMatchObject(ordered)
    })

    it("is announced to a merchant's own code", async () => {
      const bus = getContainer().resolve(Modules.EVENT_BUS)
      const heard: { name: string; data: Record<string, unknown> }[] = []
      for (const name of [...Object.values(CART_EVENTS), "cart.updated"]) {
        bus.subscribe(name, async (event) => {
          heard.push({ name, data: event.data as Record<string, unknown> })
        })
      }
      const of = (name: string, cartId: string) =>
        heard.filter(
          (event) => event.name === name && (event.data.cart_id ?? event.data.id) === cartId,
        )

      const { show, anna } = await shop.open()
      await anna.act("update-cart-contents", show, [
        { action: "add", ...ref(shop.mug, 2) },
        { action: "add", product_id: "prod_gone", quantity: 1 },
      ])
      // Each comes for itself, in any order.
      for (const name of [CART_EVENTS.lineAdded, CART_EVENTS.lineRefused, "cart.updated"]) {
        await eventually(
          async () => of(name, anna.cartId),
          (events) => events.length > 0,
        )
      }
      expect(of(CART_EVENTS.lineAdded, anna.cartId)).toMatchObject([
        {
          data: {
            campaign_uid: show.campaignUid,
            order_no: show.orderNo,
            variant_id: shop.mug.id,
            product_id: shop.mug.product_id,
            quantity: 2,
            unit_price: 129,
          },
        },
      ])
      expect(of(CART_EVENTS.lineRefused, anna.cartId)).toMatchObject([
        { data: { product: { product_id: "prod_gone" }, code: "product_not_found" } },
      ])
      // Once, as after core's own route.
      expect(of("cart.updated", anna.cartId)).toHaveLength(1)

      await shop.endHolds(show)
      await shop.sandbox.control(`/events/${show.eventId}/cancel`, {})
      await anna.act("update-cart-contents", show, [{ action: "change", ...ref(shop.mug, 1) }])
      const changes = await eventually(
        async () => of(CART_EVENTS.priceChanged, anna.cartId),
        (events) => events.length > 0,
      )
      expect(changes).toMatchObject([
        { data: { old_unit_price: 129, currency_code: "dkk", removed: false } },
      ])
    })
  })
}
