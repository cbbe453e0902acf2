/** The cart moves to another region, thus maybe to another currency (gap 46a). */
import { deleteLineItemsWorkflow, updateCartWorkflow } from "@medusajs/core-flows"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { REGIONS } from "../../../demo/catalog/seed-names"
import { createPercentOff } from "../../setup/connected-market"
import { createCart, eventually, runShow, type Show } from "../../setup/market"
import { changeInShow } from "../../setup/shopper"
import type { CartShop } from "./shop"

export function describeRegion(shop: CartShop): void {
  const { act, api, contents, endHolds, getContainer, ids, inShow, ref, svc } = shop

  describe("when the cart's region changes", () => {
    const changeRegion = async (cartId: string, regionId: string) =>
      (await api.post(`/store/carts/${cartId}`, { region_id: regionId }, shop.denmark.store)).data
        .cart
    const complete = async (cartId: string, acknowledged: { id: string }[] = []) => {
      const url = `/store/carts/${cartId}/complete`
      const ids = acknowledged.map(({ id }) => id).join(",")
      const { status, data } = await api.post(
        url,
        {},
        {
          headers: { ...shop.denmark.store.headers, "x-svc-acknowledged-changes": ids },
          validateStatus: () => true,
        },
      )
      return { status, ...data }
    }
    /** Core's own answer: nobody has begun to pay, and we have nothing against the order. */
    const NOTHING_OF_OURS = {
      status: 400,
      type: "invalid_data",
      message: "Payment collection has not been initiated for cart",
    }
    let iceland: string
    let europe: string

    beforeEach(async () => {
      const regions = getContainer().resolve(Modules.REGION)
      const [region] = await regions.createRegions([
        { name: "Iceland, in kroner", currency_code: "dkk", countries: ["is"] },
      ])
      iceland = region?.id ?? ""
      const [other] = await regions.listRegions({ name: REGIONS.europe })
      europe = other?.id ?? ""
    })

    it("keeps the show's lines at the show's price in a region of the same currency, and where a region was refused", async () => {
      const { cartId, show } = await inShow(2)
      const refused = await api.post(
        `/store/carts/${cartId}`,
        { region_id: "reg_nowhere" },
        { ...shop.denmark.store, validateStatus: () => true },
      )
      expect(refused.status).toBe(404)
      expect(await complete(cartId)).toEqual(NOTHING_OF_OURS)
      expect(await contents(cartId)).toMatchObject({ total: 258 })
      const cart = await changeRegion(cartId, iceland)
      expect(cart.items).toMatchObject([
        {
          variant_id: shop.mug.id,
          quantity: 2,
          unit_price: 129,
          compare_at_unit_price: 189,
          metadata: { svc_campaign_uid: show.campaignUid },
        },
      ])
      expect([cart.region_id, cart.total]).toEqual([iceland, 258])
      const shown = await contents(cartId)
      expect(shown).toMatchObject({ products: [{ unit_price: 129, in_campaign: true }] })
      expect(shown.changes).toBeUndefined()
      expect(await complete(cartId)).toEqual(NOTHING_OF_OURS)
      // Back and forth, and what the shopper removes stays removed.
      expect((await changeRegion(cartId, shop.denmark.regionId)).items).toMatchObject([
        { quantity: 2, unit_price: 129 },
      ])
      await api.delete(`/store/carts/${cartId}/line-items/${cart.items[0].id}`, shop.denmark.store)
      expect((await changeRegion(cartId, iceland)).items).toEqual([])
    })

    it("keeps the shopper's coupon where the show's lines are all that the basket has", async () => {
      await createPercentOff(getContainer(), "TENTH")
      await createPercentOff(getContainer(), "FIFTH", 20)
      const { cartId } = await inShow(2)
      const url = `/store/carts/${cartId}`
      await api.post(`${url}/promotions`, { promo_codes: ["TENTH"] }, shop.denmark.store)
      const changed = async (body: object) => {
        const { data } = await api.post(`${url}?fields=+promotions.code`, body, shop.denmark.store)
        return [data.cart.promotions.map(({ code }: { code: string }) => code), data.cart.total]
      }
      expect(await changed({ region_id: iceland })).toEqual([["TENTH"], 232.2])
      expect(await changed({ sales_channel_id: shop.denmark.salesChannelId })).toEqual([
        ["TENTH"],
        232.2,
      ])
      // One that comes with the region counts, and so does none.
      const denmark = shop.denmark.regionId
      expect(await changed({ region_id: denmark, promo_codes: ["FIFTH"] })).toEqual([
        ["FIFTH"],
        206.4,
      ])
      expect(await changed({ region_id: iceland, promo_codes: [] })).toEqual([[], 258])
    })

    it("keeps it also where more pieces come back than there were, because the show sells no fewer", async () => {
      const { connectionId, admin } = shop.denmark
      const webhook = `/admin/svc/connections/${connectionId}/webhook`
      await api.post(webhook, {}, admin)
      await createPercentOff(getContainer(), "TENTH_OF_MORE")
      const { cartId, show } = await inShow()
      const url = `/store/carts/${cartId}`
      await api.post(`${url}/promotions`, { promo_codes: ["TENTH_OF_MORE"] }, shop.denmark.store)
      const atLeast = { min_purchase_qty: 2 }
      await changeInShow(shop.sandbox, getContainer(), shop.denmark, show, shop.mug, atLeast)
      await eventually(
        () =>
          shop
            .knex()("svc_event_product")
            .where({ campaign_uid: show.campaignUid })
            .first("min_purchase_qty"),
        (product) => product?.min_purchase_qty === 2,
      )
      const cart = await changeRegion(cartId, iceland)
      expect([cart.items[0]?.quantity, cart.total]).toEqual([2, 232.2])
      await api.delete(webhook, admin)
    })

    it("brings back lines where other code changes the region by core's own workflow, and none that the shopper removed", async () => {
      const [, other] = shop.mugs
      if (!other) throw new Error("The mug has one variant only.")
      const variants = [shop.mug, other].map(({ id }) => ({ external_id: id, price: 129 }))
      const show = await runShow(shop.sandbox, shop.denmark, [
        { variant: shop.mug, price: 129, extra: { variants } },
      ])
      const cartId = await createCart(api, shop.denmark)
      const { data } = await act("some-checkout", cartId, {
        ...ids(show),
        products: [ref(shop.mug, 2), ref(other, 1)],
      })
      const removed = data.cart.items.find(
        (line: { variant_id: string }) => line.variant_id === other.id,
      )
      // As other code removes it: nobody tells us that it was the shopper.
      await deleteLineItemsWorkflow(getContainer()).run({
        input: { cart_id: cartId, ids: [removed.id] },
      })
      await updateCartWorkflow(getContainer()).run({ input: { id: cartId, region_id: iceland } })
      const cart = await eventually(
        async () => (await api.get(`/store/carts/${cartId}`, shop.denmark.store)).data.cart,
        ({ items }) => items.length > 0,
      )
      expect(cart.items).toMatchObject([{ variant_id: shop.mug.id, quantity: 2, unit_price: 129 }])
      expect((await contents(cartId)).changes).toMatchObject([{ reason: "region_changed" }])
    })

    describe("in another tab while a price is asked for", () => {
      /**
       * Tries until the region changed before the price's answer came: a machine may be too slow for it, or for either to wait
       * for the other's lock.
       */
      const whileRegionChanges = async (
        regionId: string,
        price: number,
        begin: () => Promise<string>,
        asks: (cartId: string, show: Show) => ReturnType<typeof act>,
      ) => {
        for (let tries = 0; tries < 10; tries++) {
          const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price }])
          const cartId = await begin()
          await shop.sandbox.endFaults()
          await shop.sandbox.control("/faults", {
            on: "price",
            kind: "delay",
            delay_ms: 1_500 + tries * 1_000,
            times: 1,
          })
          let answered = false
          const acting = asks(cartId, show).finally(() => {
            answered = true
          })
          await shop.sandbox.faultsStruck()
          const changed = await api.post(
            `/store/carts/${cartId}`,
            { region_id: regionId },
            { ...shop.denmark.store, validateStatus: () => true },
          )
          const wasInTime = changed.status === 200 && !answered
          const { status, data } = await acting
          const { cart } = (await api.get(`/store/carts/${cartId}`, shop.denmark.store)).data
          if (wasInTime && data.code !== "cart_busy") return { status, data, cart }
        }
        throw new Error("The region was never changed in time.")
      }

      it("sells at no number of another currency", async () => {
        const { status, data, cart } = await whileRegionChanges(
          europe,
          129,
          () => createCart(api, shop.denmark),
          (cartId, show) =>
            act("some-checkout", cartId, { ...ids(show), products: [ref(shop.mug, 2)] }),
        )
        expect([status, data.code]).toEqual([400, "channel_mismatch"])
        expect([cart.currency_code, cart.items]).toEqual(["eur", []])
      })

      it("sells at no catalog price of the other region", async () => {
        const { data } = await getContainer()
          .resolve(ContainerRegistrationKeys.QUERY)
          .graph({
            entity: "variant",
            fields: ["price_set.id"],
            filters: { id: shop.mug.id },
          })
        await getContainer()
          .resolve(Modules.PRICING)
          .createPriceLists([
            {
              title: "Iceland",
              description: "Iceland",
              status: "active",
              type: "override",
              rules: { region_id: [iceland] },
              prices: [
                { price_set_id: data[0]?.price_set?.id ?? "", currency_code: "dkk", amount: 120 },
              ],
            },
          ])
        const { cart } = await whileRegionChanges(
          iceland,
          160,
          async () => {
            const anna = await shop.shopper()
            expect((await anna.addAtCatalogPrice(shop.mug, 3)).data.cart.total).toBe(3 * 189)
            return anna.cartId
          },
          (cartId, show) =>
            act("update-cart-contents", cartId, {
              ...ids(show),
              products: [{ action: "change", ...ref(shop.mug, 2) }],
            }),
        )
        // The show's is dearer there than what the shopper has.
        expect(cart.items).toMatchObject([{ quantity: 2, unit_price: 120 }])
      })
    })

    it("keeps them where a tap of another tab has the basket just before core changes the region", async () => {
      const { cartId, show } = await inShow()
      const { movingLines } = svc().cart
      const mark = movingLines.mark.bind(movingLines)
      const marks = jest.spyOn(movingLines, "mark").mockImplementationOnce(async (...asked) => {
        const concerned = await mark(...asked)
        await endHolds(show)
        const products = [{ action: "add", ...ref(shop.mug, 1) }]
        await act("update-cart-contents", cartId, { ...ids(show), products })
        return concerned
      })
      // Whoever restores lines that other code has dropped is away.
      const bus = getContainer().resolve(Modules.EVENT_BUS)
      const events = jest.spyOn(bus, "releaseGroupedEvents").mockResolvedValue(undefined)
      const { items } = await changeRegion(cartId, iceland)
      events.mockRestore()
      marks.mockRestore()
      expect(items).toMatchObject([{ quantity: 2, unit_price: 129 }])
    })

    it("taxes there what a process has restored that died before it came to the taxes", async () => {
      const { cartId, lineId } = await inShow(2)
      const taxes = async () =>
        (await api.get(`/store/carts/${cartId}`, shop.denmark.store)).data.cart.item_tax_total
      expect(await taxes()).toBe(51.6)
      await svc().cart.movingLines.mark(cartId, iceland)
      await updateCartWorkflow(getContainer()).run({ input: { id: cartId, region_id: iceland } })
      await getContainer().resolve(Modules.CART).restoreLineItems([lineId])
      // As the restored line still has it. Iceland has no taxes in this store.
      expect(await taxes()).toBe(51.6)
      await complete(cartId)
      expect(await taxes()).toBe(0)
      expect(await contents(cartId)).toMatchObject({ total: 258 })
    })

    it("places no order that lost a line, though the region is the old one again", async () => {
      const { cartId } = await inShow(2)
      // As far as a process comes that dies before it answers, and a second one after it.
      await svc().cart.movingLines.mark(cartId, europe)
      for (const region_id of [europe, shop.denmark.regionId]) {
        await updateCartWorkflow(getContainer()).run({ input: { id: cartId, region_id } })
      }
      expect(await complete(cartId)).toMatchObject({
        error: {
          code: "svc_price_changed",
          lines: [{ old_unit_price: 129, new_unit_price: 129, reason: "region_changed" }],
        },
      })
      expect(await contents(cartId)).toMatchObject({ total: 258 })
    })
  })
}
