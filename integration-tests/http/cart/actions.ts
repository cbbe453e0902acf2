/** What the player's two writing actions do to a cart (interface §4.6). */
import { MedusaError, Modules } from "@medusajs/framework/utils"
import { changeCartWorkflow } from "../../../src/workflows"
import { createPercentOff, variantsOf } from "../../setup/connected-market"
import { runShow } from "../../setup/market"
import { changeInShow, type Line, proofsOf, type Shopper } from "../../setup/shopper"
import type { CartShop } from "./shop"

export function describeActions(shop: CartShop): void {
  const { api, endHolds, getContainer, ref } = shop

  describe("actions of the player", () => {
    it("puts a product into the basket at the show's price, the catalog price struck through", async () => {
      const { show, anna } = await shop.open()

      const { status, data } = await anna.act("some-checkout", show, [ref(shop.mug, 2)])

      expect([status, data.status, data.failed_products]).toEqual([200, "SUCCESS", []])
      expect(data.cart.items).toHaveLength(1)
      expect(data.cart.items[0]).toMatchObject({
        variant_id: shop.mug.id,
        quantity: 2,
        unit_price: 129,
        compare_at_unit_price: 189,
        is_tax_inclusive: true,
        metadata: { svc_campaign_uid: show.campaignUid },
      })
      expect(data.cart.total).toBe(258)
      expect(data.cart.tax_total).toBeCloseTo(51.6, 6)
      expect(data.cart.metadata.svc_order_no).toBe(show.orderNo)
      expect(await anna.contents()).toMatchObject({
        status: "SUCCESS",
        products: [
          {
            product_id: shop.mug.product_id,
            variant_id: shop.mug.id,
            quantity: 2,
            unit_price: 129,
            total: 258,
            in_campaign: true,
          },
        ],
        total: 258,
        currency: "dkk",
      })
    })

    it("without an action adds what is not there, sets what is, and removes it at 0 (gap 41)", async () => {
      const { show, anna } = await shop.open()
      for (const [quantity, pieces] of [
        [2, [2]],
        [5, [5]],
        [0, []],
      ] as const) {
        const { data } = await anna.act("update-cart-contents", show, [ref(shop.mug, quantity)])
        expect([data.status, data.cart.items.map((line: Line) => line.quantity)]).toEqual([
          "SUCCESS",
          pieces,
        ])
      }
    })

    it("puts a plain piece beside the show's own that was engraved since", async () => {
      const { show, anna } = await shop.open()
      const [line] = (await anna.add(show, shop.mug)).data.cart.items
      await anna.setLine(line.id, { quantity: 1, metadata: { engraving: "Anna" } })
      const ofShow = { svc_campaign_uid: show.campaignUid }
      for (const pieces of [1, 2]) {
        const { data } = await anna.add(show, shop.mug)
        expect(data.cart.items).toMatchObject([
          { quantity: 1, unit_price: 129, metadata: { ...ofShow, engraving: "Anna" } },
          { quantity: pieces, unit_price: 129, metadata: ofShow },
        ])
      }
      expect(await proofsOf(getContainer(), anna.cartId)).toHaveLength(2)
    })

    it("shows each player its own show's lines as its own, where two shows sell one product", async () => {
      const selling = (price: number) =>
        runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price }])
      const one = await selling(129)
      const other = await selling(139)
      const anna = await shop.shopper()
      for (const show of [one, other]) await anna.add(show, shop.mug, 1)
      const own = async (query: string) => {
        const { data } = await api.get(
          `/store/carts/${anna.cartId}/svc/cart-contents${query}`,
          shop.denmark.store,
        )
        return data.products
          .filter((line: { in_campaign: boolean }) => line.in_campaign)
          .map((line: Line) => line.unit_price)
          .sort()
      }
      expect(await own(`?campaign_uid=${one.campaignUid}`)).toEqual([129])
      expect(await own(`?campaign_uid=${other.campaignUid}`)).toEqual([139])
      expect(await own("")).toEqual([129, 139])
    })

    it("shows the player each line's page where it is now, also after the product got another address", async () => {
      const { show, anna } = await shop.open()
      await anna.add(show, shop.mug, 1)
      await getContainer()
        .resolve(Modules.PRODUCT)
        .updateProducts(shop.mug.product_id, { handle: "another-mug" })
      const { data } = await api.get(
        `/store/carts/${anna.cartId}/svc/cart-contents`,
        shop.denmark.store,
      )
      expect(data.products).toMatchObject([
        { url: expect.stringMatching(/\/products\/another-mug$/) },
      ])
    })

    it("sells what it can and names what it cannot", async () => {
      const { show, anna } = await shop.open()
      const [notInShow] = await variantsOf(getContainer(), "tove-teapot")
      if (!notInShow) throw new Error("no teapot")
      const gone = { product_id: "prod_gone", quantity: 1 }
      const anyMug = { product_id: shop.mug.product_id, quantity: 1 }
      const { data } = await anna.act("some-checkout", show, [
        ref(shop.mug, 1),
        gone,
        anyMug,
        ref(notInShow, 1),
      ])
      expect(data.status).toBe("PARTIAL")
      expect(data.cart.items).toMatchObject([
        { variant_id: shop.mug.id, quantity: 1, unit_price: 129 },
      ])
      const failed = data.failed_products.map(
        ({ product, code, message }: { product: unknown; code: string; message: string }) => [
          product,
          code,
          message,
        ],
      )
      expect(failed).toEqual([
        [gone, "product_not_found", "This product is not in the store any more."],
        [anyMug, "variant_required", "Please choose a variant first."],
        [ref(notInShow, 1), "not_in_show", "This product is not in the show any more."],
      ])
      expect(data.message).toBe("Not everything is in your basket as you asked.")
    })

    it("keeps the basket as it was when the price cannot be confirmed", async () => {
      const { show, anna } = await shop.open()
      await shop.sandbox.control("/faults", {
        rules: [{ on: "price", kind: "status", status: 503 }],
      })
      const { status, data } = await anna.act("some-checkout", show, [ref(shop.mug, 1)])
      await shop.sandbox.endFaults()
      expect([status, data.status]).toEqual([200, "FAILURE"])
      expect(data.failed_products).toMatchObject([{ code: "price_unavailable" }])
      expect(data.cart.items).toEqual([])
      expect(data.cart.metadata?.svc_order_no).toBeUndefined()

      const healed = await anna.act("some-checkout", show, [ref(shop.mug, 1)])
      expect(healed.data.status).toBe("SUCCESS")
    })

    it("sells without promotions on top of the show's price where the connection says so, until the line is the shop's again", async () => {
      await createPercentOff(getContainer(), "TENTH")
      const { admin, connectionId } = shop.denmark
      const say = (promotions: string) =>
        api.post(`/admin/svc/connections/${connectionId}`, { promotions }, admin)
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const discounts = async (anna: Shopper) => {
        const { items } = (await anna.promotions(["TENTH"])).data.cart
        return items.map((line: Line & { adjustments?: object[] }) => [
          line.unit_price,
          (line.adjustments ?? []).length > 0,
        ])
      }
      expect((await say("exclude")).data.connection.promotions).toBe("exclude")
      const anna = await shop.shopper()
      await anna.add(show, shop.mug, 1)
      expect(await discounts(anna)).toEqual([[129, false]])
      // A line that was the shop's becomes one of the show's.
      const bert = await shop.shopper()
      await bert.addAtCatalogPrice(shop.mug, 1)
      expect(await discounts(bert)).toEqual([[189, true]])
      await bert.add(show, shop.mug, 1)
      expect(await discounts(bert)).toEqual([[129, false]])
      // What costs less with its promotion than in the show stays, beside the piece from the show.
      const dora = await shop.shopper()
      await dora.addAtCatalogPrice(shop.mug, 2)
      await discounts(dora)
      const dear = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 175 }])
      await dora.add(dear, shop.mug, 1)
      expect((await discounts(dora)).sort()).toEqual([
        [175, false],
        [189, true],
      ])
      // The show is over: the shop's promotions apply again, once the code is entered that Medusa has dropped meanwhile.
      await changeInShow(shop.sandbox, getContainer(), shop.denmark, show, shop.mug, null)
      await endHolds(show)
      await bert.act("update-cart-contents", show, [{ action: "change", ...ref(shop.mug, 1) }])
      expect(await bert.cart()).toMatchObject({ item_total: 189, discount_total: 0 })
      expect(await discounts(bert)).toEqual([[189, true]])
    })

    it("obeys a store's own rule for what the player may do, and leaves the basket as it was", async () => {
      const heard: unknown[] = []
      const { show, anna } = await shop.open()
      const { cartId } = anna
      changeCartWorkflow.hooks.validate(async (change) => {
        heard.push(change)
        // One handler for the whole process: it minds only this test's basket.
        if (change.cart_id === cartId && change.added.some(({ quantity }) => quantity === 3))
          throw new MedusaError(MedusaError.Types.NOT_ALLOWED, "Not 3 of them.")
      })
      const numbers = () =>
        shop
          .knex()("svc_cart_order_number")
          .where({ cart_id: cartId, deleted_at: null })
          .orderBy("order_no")
          .select("order_no", "page", "used_at", "checkout_quantities")
      const shownNumber = async () => (await anna.cart()).metadata?.svc_order_no
      const order = (quantity: number) => anna.act("some-checkout", show, [ref(shop.mug, quantity)])
      const refused = await order(3)
      expect([refused.status, refused.data.message]).toEqual([400, "Not 3 of them."])
      // No order is reported under a number that sold nothing.
      expect([await numbers(), await shownNumber()]).toEqual([[], undefined])
      const sold = await order(2)
      expect(sold.data.cart.items).toMatchObject([{ quantity: 2, unit_price: 129 }])
      const [line] = sold.data.cart.items
      await order(1)
      expect(heard.filter((change) => Object(change).cart_id === cartId)).toMatchObject([
        { occasion: "action", campaign_uid: show.campaignUid, added: [{ quantity: 3 }] },
        { added: [{ variant_id: shop.mug.id, quantity: 2, unit_price: 129 }], updated: [] },
        { added: [], updated: [{ line_item_id: line.id, quantity: 1 }], removed: [] },
      ])

      await anna.add(show, shop.mug, 1)
      // The connection had another page when the basket met it.
      await shop
        .knex()("svc_cart_order_number")
        .where({ cart_id: cartId })
        .update({ page: "https://earlier.example page" })
      const met = await numbers()
      expect(met).toMatchObject([{ checkout_quantities: { [shop.mug.id]: 1 } }])
      const other = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 139 }])
      for (const one of [show, other]) {
        const products = [ref(shop.mug, one === show ? 4 : 3)]
        const { data } = await anna.act("some-checkout", one, products)
        expect(data.message).toBe("Not 3 of them.")
      }
      expect([await numbers(), await shownNumber()]).toEqual([met, show.orderNo])
      // What the refused link counted as put in would take the piece away that "+" has added.
      expect((await order(2)).data.cart.items).toMatchObject([{ quantity: 3, unit_price: 129 }])
    })
  })
}
