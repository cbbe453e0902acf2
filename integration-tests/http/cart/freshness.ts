/** How old a price is that a delivery told, where the service cannot be asked (gap 36, option `whenPriceUnavailable`). */
import {
  createProductVariantsWorkflow,
  deleteProductVariantsWorkflow,
  updateProductVariantsWorkflow,
} from "@medusajs/core-flows"
import { deliver, envelope, eventProduct } from "../../setup/deliveries"
import { eventually, runShow, type Show } from "../../setup/market"
import { proofsOf } from "../../setup/shopper"
import type { CartShop } from "./shop"

const KEY = "a key as it was shown"
const MINUTE = 60_000

export function describeFreshness(shop: CartShop): void {
  const { api, getContainer, knex, storeUrl, svc } = shop

  const takeDeliveries = () =>
    api.post(
      `/admin/svc/connections/${shop.denmark.connectionId}/webhook/key`,
      { signature_key: KEY },
      shop.denmark.admin,
    )
  const showOfMugs = () => runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
  const row = ({ campaignUid }: Show) =>
    knex()("svc_event_product").where({ campaign_uid: campaignUid }).first("price", "updated_at")
  const told = async ({ campaignUid }: Show, price: number, minutesAgo: number) => {
    // As the service takes a product with several variants (gap 26), and names none of them.
    const of = { externalId: shop.mug.product_id, sku: shop.mug.handle, price }
    const { status } = await deliver({
      url: `${storeUrl}/hooks/svc/${shop.denmark.connectionId}`,
      key: KEY,
      body: envelope("live_event_product.updated", eventProduct("mug", campaignUid, of), {
        occurredAt: Date.now() - minutesAgo * MINUTE,
      }),
    })
    expect(status).toBe(200)
  }
  const isApplied = (show: Show) =>
    eventually(
      () => row(show),
      (product) => Number(product?.price) === 129,
    )
  /** What a new shopper gets it at, and where the price came from; or why not. */
  const sold = async (show: Show, variant = shop.mug) => {
    const anna = await shop.shopper()
    const { data } = await anna.add(show, variant, 1)
    const [proof] = await proofsOf(getContainer(), anna.cartId)
    return data.failed_products[0]?.code ?? [data.cart.items[0]?.unit_price, proof?.source]
  }

  describe("the price that a delivery told", () => {
    it("is of the variants that the product had by then, whatever skus other products have", async () => {
      await takeDeliveries()
      const show = await showOfMugs()
      await shop.sandbox.control("/faults", { on: "price", kind: "status", status: 503 })
      await told(show, 129, 1)
      await isApplied(show)
      Object.assign(svc().options, { whenPriceUnavailable: "webhook_price" })
      const another = await knex()("product_variant")
        .whereNot({ product_id: shop.mug.product_id })
        .first("id")
      await updateProductVariantsWorkflow(getContainer()).run({
        input: { selector: { id: another.id }, update: { sku: shop.mug.handle } },
      })
      expect(await sold(show)).toEqual([129, "webhook"])
      await deleteProductVariantsWorkflow(getContainer()).run({
        input: { ids: shop.mugs.slice(1).map(({ id }) => id) },
      })
      const { result } = await createProductVariantsWorkflow(getContainer()).run({
        input: {
          product_variants: [
            {
              product_id: shop.mug.product_id,
              title: "A large one",
              manage_inventory: false,
              options: { Colour: "Moss" },
              prices: [{ currency_code: shop.denmark.currency, amount: 400 }],
            },
          ],
        },
      })
      const [created] = result
      if (!created) throw new Error("no large mug")
      const large = { ...shop.mug, id: created.id }
      expect(await sold(show, large)).toBe("price_unavailable")
      // Nor as the only one that is left.
      await deleteProductVariantsWorkflow(getContainer()).run({ input: { ids: [shop.mug.id] } })
      expect(await sold(show, large)).toBe("price_unavailable")
      // Whatever the service answers: after more failures in a row the next test's lookups would be held back for seconds.
      await shop.sandbox.endFaults()
      await sold(show, large)
    })

    it("grows no fresher by an older delivery that comes late", async () => {
      await takeDeliveries()
      const [fresh, old] = [await showOfMugs(), await showOfMugs()]
      // From the start: a price that the service itself confirmed meanwhile would be a fresh one.
      await shop.sandbox.control("/faults", { on: "price", kind: "status", status: 503 })
      await told(fresh, 129, 1)
      await told(old, 129, 60)
      for (const show of [fresh, old]) await isApplied(show)
      // What the second show told came at its time, and nothing has come since.
      await knex()("svc_event_product")
        .where({ campaign_uid: old.campaignUid })
        .update({ updated_at: new Date(Date.now() - 60 * MINUTE) })
      Object.assign(svc().options, { whenPriceUnavailable: "webhook_price" })
      expect([await sold(fresh), await sold(old)]).toEqual([[129, "webhook"], "price_unavailable"])
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
