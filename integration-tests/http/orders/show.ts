/** The first live show, end to end over HTTP: catalog, show, basket, order, conversion; every amount asserted. */
import { workLedger } from "../../../src/workflows/orders"
import { connectMarket, variantsOf } from "../../setup/connected-market"
import { completeCart, eventually, type Market, newOrderNo, runShow } from "../../setup/market"
import { newShopper, ref } from "../../setup/shopper"
import type { OrdersShop } from "./shop"

/** What each market's shopper sees and pays, worked out by hand; major units. */
const MARKETS = {
  denmark: {
    country: "dk",
    // 189.00 catalog; the show sells at 129.00, VAT 25 % included; parcel shop 39.00.
    catalogPrice: 189,
    showPrice: 129,
    line: { total: 258, tax: 51.6 },
    order: { total: 297, item_total: 258, tax_total: 59.4, shipping_total: 39 },
  },
  europe: {
    country: "de",
    // 21.00 catalog without tax; the show sells at 15.00, VAT 19 % on top; European parcel 9.50 and its VAT.
    catalogPrice: 21,
    showPrice: 15,
    line: { total: 35.7, tax: 5.7 },
    order: { total: 47.005, item_total: 35.7, tax_total: 7.505, shipping_total: 11.305 },
  },
} as const

export function describeShow(shop: OrdersShop): void {
  const { api, getContainer } = shop
  describe("the first live show", () => {
    const importCatalog = async (market: Market) => {
      const path = `/admin/svc/connections/${market.connectionId}/sync`
      await api.post(path, {}, market.admin)
      return eventually(
        async () => (await api.get(path, market.admin)).data.sync,
        (sync) => sync.status === "completed",
      )
    }
    const conversions = async (orderNo: string) =>
      (await shop.sandbox.client.orders.conversions()).conversions.filter(
        ({ order_no }) => order_no === orderNo,
      )

    describe.each(["denmark", "europe"] as const)("in %s", (place) => {
      const expected = MARKETS[place]

      it("sells a product of the store at the show's price and reports the order", async () => {
        const { denmark, mug, sandbox } = shop
        const market =
          place === "denmark" ? denmark : await connectMarket(api, getContainer(), sandbox, place)
        await api.post(`/admin/svc/connections/${market.connectionId}/webhook`, {}, market.admin)

        // The catalog travels to the service, at this market's price; of a language this store has no texts.
        const inDanish = { catalog: { locale: "da-DK" } }
        await api.post(`/admin/svc/connections/${market.connectionId}`, inDanish, market.admin)
        const sync = await importCatalog(market)
        expect(sync).toMatchObject({ status: "completed", failed: 0 })
        expect(sync.done).toBe(sync.total)
        expect(sync.total).toBeGreaterThanOrEqual(14)
        const filters = { page_uid: market.pageUid }
        const { product } = await sandbox.client.products.get(mug.product_id, filters)
        expect(product).toMatchObject({
          name: "Havn mug",
          type: "configurable",
          price: expected.catalogPrice,
          status: "enabled",
        })

        // A show with the mug goes live; the store learns it from signed deliveries.
        const { events } = sandbox.client
        const name = `Evening at the kiln in ${market.name}`
        const event = await events.create({ page_uid: market.pageUid, kind: "live", name })
        await events.addProduct(event.id, {
          external_id: mug.product_id,
          price: expected.showPrice,
        })
        await events.start(event.id)
        const live = await eventually(
          async (): Promise<{ name: string; status: string; products: unknown[] } | undefined> =>
            (await api.get("/store/svc/live-events", market.store)).data.live_events.find(
              (shown: { campaign_uid: string }) => shown.campaign_uid === event.campaign_uid,
            ),
          // Each of its deliveries comes for itself, in any order.
          (shown) => shown?.status === "live" && shown.products.length > 0,
        )
        expect(live).toMatchObject({
          name,
          products: [{ external_id: mug.product_id, price: expected.showPrice }],
        })

        // The shopper taps it in the player.
        const anna = await newShopper(api, market)
        const orderNo = await newOrderNo(sandbox, event.campaign_uid)
        const show = { eventId: event.id, campaignUid: event.campaign_uid, orderNo }
        const { data: action } = await anna.add(show, mug, 2)
        expect([action.status, action.failed_products]).toEqual(["SUCCESS", []])
        expect(action.cart.items).toMatchObject([
          {
            quantity: 2,
            unit_price: expected.showPrice,
            compare_at_unit_price: expected.catalogPrice,
            is_tax_inclusive: place === "denmark",
          },
        ])

        // And pays what was shown, after an address that makes the store compute everything anew.
        const placed = await completeCart(api, market, anna.cartId, expected.country)
        expect(placed.status).toBe(200)
        const order = placed.data.order
        if (!order) throw new Error("no order")
        const { data: full } = await api.get(
          `/admin/orders/${order.id}?fields=total,item_total,tax_total,shipping_total,currency_code,metadata,*items,+items.total,+items.tax_total`,
          market.admin,
        )
        for (const [field, amount] of Object.entries(expected.order)) {
          expect([field, full.order[field]]).toEqual([field, expect.closeTo(amount, 6)])
        }
        expect(full.order.items).toHaveLength(1)
        expect(full.order.items[0].unit_price).toBe(expected.showPrice)
        expect(full.order.items[0].compare_at_unit_price).toBe(expected.catalogPrice)
        expect(full.order.items[0].total).toBeCloseTo(expected.line.total, 6)
        expect(full.order.items[0].tax_total).toBeCloseTo(expected.line.tax, 6)
        expect(full.order.metadata).toMatchObject({ svc_order_no: orderNo })

        // The service counts one conversion, told once.
        const [conversion] = await eventually(
          () => conversions(orderNo),
          (found) => found.length > 0,
        )
        expect(conversion).toMatchObject({ order_no: orderNo, reports: 1 })

        // The ledger says the same.
        const orders = await eventually(
          async () =>
            (await api.get(`/admin/svc/orders?order_id=${order.id}`, market.admin)).data.orders,
          // The report and the ledger are two workers' work, and either may be done first.
          (found) => found[0]?.state === "reported" && found[0].units !== null,
        )
        expect(orders).toMatchObject([
          {
            svc_order_no: orderNo,
            campaign_uid: event.campaign_uid,
            connection_id: market.connectionId,
            currency_code: market.currency,
            units: 2,
            gross: expect.closeTo(expected.line.total, 6),
          },
        ])
        const { data: ledger } = await api.get(
          `/admin/svc/campaigns?campaign_uid=${event.campaign_uid}`,
          market.admin,
        )
        expect(ledger.campaigns).toMatchObject([
          {
            name,
            orders: 1,
            units: 2,
            gross: expect.closeTo(expected.line.total, 6),
            refunded: 0,
            net: expect.closeTo(expected.line.total, 6),
            conversion_rate: 1,
          },
        ])
      })
    })

    it("asks the service once for each product of a cart, and keeps the order number", async () => {
      const { denmark, mug, sandbox } = shop
      const [bowl] = await variantsOf(getContainer(), "lyng-bowl")
      if (!bowl) throw new Error("no bowl")
      const show = await runShow(sandbox, denmark, [
        { variant: mug, price: 129 },
        { variant: bowl, price: 99 },
      ])
      const anna = await newShopper(api, denmark)
      await sandbox.client.journal.clear()
      const { data } = await anna.act("some-checkout", show, [ref(mug, 2), ref(bowl, 2)])
      expect(data.status).toBe("SUCCESS")
      expect(data.cart.metadata).toMatchObject({ svc_order_no: show.orderNo })
      const { entries } = await sandbox.client.journal.find({ q: "endpoint:price" })
      expect(
        entries
          .map(({ path, request }) => [path, JSON.parse(request.body).productId])
          .sort((a, b) => String(a[1]).localeCompare(String(b[1]))),
      ).toEqual(
        [mug, bowl]
          .map(({ product_id }) => [`/getCampaignProductPrice/${show.campaignUid}`, product_id])
          .sort((a, b) => String(a[1]).localeCompare(String(b[1]))),
      )
    })

    it("takes back from a campaign's revenue what is refunded or returned, once each, as Medusa tells of it", async () => {
      const show = shop.mugShow()
      const { orderId } = await shop.buy(show)
      const ledger = async () =>
        (await shop.get(`campaigns?campaign_uid=${show.campaignUid}`)).campaigns[0]
      const changes = shop.changes()
      const sold = { orders: 1, units: 1, gross: 79 }
      expect(await eventually(ledger, (row) => row?.net === 79)).toMatchObject(sold)

      // Goodwill: nothing comes back, and 30.00 are refunded of what was paid.
      await changes.capture(orderId)
      await changes.refund(orderId, 30)
      // Of goods and delivery by their value.
      expect(await eventually(ledger, (row) => row?.net === 58.92)).toMatchObject({
        ...sold,
        refunded: 20.08,
      })

      // It comes back, and only then its money goes: that is no second loss.
      const [line] = (await changes.order(orderId)).items
      const pieces = [{ id: line?.id ?? "", quantity: 1 }]
      await changes.fulfil(orderId, pieces)
      await changes.sendBack(orderId, pieces)
      const returned = { ...sold, refunded: 79, net: 0 }
      expect(await eventually(ledger, (row) => row?.net === 0)).toMatchObject(returned)
      await changes.refund(orderId, 49)
      // Whatever that would change is in the ledger once nothing is waiting for it any more.
      await workLedger(getContainer())
      expect(await ledger()).toMatchObject(returned)
    })
  })
}
