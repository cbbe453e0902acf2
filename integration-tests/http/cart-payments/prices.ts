/** What a line of a show costs: its tax basis, the catalog price it is held against, and when it is none of the show's. */
import { Modules } from "@medusajs/framework/utils"
import expireCampaignPrices from "../../../src/jobs/expire-campaign-prices"
import { markChanged, workCatalog } from "../../../src/workflows/catalog"
import type { ConnectedShop } from "../../setup/connected-shop"
import {
  eventually,
  type Market,
  newOrderNo,
  runShow,
  type Show,
  type Variant,
} from "../../setup/market"
import { cafeOf, type Member } from "../../setup/member"
import type { RunningSandbox } from "../../setup/sandbox"
import { changeInShow, knownToStore, type Line, minutesPass } from "../../setup/shopper"

/** The show's prices are without tax, as a business sells; the region's are with it. */
const WITHOUT_VAT = { vat: { rate: 25, included: false } }

type TaxableItem = { id: string; unit_price?: unknown; quantity?: unknown }
type HasTaxProviders = { taxProviderService_: { retrieveProvider: (id: string) => object } }

/** @param shop delivers in Denmark, and hears of its shows */
export function describePrices(shop: ConnectedShop): void {
  const { api, getContainer, shopper } = shop

  describe("prices of a show's lines", () => {
    let sandbox: RunningSandbox
    let denmark: Market
    let mug: Variant
    let cup: Variant

    beforeAll(() => {
      ;({ sandbox, denmark, mug } = shop)
      cup = shop.mugs[1] ?? mug
    })
    afterEach(() => sandbox.control("/profiles", undefined, "DELETE"))

    const both = (price: number, extra: object = {}) => ({
      variant: mug,
      price,
      extra: {
        variants: [
          { external_id: mug.id, price },
          { external_id: cup.id, price },
        ],
        ...extra,
      },
    })
    /** The product of a show as the store knows it. */
    const productInShow = async (show: Show) => {
      const { data } = await api.get(
        `/admin/svc/live-events?campaign_uid=${show.campaignUid}`,
        denmark.admin,
      )
      const path = `/admin/svc/live-events/${data.live_events[0].id}`
      const { live_event } = (await api.get(path, denmark.admin)).data
      return live_event.products[0] as
        | {
            deleted_at: string | null
            available: boolean
            max_qty_per_customer: number | null
            readiness: { ready: boolean; problems: { code: string }[] }
          }
        | undefined
    }
    /** What a new shopper is answered who taps the mug. */
    const sold = async (show: Show) => {
      const anna = await shopper()
      const { data } = await anna.add(show, mug, 1)
      expect(data.cart.items).toEqual([])
      return {
        status: data.status,
        codes: data.failed_products.map((failed: { code: string }) => failed.code),
      }
    }
    const changed = (data: { error?: { lines: object[] } }) => data.error?.lines

    describe("tax", () => {
      it("is added to a show's price without VAT, whoever changes the quantity", async () => {
        const show = await runShow(sandbox, denmark, [both(200, WITHOUT_VAT)])
        const anna = await shopper()
        await anna.add(show, mug, 1)
        expect(await anna.cart()).toMatchObject({ item_total: 250, item_tax_total: 50 })
        const [line] = (await anna.cart()).items as [Line]

        // Core's own route, and the answer that the shopper reads.
        const { data } = await anna.setLine(line.id, { quantity: 2 })
        expect(data.cart).toMatchObject({ item_total: 500, item_tax_total: 100 })
        expect(data.cart.items).toMatchObject([{ unit_price: 200, is_tax_inclusive: false }])
      })

      it("is told when the show's price keeps its number and changes its basis, and the payment follows", async () => {
        const show = await runShow(sandbox, denmark, [both(200)])
        const anna = await shopper()
        await anna.add(show, mug, 1)
        await anna.pay()
        await changeInShow(sandbox, getContainer(), denmark, show, mug, WITHOUT_VAT)
        await minutesPass(getContainer(), anna.cartId, 31)

        const asked = await anna.order()
        expect(changed(asked.data)).toMatchObject([
          { old_unit_price: 200, new_unit_price: 200, reason: "price_changed" },
        ])
        const cart = await anna.cart()
        expect(cart).toMatchObject({ item_total: 250, item_tax_total: 50 })
        expect(cart.payment_collection?.amount).toBe(cart.total)
      })
    })

    describe("tax that is compared", () => {
      /** What a show without VAT asks for the mug, that costs 189 with it, and what is struck through then. */
      const struckThrough = async (price: number) => {
        const show = await runShow(sandbox, denmark, [both(price, WITHOUT_VAT)])
        const anna = await shopper()
        const { data } = await anna.add(show, mug, 1)
        expect(data.cart.items).toMatchObject([{ unit_price: price, is_tax_inclusive: false }])
        return { anna, before: data.cart.items[0].compare_at_unit_price }
      }

      it("is the store's own rate, that of its type while there is one, and none in a gift card", async () => {
        expect((await struckThrough(140)).before).toBe(151.2)
        const taxes = getContainer().resolve(Modules.TAX)
        const catalog = getContainer().resolve(Modules.PRODUCT)
        const [books] = await catalog.createProductTypes([{ value: "Books" }])
        const [dk] = await taxes.listTaxRegions({ country_code: "dk" })
        await taxes.createTaxRates({
          tax_region_id: dk?.id ?? "",
          name: "Books",
          code: "books",
          rate: 5,
          rules: [{ reference: "product_type", reference_id: books?.id ?? "" }],
        })
        await catalog.updateProducts(mug.product_id, { type_id: books?.id ?? "" })
        expect((await struckThrough(150)).before).toBe(180)
        // Medusa leaves its id on the product, and charges no tax by it.
        await catalog.softDeleteProductTypes([books?.id ?? ""])
        expect((await struckThrough(145)).before).toBe(151.2)
        await shop.knex()("product").where({ id: mug.product_id }).update({ is_giftcard: true })
        const { anna, before } = await struckThrough(160)
        expect(before).toBe(189)
        expect((await anna.cart()).item_total).toBe(160)
      })

      it("is not known where a provider computes it that wants a whole checkout, and nothing stands in the way of the payment", async () => {
        await shop.knex()("tax_provider").insert({ id: "tp_elsewhere", is_enabled: true })
        await shop
          .knex()("tax_region")
          .where({ country_code: "dk" })
          .update({ provider_id: "tp_elsewhere" })
        const elsewhere = {
          getTaxLines: async (items: { line_item: TaxableItem }[]) =>
            items.map(({ line_item: { id, unit_price, quantity } }) => {
              if (!unit_price || !quantity)
                throw new Error(`${id} is missing its price or quantity`)
              return {
                line_item_id: id,
                rate: 25,
                code: "vat",
                name: "VAT",
                provider_id: "elsewhere",
              }
            }),
        }
        const { taxProviderService_ } = getContainer().resolve<HasTaxProviders>(Modules.TAX)
        jest.spyOn(taxProviderService_, "retrieveProvider").mockReturnValue(elsewhere)
        const { anna, before } = await struckThrough(99)
        expect(before).toBeNull()
        expect((await anna.pay()).status).toBe(200)
        expect(await anna.cart()).toMatchObject({ item_total: 123.75 })
      })
    })

    describe("the catalog price", () => {
      /** A shopper who has logged in as a customer with prices of their own. */
      const member = async ({ token }: Member) => {
        const anna = await shopper()
        expect((await anna.logIn(token)).status).toBe(200)
        return anna
      }

      it("is the customer's own, for the quantity, where it is struck through and where the show ends", async () => {
        const show = await runShow(sandbox, denmark, [both(99)])
        const cafe = await member(await cafeOf(api, getContainer(), denmark, [mug]))
        const added = await cafe.add(show, mug, 2)
        expect(added.data.cart.items).toMatchObject([
          { unit_price: 99, compare_at_unit_price: 120 },
        ])
        await sandbox.control(`/events/${show.eventId}/cancel`, {})
        await knownToStore(api, denmark, show, ({ status }) => status === "cancelled")
        // Baskets of a copy are left alone: of a connection that another store has, and not of the others beside it.
        const rows = () => getContainer().resolve("__pg_connection__")("svc_connection")
        const isOf = (store_host: string | null) => rows().update({ store_host })
        await isOf("old.example.com")
        await expireCampaignPrices(getContainer())
        expect((await cafe.cart()).items).toMatchObject([{ unit_price: 99, quantity: 2 }])
        await isOf(null)
        const { id: _, ...columns } = await rows().first()
        const left = {
          ...columns,
          id: "svccon_left",
          page_uid: "left",
          store_host: "old.example.com",
        }
        await rows().insert({ ...left, last_check: null, catalog: null, report_settings: null })
        await expireCampaignPrices(getContainer())
        expect((await cafe.cart()).items).toMatchObject([
          { unit_price: 120, quantity: 2, metadata: {} },
        ])
      })

      it("is what a cheaper customer pays, where the merchant says so", async () => {
        const show = await runShow(sandbox, denmark, [both(129)])
        const { options } = getContainer().resolve("svc")
        const prices = await cafeOf(api, getContainer(), denmark, [mug])
        const first = await (await member(prices)).add(show, mug, 2)
        expect(first.data.cart.items).toMatchObject([{ unit_price: 129 }])
        Object.assign(options, { whenCatalogIsCheaper: "catalog" })
        const other = await member(prices)
        const added = await other.add(show, mug, 2)
        expect(added.data).toMatchObject({ status: "SUCCESS" })
        expect(added.data.cart.items).toMatchObject([{ unit_price: 120, quantity: 2 }])
      })
    })

    describe("an answer that the interface does not show", () => {
      /** The service knows what the mug costs without the show: the second price of its answer. */
      const pushed = async () => {
        await markChanged(getContainer(), "product", [mug.product_id])
        await workCatalog(getContainer())
        const path = `/products?page_uid=${denmark.pageUid}&limit=200`
        await eventually(
          () => sandbox.control<{ products: { product: { id: string } }[] }>(path),
          ({ products }) => products.some(({ product }) => product.id === mug.product_id),
        )
      }

      it("sells at the show's price where it has the catalog's beside it, or digits that no currency has", async () => {
        await pushed()
        for (const profile of [{ price_answer: "two_prices" }, { lookup_price: "many_digits" }]) {
          await sandbox.control("/profiles", undefined, "DELETE")
          await sandbox.control("/profiles", profile)
          const anna = await shopper()
          const { data } = await anna.add(await runShow(sandbox, denmark, [both(129)]), mug, 2)
          expect(data.cart.items).toMatchObject([{ unit_price: 129 }])
          expect((await anna.pay()).data.payment_collection).toMatchObject({ amount: 258 })
        }
      })

      it("sells nothing where two prices, currencies or tax bases are in it, and nothing tells which is the show's", async () => {
        await pushed()
        for (const price_answer of ["ambiguous", "two_currencies", "two_bases"]) {
          await sandbox.control("/profiles", { price_answer })
          expect([price_answer, await sold(await runShow(sandbox, denmark, [both(129)]))]).toEqual([
            price_answer,
            { status: "FAILURE", codes: ["price_unavailable"] },
          ])
        }
      })

      it("sells in a show of any name, told in deliveries whose fields have other types, and reports its order", async () => {
        await sandbox.control("/profiles", { identifiers: "any", field_types: "other" })
        const show = await runShow(sandbox, denmark, [both(129)])
        const of = encodeURIComponent(show.campaignUid)
        const told = async (path: string) =>
          (await api.get(`/admin/svc/${path}`, denmark.admin)).data
        const { live_events } = await eventually(
          () => told(`live-events?campaign_uid=${of}`),
          (found) => found.live_events[0]?.status === "live",
        )
        const { live_event } = await eventually(
          () => told(`live-events/${live_events[0].id}`),
          (found) => found.live_event.products.length > 0,
        )
        expect(live_event.products).toMatchObject([
          { price: 129, available: true, min_purchase_qty: null, max_qty_per_customer: null },
        ])
        const { deliveries } = await told("deliveries?topic=live_event_product.created&limit=1")
        expect(deliveries).toMatchObject([
          {
            outcome: "applied",
            reason: { code: "fields_unread", params: { fields: ["maxQtyPerCustomer"] } },
          },
        ])
        const anna = await shop.deliveredShopper()
        const { data } = await anna.add(show, mug, 2)
        expect(data.cart.items).toMatchObject([{ unit_price: 129, quantity: 2 }])
        await anna.pay()
        expect((await anna.order()).data.order).toMatchObject({ item_total: 258 })
        const { orders } = await eventually(
          () => sandbox.control<{ orders: { order_no: string; reports: number }[] }>("/orders"),
          (found) =>
            found.orders.some(({ order_no, reports }) => order_no === show.orderNo && reports > 0),
        )
        expect(orders.find(({ order_no }) => order_no === show.orderNo)?.reports).toBe(1)
      })
    })

    describe("a show that does not sell", () => {
      it("sells nothing when it was deleted, though the service still answers a price", async () => {
        const show = await runShow(sandbox, denmark, [both(129)])
        await sandbox.control("/profiles", { campaign_prices: "always" })
        await sandbox.control(`/events/${show.eventId}`, undefined, "DELETE")
        await knownToStore(api, denmark, show, ({ deleted_at }) => deleted_at !== null)
        expect(await sold(show)).toEqual({ status: "FAILURE", codes: ["campaign_ended"] })
      })

      it("sells no product that was removed from it, and takes its price from those who have it", async () => {
        const show = await runShow(sandbox, denmark, [both(129)])
        const anna = await shopper()
        await anna.add(show, mug, 1)
        await sandbox.control("/profiles", { campaign_prices: "always" })
        await changeInShow(sandbox, getContainer(), denmark, show, mug, null)
        await eventually(
          () => productInShow(show),
          (product) => product !== undefined && product.deleted_at !== null,
        )
        expect(await sold(show)).toEqual({ status: "FAILURE", codes: ["not_available"] })
        await anna.pay()
        const asked = await anna.order()
        expect(changed(asked.data)).toMatchObject([
          { old_unit_price: 129, new_unit_price: 189, reason: "not_available" },
        ])
      })
    })

    it("does not keep anybody from removing what was deleted", async () => {
      const show = await runShow(sandbox, denmark, [both(129)])
      const anna = await shopper()
      await anna.add(show, mug, 1)
      await getContainer().resolve(Modules.PRODUCT).softDeleteProducts([mug.product_id])
      const { data } = await anna.act("update-cart-contents", show, [
        { action: "remove", product_id: mug.product_id, variant_id: mug.id },
      ])
      expect([data.status, data.cart.items]).toEqual(["SUCCESS", []])
    })

    it("allows a customer a maximum, in which the orders count that they have placed already", async () => {
      const show = await runShow(sandbox, denmark, [both(129, { max_qty_per_customer: 3 })])
      await eventually(
        () => productInShow(show),
        (product) => product?.max_qty_per_customer === 3,
      )
      const first = await shop.deliveredShopper()
      await first.add(show, mug, 2)
      await first.pay()
      const { order } = (await first.order()).data
      expect(order.items).toMatchObject([{ quantity: 2 }])

      const second = await shopper()
      const orderNo = await newOrderNo(sandbox, show.campaignUid)
      await second.add({ ...show, orderNo }, cup, 2)
      // The same e-mail address is known from here on.
      await second.checkOut()
      await second.pay()
      const asked = await second.order()
      expect(changed(asked.data)).toMatchObject([
        { old_quantity: 2, new_quantity: 1, reason: "quantity_limited" },
      ])
      await second.pay()
      expect((await second.order()).data.order.items).toMatchObject([{ quantity: 1 }])

      // What was cancelled is free again, also once the merchant has filed the order away.
      for (const what of ["cancel", "archive"]) {
        await api.post(`/admin/orders/${order.id}/${what}`, {}, denmark.admin)
      }
      const third = await shopper()
      await third.checkOut()
      const { data } = await third.add(show, cup, 2)
      expect(data.cart.items).toMatchObject([{ quantity: 2 }])
    })
  })
}
