/** Every reason that no other part provokes; those that change a tax in a market where it comes on top of the price. */
import { createProductVariantsWorkflow, deleteProductVariantsWorkflow } from "@medusajs/core-flows"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { RefusalCode } from "../../../src/modules/svc"
import { CART_CODES, forgetPrices } from "../../../src/workflows/cart"
import { workPulls } from "../../../src/workflows/shows"
import { connectMarket } from "../../setup/connected-market"
import { eventually, type Market, runShow } from "../../setup/market"
import { changeInShow, ref } from "../../setup/shopper"
import { describeCodesWithTax } from "./codes-with-tax"
import type { CartShop } from "./shop"

/**
 * Refusals of the cart's routes beside the reasons of single products. Not among them: `cart_moved`, which takes a lock that
 * ended ("what a browser may try"), and `payment_under_way`, which the guard of the order and the minute's job honour.
 */
const REFUSED = [
  "invalid_request",
  "body_too_large",
  "not_plain_json",
  "not_found",
  "page_not_connected",
  "order_number_required",
  "cart_busy",
  "cart_completed",
  "svc_price_changed",
] as const satisfies RefusalCode[]

export function describeCodes(shop: CartShop): void {
  const { api, getContainer, knex, svc } = shop

  const first = (data: { status: string; failed_products: { code: string }[] }) => [
    data.status,
    data.failed_products[0]?.code,
  ]

  describe("reasons", () => {
    // The service keeps a few webhooks for each page, also those that the store has forgotten with its test.
    let removeWebhook = async (): Promise<unknown> => undefined
    afterEach(() => removeWebhook())

    /** A show that sells the mug, and the market that it is in. */
    const begin = async (market: Market, price: number, extra: object, webhook: boolean) => {
      if (webhook) {
        const path = `/admin/svc/connections/${market.connectionId}/webhook`
        await api.post(path, {}, market.admin)
        removeWebhook = async () => {
          removeWebhook = async () => undefined
          await api.delete(path, market.admin)
        }
      }
      const show = await runShow(shop.sandbox, market, [
        {
          variant: shop.mug,
          price,
          extra: { variants: [{ external_id: shop.mug.id, price }], ...extra },
        },
      ])
      return { market, show }
    }
    const open = async (price = 12.99, extra: object = {}, webhook = false) => {
      const begun = await begin(shop.denmark, price, extra, webhook)
      return { ...begun, anna: await shop.shopper(begun.market) }
    }

    it("names why it refuses to look at a request", async () => {
      const { anna, market, show } = await open()
      const mug = { action: "add", ...ref(shop.mug, 1) }
      const answered = async (more: object = {}) => {
        const { status, data } = await anna.act("update-cart-contents", show, [mug], more)
        return [status, data]
      }
      expect(await answered({ page_uid: "nobodys-page" })).toMatchObject([
        400,
        { code: "page_not_connected" },
      ])
      expect(await answered({ note: "a".repeat(101 * 1024) })).toMatchObject([
        413,
        { code: "body_too_large" },
      ])
      const { status, data } = await api.post(
        `/store/carts/${anna.cartId}/svc/update-cart-contents`,
        JSON.stringify({ ...show, products: [mug] }),
        {
          headers: { ...market.store.headers, "content-type": "text/plain" },
          validateStatus: () => true,
        },
      )
      expect([status, data.code]).toEqual([415, "not_plain_json"])
      expect((await anna.cart()).items).toEqual([])

      const locking = getContainer().resolve(Modules.LOCKING)
      await locking.acquire(anna.cartId, { expire: 60 })
      expect(await answered()).toEqual([
        409,
        { type: "conflict", code: "cart_busy", message: expect.stringContaining("try again") },
      ])
      await locking.release(anna.cartId)
      expect(await answered()).toMatchObject([200, { status: "SUCCESS" }])
      await getContainer().resolve(Modules.CART).deleteCarts([anna.cartId])
      expect(await answered()).toMatchObject([404, { code: "not_found" }])
    })

    it("price_too_low, out_of_stock and not_for_sale, as it is when the shopper taps", async () => {
      const { anna, show } = await open(10)
      const refused = async () => first((await anna.add(show, shop.mug, 1)).data)
      Object.assign(svc().options, { minPriceShare: 0.9 })
      expect(await refused()).toEqual(["FAILURE", "price_too_low"])
      Object.assign(svc().options, { minPriceShare: 0 })
      await knex()("inventory_level").update({
        stocked_quantity: 0,
        raw_stocked_quantity: JSON.stringify({ value: "0", precision: 20 }),
      })
      expect(await refused()).toEqual(["FAILURE", "out_of_stock"])
      await getContainer()
        .resolve(Modules.PRODUCT)
        .updateProducts(shop.mug.product_id, { status: "draft" })
      expect(await refused()).toEqual(["FAILURE", "not_for_sale"])
    })

    it("out_of_stock of what another order took since it was counted, and the rest goes in", async () => {
      const [mug, cup] = shop.mugs
      if (!mug || !cup) throw new Error("no second mug")
      const both = [mug, cup].map(({ id }) => ({ external_id: id, price: 10 }))
      const { anna, show } = await open(10, { variants: both })
      // It is asked for once the cart is planned, before core counts for itself.
      const { records } = getContainer().resolve("svc").cart
      const before = records.before.bind(records)
      jest.spyOn(records, "before").mockImplementationOnce(async (...planned) => {
        const of = knex()("product_variant_inventory_item").where({ variant_id: mug.id })
        await knex()("inventory_level")
          .whereIn("inventory_item_id", of.select("inventory_item_id"))
          .update({ stocked_quantity: 0, raw_stocked_quantity: '{"value": "0", "precision": 20}' })
        return before(...planned)
      })
      const { data } = await anna.act("some-checkout", show, [ref(mug, 1), ref(cup, 1)])
      expect([data.status, ...data.failed_products]).toMatchObject([
        "PARTIAL",
        { product: { variant_id: mug.id }, code: "out_of_stock" },
      ])
      expect(data.cart.items).toMatchObject([{ variant_id: cup.id, quantity: 1 }])
    })

    it("quantity_limited by the stock that nobody has reserved", async () => {
      const { anna, show } = await open()
      const stock = (column: string, units: number) =>
        knex()("inventory_level").update({
          [column]: units,
          [`raw_${column}`]: JSON.stringify({ value: String(units), precision: 20 }),
        })
      await stock("stocked_quantity", 3)
      await stock("reserved_quantity", 1)
      expect((await anna.add(show, shop.mug, 3)).data).toMatchObject({
        status: "PARTIAL",
        failed_products: [{ code: "quantity_limited", params: { limit: "stock", quantity: 2 } }],
        cart: { items: [{ quantity: 2, unit_price: 12.99 }] },
      })
    })

    it("not_available and channel_mismatch, as it is when the shopper orders", async () => {
      const { anna, market, show } = await open(12.99, {}, true)
      await anna.add(show, shop.mug, 2)
      const change = { available: false }
      await changeInShow(shop.sandbox, getContainer(), market, show, shop.mug, change)
      await eventually(
        () => knex()("svc_event_product").where({ campaign_uid: show.campaignUid }).first(),
        (product) => product?.available === false,
      )
      expect((await anna.order()).data.error?.lines).toMatchObject([
        { old_unit_price: 12.99, new_unit_price: 189, reason: "not_available" },
      ])

      const other = await open()
      await other.anna.add(other.show, shop.mug, 2)
      const elsewhere = await getContainer()
        .resolve(Modules.SALES_CHANNEL)
        .createSalesChannels({ name: "Marketplace" })
      await getContainer()
        .resolve(Modules.CART)
        .updateCarts(other.anna.cartId, { sales_channel_id: elsewhere.id })
      expect((await other.anna.order()).data.error?.lines).toMatchObject([
        { old_unit_price: 12.99, new_unit_price: 189, reason: "channel_mismatch" },
      ])
    })

    it("currency_mismatch, with both currencies", async () => {
      const { anna, show } = await open(12.99, { currency: "SEK" })
      const { data } = await anna.add(show, shop.mug, 1)
      expect(data.failed_products).toMatchObject([
        { code: "currency_mismatch", params: { show_currency: "SEK", cart_currency: "DKK" } },
      ])
    })

    it("catalog_price, where the merchant sells at it while the show's cannot be confirmed", async () => {
      const { anna, show } = await open()
      await shop.sandbox.control("/faults", { on: "price", kind: "status", status: 503 })
      Object.assign(svc().options, { whenPriceUnavailable: "catalog" })
      const { data } = await anna.add(show, shop.mug, 1)
      expect(first(data)).toEqual(["PARTIAL", "catalog_price"])
      expect(data.cart.items).toMatchObject([{ unit_price: 189, quantity: 1 }])
    })

    it.each([
      ["currency", { currency: "SEK" }],
      ["tax basis", { vat: { rate: 25, included: false } }],
    ])("sells at no price that the service looked up in another %s", async (_what, basis) => {
      const { anna, market, show } = await open(11, {}, true)
      const row = () => knex()("svc_event_product").where({ campaign_uid: show.campaignUid })
      await eventually(
        () => row().first("id"),
        (told) => told !== undefined,
      )
      // The new webhook's first reading looks prices up as well: under way, it would settle what is doubted below.
      await workPulls(getContainer())
      await shop.sandbox.control(`/events/${show.eventId}`, basis)
      // As deliveries that contradict each other leave it: the price is looked up with the next reading of the listings.
      await row().update({ needs_reread: true })
      await svc().shows.pulls.request("requested", [market.connectionId])
      await workPulls(getContainer())
      await forgetPrices(getContainer(), market.connectionId, show.campaignUid)
      await shop.sandbox.control("/faults", { on: "price", kind: "status", status: 503 })
      Object.assign(svc().options, { whenPriceUnavailable: "webhook_price" })
      const { data } = await anna.add(show, shop.mug, 1)
      expect(first(data)).toEqual(["FAILURE", "price_unavailable"])
      expect(await row().first("needs_reread")).toEqual({ needs_reread: true })
      // After more failures in a row the next tests' lookups would be held back for seconds.
      await shop.sandbox.endFaults()
      expect(first((await anna.add(show, shop.mug, 1)).data)).not.toContain("price_unavailable")
    })

    const sellOneMugOnly = () =>
      deleteProductVariantsWorkflow(getContainer()).run({
        input: { ids: shop.mugs.filter(({ id }) => id !== shop.mug.id).map(({ id }) => id) },
      })

    it("sells the one variant that is left of a product that the show knows with several", async () => {
      const { anna, show } = await open(12.99, {
        variants: shop.mugs.map(({ id }, n) => ({ external_id: id, price: 11 + n })),
      })
      await sellOneMugOnly()
      const { data } = await anna.add(show, shop.mug, 1)
      expect(data).toMatchObject({ status: "SUCCESS", cart: { items: [{ unit_price: 11 }] } })
    })

    it("variant_not_in_show, of a product that got more variants than the one that the show knows", async () => {
      await sellOneMugOnly()
      const { anna, market, show } = await open(12.99, { variants: [] }, true)
      await anna.add(show, shop.mug, 1)
      const { result } = await createProductVariantsWorkflow(getContainer()).run({
        input: {
          product_variants: [
            {
              product_id: shop.mug.product_id,
              title: "A large one",
              sku: "LARGE-MUG",
              manage_inventory: false,
              options: { Colour: "Moss" },
              prices: [{ currency_code: market.currency, amount: 400 }],
            },
          ],
        },
      })
      const [large] = result
      if (!large) throw new Error("no large mug")
      const wanted = { ...shop.mug, id: large.id }
      const { data } = await anna.add(show, wanted, 1)
      expect(first(data)).toEqual(["FAILURE", "variant_not_in_show"])
      await eventually(
        () => knex()("svc_event_product").where({ campaign_uid: show.campaignUid }).first("id"),
        (row) => row !== undefined,
      )
      expect(first((await anna.add(show, wanted, 1)).data)).toEqual([
        "FAILURE",
        "variant_not_in_show",
      ])
      // Nor at what was told of the other, while the service cannot say so.
      await shop.sandbox.control("/faults", { on: "price", kind: "status", status: 503 })
      Object.assign(svc().options, { whenPriceUnavailable: "webhook_price" })
      expect(first((await anna.add(show, wanted, 1)).data)).toEqual([
        "FAILURE",
        "price_unavailable",
      ])
      // Not even where the other's sku is the product's handle as well, with which several variants are told.
      const sku = shop.mug.handle
      await knex()("product_variant").where({ id: shop.mug.id }).update({ sku })
      await knex()("svc_event_product").where({ campaign_uid: show.campaignUid }).update({ sku })
      expect(first((await anna.add(show, wanted, 1)).data)).toEqual([
        "FAILURE",
        "price_unavailable",
      ])
      await shop.sandbox.control("/faults", undefined, "DELETE")
      // The other is the one that the service has taken the product for, by its sku.
      const other = await shop.shopper(market)
      expect((await other.add(show, shop.mug, 1)).data).toMatchObject({
        status: "SUCCESS",
        cart: { items: [{ variant_id: shop.mug.id, unit_price: 12.99 }] },
      })
    })

    it("order_number_required, until the basket has met the show", async () => {
      const { anna, show } = await open()
      const { campaignUid } = show
      const without = () =>
        anna.act("update-cart-contents", { campaignUid }, [{ action: "add", ...ref(shop.mug, 1) }])
      const refused = await without()
      expect([refused.status, refused.data.code]).toEqual([400, "order_number_required"])
      await anna.add(show, shop.mug, 1)
      const { data } = await without()
      expect(data).toMatchObject({
        status: "SUCCESS",
        cart: { items: [{ quantity: 2 }], metadata: { svc_order_no: show.orderNo } },
      })
    })

    it("cart_completed", async () => {
      const { show } = await begin(shop.denmark, 12.99, {}, false)
      const anna = await shop.deliveredShopper()
      await anna.add(show, shop.mug, 1)
      await anna.pay()
      expect((await anna.order()).data.type).toBe("order")
      const refused = await anna.add(show, shop.mug, 1)
      expect([refused.status, refused.data.code]).toEqual([409, "cart_completed"])
      expect(refused.data.params).toEqual({ order_no: show.orderNo })
      const another = await anna.add({ ...show, orderNo: "another" }, shop.mug, 1)
      expect([another.data.code, another.data.params]).toEqual(["cart_completed", undefined])
      // The player must not show what was ordered as a basket: its next tap would come with the number of that order.
      expect(await anna.contents()).toMatchObject({ code: "cart_completed" })
      const { data } = await getContainer()
        .resolve(ContainerRegistrationKeys.QUERY)
        .graph({
          entity: "order_cart",
          fields: ["order.items.quantity"],
          filters: { cart_id: anna.cartId },
        })
      expect(Number(data[0]?.order?.items?.[0]?.quantity)).toBe(1)
    })

    describe("with the tax on top of the price", () => {
      describeCodesWithTax(shop, async (price, extra, webhook) => {
        const market = await connectMarket(api, getContainer(), shop.sandbox, "europe")
        const begun = await begin(market, price, extra, webhook)
        return { ...begun, anna: await shop.deliveredShopper(market) }
      })
    })

    it("are all of them: none is left that no part provoked", () => {
      const all = [...Object.keys(CART_CODES), ...REFUSED]
      expect(all.filter((code) => !shop.provoked.has(code))).toEqual([])
    })
  })
}
