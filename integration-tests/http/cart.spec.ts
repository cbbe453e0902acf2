import {
  addToCartWorkflow,
  updateCartWorkflow,
  updateLineItemInCartWorkflow,
} from "@medusajs/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { REGIONS } from "../../demo/catalog/seed-names"
import { SVC_MODULE } from "../../src/modules/svc"
import { changeCart, forgetPrices } from "../../src/workflows/cart"
import {
  completeCart,
  connectMarket,
  createCart,
  eventually,
  type Market,
  newOrderNo,
  placeOrder,
  runShow,
  seedShop,
  type Variant,
  variantsOf,
} from "../setup/market"
import { describeStore } from "../setup/medusa"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"

describeStore(({ api, getContainer }) => {
  describe("cart actions", () => {
    let sandbox: RunningSandbox
    let denmark: Market
    let mug: Variant
    let mugs: Variant[]

    beforeAll(async () => {
      sandbox = await startSandbox()
      await seedShop(getContainer())
      denmark = await connectMarket(api, getContainer(), sandbox, "denmark")
      mugs = await variantsOf(getContainer(), "havn-mug")
      const [first] = mugs
      if (!first) throw new Error("no mug")
      mug = first
    })
    afterAll(() => sandbox.stop())

    const act = (
      action: "some-checkout" | "update-cart-contents",
      cartId: string,
      body: Record<string, unknown>,
    ) =>
      api.post(`/store/carts/${cartId}/svc/${action}`, body, {
        ...denmark.store,
        validateStatus: () => true,
      })
    const contents = async (cartId: string) =>
      (await api.get(`/store/carts/${cartId}/svc/cart-contents`, denmark.store)).data
    const ids = (show: { campaignUid: string; orderNo: string }) => ({
      campaign_uid: show.campaignUid,
      page_uid: "demo-page",
      order_no: show.orderNo,
    })
    const ref = (variant: Variant, quantity: number) => ({
      product_id: variant.product_id,
      variant_id: variant.id,
      quantity,
    })

    it("puts a product into the basket at the show's price, the catalog price struck through", async () => {
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)

      const { status, data } = await act("some-checkout", cartId, {
        ...ids(show),
        products: [ref(mug, 2)],
      })

      expect([status, data.status, data.failed_products]).toEqual([200, "SUCCESS", []])
      expect(data.cart.items).toHaveLength(1)
      expect(data.cart.items[0]).toMatchObject({
        variant_id: mug.id,
        quantity: 2,
        unit_price: 129,
        compare_at_unit_price: 189,
        is_tax_inclusive: true,
        metadata: { svc_campaign_uid: show.campaignUid },
      })
      expect(data.cart.total).toBe(258)
      expect(data.cart.tax_total).toBeCloseTo(51.6, 6)
      expect(data.cart.metadata.svc_order_no).toBe(show.orderNo)
      expect(await contents(cartId)).toMatchObject({
        status: "SUCCESS",
        products: [
          {
            product_id: mug.product_id,
            variant_id: mug.id,
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

    it("counts a reloaded checkout link once, and another order number again", async () => {
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)
      const body = { ...ids(show), products: [ref(mug, 2)] }
      await act("some-checkout", cartId, body)
      const again = await act("some-checkout", cartId, body)
      expect(again.data.cart.items.map((item: { quantity: number }) => item.quantity)).toEqual([2])

      const other = { ...show, orderNo: await newOrderNo(sandbox, show.campaignUid) }
      const more = await act("some-checkout", cartId, { ...ids(other), products: [ref(mug, 1)] })
      expect(more.data.cart.items.map((item: { quantity: number }) => item.quantity)).toEqual([3])
      expect(more.data.cart.metadata.svc_order_no).toBe(other.orderNo)

      // A double click on the second link, and a tab of the first that is opened again.
      const twice = await act("some-checkout", cartId, { ...ids(other), products: [ref(mug, 1)] })
      const first = await act("some-checkout", cartId, body)
      for (const { data } of [twice, first]) {
        expect(data.cart.items.map((item: { quantity: number }) => item.quantity)).toEqual([3])
      }
    })

    it("takes no pieces away that were in the basket before, however often the link is followed", async () => {
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)
      await api.post(
        `/store/carts/${cartId}/line-items`,
        { variant_id: mug.id, quantity: 3 },
        denmark.store,
      )
      for (let times = 0; times < 2; times++) {
        const { data } = await act("some-checkout", cartId, {
          ...ids(show),
          products: [ref(mug, 2)],
        })
        expect(data.cart.items).toMatchObject([{ quantity: 3, unit_price: 129 }])
      }
    })

    it("adds, changes and removes what the shopper edits in the player", async () => {
      const [, second] = mugs
      if (!second) throw new Error("no second mug")
      const show = await runShow(sandbox, denmark, [
        {
          variant: mug,
          price: 129,
          extra: {
            variants: [
              { external_id: mug.id, price: 129 },
              { external_id: second.id, price: 139 },
            ],
          },
        },
      ])
      const cartId = await createCart(api, denmark)
      const update = (products: Record<string, unknown>[]) =>
        act("update-cart-contents", cartId, { ...ids(show), products })
      const lines = (data: {
        cart: { items: { variant_id: string; quantity: number; unit_price: number }[] }
      }) =>
        Object.fromEntries(
          data.cart.items.map((item) => [item.variant_id, [item.quantity, item.unit_price]]),
        )

      const added = await update([
        { action: "add", ...ref(mug, 1) },
        { action: "add", ...ref(second, 1) },
      ])
      expect(added.data.status).toBe("SUCCESS")
      expect(lines(added.data)).toEqual({ [mug.id]: [1, 129], [second.id]: [1, 139] })

      const addedAgain = await update([{ action: "add", ...ref(mug, 2) }])
      expect(lines(addedAgain.data)).toEqual({ [mug.id]: [3, 129], [second.id]: [1, 139] })

      const changed = await update([{ action: "change", ...ref(mug, 2) }])
      expect(lines(changed.data)).toEqual({ [mug.id]: [2, 129], [second.id]: [1, 139] })

      // Without an action: 0 removes, a line that exists is set (gap 41).
      const mixed = await update([ref(mug, 4), { ...ref(second, 0) }])
      expect(lines(mixed.data)).toEqual({ [mug.id]: [4, 129] })

      const removed = await update([
        { action: "remove", product_id: mug.product_id, variant_id: mug.id },
      ])
      expect([removed.data.status, lines(removed.data)]).toEqual(["SUCCESS", {}])
    })

    it("sells what it can and names what it cannot", async () => {
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const [notInShow] = await variantsOf(getContainer(), "fjord-throw").catch(() => [])
      const cartId = await createCart(api, denmark)
      const { data } = await act("some-checkout", cartId, {
        ...ids(show),
        products: [
          ref(mug, 1),
          { product_id: "prod_gone", quantity: 1 },
          { product_id: mug.product_id, quantity: 1 },
          ...(notInShow ? [ref(notInShow, 1)] : []),
        ],
      })
      expect(data.status).toBe("PARTIAL")
      expect(data.cart.items).toHaveLength(1)
      const codes = data.failed_products.map((failed: { code: string }) => failed.code)
      expect(codes).toEqual(expect.arrayContaining(["product_not_found", "variant_required"]))
      expect(data.message).toEqual(expect.any(String))
    })

    it("starts the basket over where the link asks for it, each time it is followed", async () => {
      const [, cup] = mugs
      if (!cup) throw new Error("no second mug")
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)
      await api.post(
        `/store/carts/${cartId}/line-items`,
        { variant_id: cup.id, quantity: 1 },
        denmark.store,
      )
      const body = { ...ids(show), products: [ref(mug, 2)], clear_cart: true }
      for (let times = 0; times < 2; times++) {
        const { data } = await act("some-checkout", cartId, body)
        expect([data.status, data.failed_products]).toEqual(["SUCCESS", []])
        expect(data.cart.items).toMatchObject([
          { variant_id: mug.id, quantity: 2, unit_price: 129 },
        ])
      }
    })

    it("asks to try again, with a code, while another request changes the same basket", async () => {
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)
      const body = { ...ids(show), products: [ref(mug, 1)] }
      await act("some-checkout", cartId, body)
      await endHolds(getContainer(), denmark, show)

      const locking = getContainer().resolve(Modules.LOCKING)
      await locking.acquire(cartId, { expire: 60 })
      const answers = await Promise.all([
        act("update-cart-contents", cartId, body),
        api.post(
          `/store/carts/${cartId}/complete`,
          {},
          { ...denmark.store, validateStatus: () => true },
        ),
      ])
      for (const { status, data } of answers) {
        expect([status, data]).toEqual([
          409,
          { type: "conflict", code: "cart_busy", message: expect.stringContaining("try again") },
        ])
      }

      await locking.release(cartId)
      expect((await act("update-cart-contents", cartId, body)).data.status).toBe("SUCCESS")
    })

    it("believes nothing about money that the browser says", async () => {
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)
      const { data } = await act("some-checkout", cartId, {
        ...ids(show),
        products: [{ ...ref(mug, 1), unit_price: 1, price: 1 }],
      })
      expect(data.cart.items[0].unit_price).toBe(129)
    })

    it("refuses bad input with a stable code and names the field", async () => {
      const cartId = await createCart(api, denmark)
      const bad = await act("some-checkout", cartId, {
        campaign_uid: "../products",
        page_uid: "demo-page",
        order_no: "o",
        products: [{ product_id: "x", quantity: -1 }],
      })
      expect([bad.status, bad.data.type, bad.data.code]).toEqual([
        400,
        "invalid_data",
        "invalid_request",
      ])
      expect(bad.data.message).toMatch(/campaign_uid.*products\.0\.quantity/)

      const body = { campaign_uid: "c", page_uid: "nobody", order_no: "o", products: [ref(mug, 1)] }
      const stranger = await act("some-checkout", cartId, body)
      expect([stranger.status, stranger.data.code]).toEqual([400, "page_not_connected"])
      const gone = await act("some-checkout", "cart_gone", { ...body, page_uid: "demo-page" })
      expect([gone.status, gone.data.code]).toEqual([404, "not_found"])
    })

    it("keeps the basket as it was when the price cannot be confirmed", async () => {
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)
      await sandbox.control("/faults", { rules: [{ on: "price", kind: "status", status: 503 }] })
      const { status, data } = await act("some-checkout", cartId, {
        ...ids(show),
        products: [ref(mug, 1)],
      })
      await sandbox.control("/faults", undefined, "DELETE")
      expect([status, data.status]).toEqual([200, "FAILURE"])
      expect(data.failed_products).toMatchObject([{ code: "price_unavailable" }])
      expect(data.cart.items).toEqual([])
      expect(data.cart.metadata?.svc_order_no).toBeUndefined()

      const healed = await act("some-checkout", cartId, { ...ids(show), products: [ref(mug, 1)] })
      expect(healed.data.status).toBe("SUCCESS")
    })

    it("asks again before the order when a price is no longer proven", async () => {
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)
      await act("some-checkout", cartId, { ...ids(show), products: [ref(mug, 1)] })
      const { event_products } = await sandbox
        .control<{ products: { uid: string }[] }>(`/events/${show.eventId}`)
        .then(({ products }) => ({ event_products: products }))
      await sandbox.control(`/events/${show.eventId}/products/${event_products[0]?.uid}`, {
        price: 149,
        variants: [{ external_id: mug.id, price: 149 }],
      })
      await endHolds(getContainer(), denmark, show)

      const refused = await completeCart(api, denmark, cartId, "dk")
      expect(refused.data.error).toMatchObject({
        code: "svc_price_changed",
        lines: [
          {
            old_unit_price: 129,
            new_unit_price: 149,
            currency_code: "dkk",
            reason: "price_changed",
          },
        ],
      })
      const placed = await placeOrder(api, denmark, cartId)
      expect(placed.status).toBe(200)
      expect(placed.data.order?.items[0]?.unit_price).toBe(149)
    })

    it("goes back to the catalog price when the show is over", async () => {
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)
      await act("some-checkout", cartId, { ...ids(show), products: [ref(mug, 1)] })
      await sandbox.control(`/events/${show.eventId}/cancel`, {})
      await endHolds(getContainer(), denmark, show)
      const refused = await completeCart(api, denmark, cartId, "dk")
      expect([refused.status, refused.data.error?.code]).toEqual([200, "svc_price_changed"])
      // A line like any other again: one more piece from the shop joins it.
      const { data: joined } = await api.post(
        `/store/carts/${cartId}/line-items`,
        { variant_id: mug.id, quantity: 1 },
        denmark.store,
      )
      expect(joined.cart.items).toMatchObject([{ quantity: 2, unit_price: 189 }])
      const placed = await placeOrder(api, denmark, cartId)
      expect(placed.data.order?.items[0]?.unit_price).toBe(189)
    })

    it("tells of a price that a job has set right meanwhile, once, before it is paid", async () => {
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)
      await act("some-checkout", cartId, { ...ids(show), products: [ref(mug, 1)] })
      await sandbox.control(`/events/${show.eventId}/cancel`, {})
      await endHolds(getContainer(), denmark, show)
      // What the job of each minute does with a basket whose show is over.
      await changeCart(getContainer(), { cart_id: cartId, intent: { occasion: "job" } })

      const refused = await completeCart(api, denmark, cartId, "dk")
      expect(refused.data.error).toMatchObject({
        code: "svc_price_changed",
        lines: [{ old_unit_price: 129, new_unit_price: 189, currency_code: "dkk" }],
      })
      const placed = await placeOrder(api, denmark, cartId)
      expect([placed.status, placed.data.order?.items[0]?.unit_price]).toEqual([200, 189])
    })

    it("tells both of two requests that came at once, such as a double click", async () => {
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)
      await act("some-checkout", cartId, { ...ids(show), products: [ref(mug, 1)] })
      await sandbox.control(`/events/${show.eventId}/cancel`, {})
      await endHolds(getContainer(), denmark, show)
      const complete = () =>
        api.post(
          `/store/carts/${cartId}/complete`,
          {},
          { ...denmark.store, validateStatus: () => true },
        )
      for (const { data } of await Promise.all([complete(), complete()])) {
        // Or the other request had the lock for longer than this one waits.
        expect(data.error?.lines ?? data.code).toEqual(
          data.error
            ? [expect.objectContaining({ old_unit_price: 129, new_unit_price: 189 })]
            : "cart_busy",
        )
      }
    })

    it("holds a line to its proof though the shopper wiped its metadata", async () => {
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)
      const added = await act("some-checkout", cartId, { ...ids(show), products: [ref(mug, 1)] })
      await api.post(
        `/store/carts/${cartId}/line-items/${added.data.cart.items[0].id}`,
        { quantity: 3, metadata: { svc_campaign_uid: "" } },
        denmark.store,
      )
      await sandbox.control(`/events/${show.eventId}/cancel`, {})
      await endHolds(getContainer(), denmark, show)
      const refused = await completeCart(api, denmark, cartId, "dk")
      expect([refused.status, refused.data.error?.code]).toEqual([200, "svc_price_changed"])
    })

    it("sells nothing at the price of a show that was cancelled, within its hold as well", async () => {
      await api.post(`/admin/svc/connections/${denmark.connectionId}/webhook`, {}, denmark.admin)
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)
      await act("some-checkout", cartId, { ...ids(show), products: [ref(mug, 1)] })
      await sandbox.control(`/events/${show.eventId}/cancel`, {})
      await eventually(
        async () =>
          (await api.get(`/admin/svc/live-events?campaign_uid=${show.campaignUid}`, denmark.admin))
            .data.live_events,
        (events) => events[0]?.status === "cancelled",
      )
      const refused = await completeCart(api, denmark, cartId, "dk")
      expect(refused.data.error).toMatchObject({
        code: "svc_price_changed",
        lines: [{ old_unit_price: 129, new_unit_price: 189, reason: "campaign_ended" }],
      })
    })

    it("sells no other quantity than the campaign does, by whatever route it was set", async () => {
      await api.post(`/admin/svc/connections/${denmark.connectionId}/webhook`, {}, denmark.admin)
      const show = await runShow(sandbox, denmark, [
        { variant: mug, price: 129, extra: { min_purchase_qty: 2, max_qty_per_customer: 3 } },
      ])
      const productInShow = async () => {
        const { data } = await api.get(
          `/admin/svc/live-events?campaign_uid=${show.campaignUid}`,
          denmark.admin,
        )
        const [{ id }] = data.live_events
        const { live_event } = (await api.get(`/admin/svc/live-events/${id}`, denmark.admin)).data
        return live_event.products[0]
      }
      await eventually(productInShow, (product) => product?.max_qty_per_customer === 3)
      const cartId = await createCart(api, denmark)
      const added = await act("some-checkout", cartId, { ...ids(show), products: [ref(mug, 2)] })
      const lineId = added.data.cart.items[0].id
      const setQuantity = (quantity: number) =>
        api.post(
          `/store/carts/${cartId}/line-items/${lineId}`,
          { quantity },
          { ...denmark.store, validateStatus: () => true },
        )
      for (const [quantity, message] of [
        [7, "At most 3 per customer."],
        [1, "This product is sold from 2 pieces."],
      ] as const) {
        const refused = await setQuantity(quantity)
        expect([refused.status, refused.data.code, refused.data.message]).toEqual([
          400,
          "quantity_limited",
          message,
        ])
      }
      expect((await setQuantity(3)).data.cart.items).toMatchObject([{ quantity: 3 }])

      // Past the route, as other code of a store may do it.
      await updateLineItemInCartWorkflow(getContainer()).run({
        input: { cart_id: cartId, item_id: lineId, update: { quantity: 7 } },
      })
      const refused = await completeCart(api, denmark, cartId, "dk")
      expect([refused.status, refused.data.error?.code]).toEqual([200, "svc_price_changed"])
      expect(refused.data.error?.lines).toMatchObject([
        {
          old_unit_price: 129,
          new_unit_price: 129,
          old_quantity: 7,
          new_quantity: 3,
          reason: "quantity_limited",
        },
      ])
      const placed = await placeOrder(api, denmark, cartId)
      expect(placed.data.order?.items).toMatchObject([{ quantity: 3, unit_price: 129 }])
    })

    it("goes back to the catalog price for what is not available in the show any more", async () => {
      await api.post(`/admin/svc/connections/${denmark.connectionId}/webhook`, {}, denmark.admin)
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)
      await act("some-checkout", cartId, { ...ids(show), products: [ref(mug, 1)] })
      const { products } = await sandbox.control<{ products: { uid: string }[] }>(
        `/events/${show.eventId}`,
      )
      await sandbox.control(`/events/${show.eventId}/products/${products[0]?.uid}`, {
        available: false,
      })
      const refused = await eventually(
        async () =>
          (
            await api.post(
              `/store/carts/${cartId}/complete`,
              {},
              { ...denmark.store, validateStatus: () => true },
            )
          ).data,
        (answer) => answer.code === "svc_price_changed",
      )
      expect(refused.lines).toMatchObject([
        { old_unit_price: 129, new_unit_price: 189, reason: "not_available" },
      ])
    })

    it("makes no custom price cheaper that a shopper marked as the show's", async () => {
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)
      await act("some-checkout", cartId, { ...ids(show), products: [ref(mug, 1)] })
      await addToCartWorkflow(getContainer()).run({
        input: {
          cart_id: cartId,
          items: [{ variant_id: mug.id, quantity: 1, unit_price: 500, title: "Engraved mug" }],
        },
      })
      const { data } = await api.get(`/store/carts/${cartId}`, denmark.store)
      const engraved = data.cart.items.find((item: { unit_price: number }) => item.unit_price > 400)
      await api.post(
        `/store/carts/${cartId}/line-items/${engraved.id}`,
        { quantity: 1, metadata: { svc_campaign_uid: show.campaignUid } },
        denmark.store,
      )
      // Nor by an action, where it is the only line of its variant.
      const [show129] = data.cart.items.filter((item: { id: string }) => item.id !== engraved.id)
      await api.delete(`/store/carts/${cartId}/line-items/${show129.id}`, denmark.store)
      await act("update-cart-contents", cartId, {
        ...ids(show),
        products: [{ action: "add", ...ref(mug, 1) }],
      })
      await endHolds(getContainer(), denmark, show)
      const placed = await completeCart(api, denmark, cartId, "dk")
      const prices = placed.data.order?.items.map(({ unit_price }) => unit_price)
      expect([placed.status, prices?.sort()]).toEqual([200, [129, 500]])
    })

    describe("when the basket's region changes", () => {
      const changeRegion = async (cartId: string, regionId: string) =>
        (await api.post(`/store/carts/${cartId}`, { region_id: regionId }, denmark.store)).data.cart
      const complete = async (cartId: string, acknowledged: { id: string }[] = []) => {
        const url = `/store/carts/${cartId}/complete`
        const { data } = await api.post(
          url,
          {},
          {
            headers: {
              ...denmark.store.headers,
              "x-svc-acknowledged-changes": acknowledged.map(({ id }) => id).join(","),
            },
            validateStatus: () => true,
          },
        )
        return { code: data.error?.code, lines: data.error?.lines }
      }
      const inShow = async (quantity = 2) => {
        const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
        const cartId = await createCart(api, denmark)
        const added = await act("some-checkout", cartId, {
          ...ids(show),
          products: [ref(mug, quantity)],
        })
        return { show, cartId, lineId: added.data.cart.items[0].id as string }
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

      it("keeps the show's lines at the show's price in a region of the same currency", async () => {
        const { cartId, show } = await inShow()
        const cart = await changeRegion(cartId, iceland)
        expect(cart.items).toMatchObject([
          {
            variant_id: mug.id,
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
        expect((await complete(cartId)).code).toBeUndefined()
        // Back and forth, and what the shopper removes stays removed.
        expect((await changeRegion(cartId, denmark.regionId)).items).toMatchObject([
          { quantity: 2, unit_price: 129 },
        ])
        await api.delete(`/store/carts/${cartId}/line-items/${cart.items[0].id}`, denmark.store)
        expect((await changeRegion(cartId, iceland)).items).toEqual([])
      })

      it("says nothing where the region was refused", async () => {
        const { cartId } = await inShow()
        const refused = await api.post(
          `/store/carts/${cartId}`,
          { region_id: "reg_nowhere" },
          { ...denmark.store, validateStatus: () => true },
        )
        expect(refused.status).toBe(404)
        expect((await complete(cartId)).code).toBeUndefined()
        expect(await contents(cartId)).toMatchObject({ total: 258 })
      })

      it("says why a line has the catalog price where the show does not sell in the new currency", async () => {
        const { cartId, lineId } = await inShow()
        const cart = await changeRegion(cartId, europe)
        expect(cart).toMatchObject({ currency_code: "eur", items: [{ id: lineId, quantity: 2 }] })
        const catalogPrice = cart.items[0].unit_price
        const change = {
          line_item_id: lineId,
          old_unit_price: 129,
          old_currency_code: "dkk",
          new_unit_price: catalogPrice,
          currency_code: "eur",
          reason: "channel_mismatch",
        }
        expect(await contents(cartId)).toMatchObject({
          products: [{ in_campaign: false }],
          changes: [change],
        })
        const asked = await complete(cartId)
        expect(asked).toMatchObject({ code: "svc_price_changed", lines: [change] })
        expect((await complete(cartId, asked.lines)).code).toBeUndefined()
      })

      it("brings back, once, what a process that died left out", async () => {
        const { cartId, show } = await inShow()
        await updateCartWorkflow(getContainer()).run({ input: { id: cartId, region_id: iceland } })

        const { data } = await act("some-checkout", cartId, {
          ...ids(show),
          products: [ref(mug, 2)],
        })
        expect(data.cart.items).toMatchObject([{ quantity: 2, unit_price: 129 }])
        expect(data.changes).toMatchObject([{ new_unit_price: 129, reason: "region_changed" }])
        expect(await complete(cartId)).toMatchObject({
          lines: [{ old_unit_price: 129, new_unit_price: 129, reason: "region_changed" }],
        })
      })

      it("sells at no number of another currency while another tab changes the region", async () => {
        const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
        const cartId = await createCart(api, denmark)
        await sandbox.control("/faults", {
          rules: [{ on: "price", kind: "delay", delay_ms: 1500, times: 1 }],
        })
        const acting = act("some-checkout", cartId, { ...ids(show), products: [ref(mug, 2)] })
        await new Promise((resolve) => setTimeout(resolve, 500))
        await api.post(
          `/store/carts/${cartId}`,
          { region_id: europe },
          { ...denmark.store, validateStatus: () => true },
        )
        await acting
        const { data } = await api.get(`/store/carts/${cartId}`, denmark.store)
        const sold = data.cart.items.map((item: { unit_price: number }) => item.unit_price)
        if (data.cart.currency_code === "eur") expect(sold).not.toContain(129)
        else expect(sold).toEqual([129])
      })

      it("places no order that lost a line, though the region is the old one again", async () => {
        const { cartId } = await inShow()
        // As far as a process comes that dies before it answers, and a second one after it.
        const { movingLines } = getContainer().resolve(SVC_MODULE)
        await movingLines.mark(cartId, europe)
        for (const region_id of [europe, denmark.regionId]) {
          await updateCartWorkflow(getContainer()).run({ input: { id: cartId, region_id } })
        }
        expect(await complete(cartId)).toMatchObject({ code: "svc_price_changed" })
        expect(await contents(cartId)).toMatchObject({ total: 258 })
      })
    })

    it("lets a basket be ordered at the catalog price after its connection was deleted", async () => {
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)
      await act("some-checkout", cartId, { ...ids(show), products: [ref(mug, 1)] })
      await api.delete(`/admin/svc/connections/${denmark.connectionId}`, denmark.admin)
      const refused = await completeCart(api, denmark, cartId, "dk")
      expect([refused.status, refused.data.error?.code]).toEqual([200, "svc_price_changed"])
      const placed = await placeOrder(api, denmark, cartId)
      expect([placed.status, placed.data.order?.items[0]?.unit_price]).toEqual([200, 189])
    })

    it("counts for the show only what was sold at its price, whatever a line's metadata says", async () => {
      const [, second] = mugs
      if (!second) throw new Error("no second mug")
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)
      await act("some-checkout", cartId, { ...ids(show), products: [ref(mug, 1)] })
      await api.post(
        `/store/carts/${cartId}/line-items`,
        {
          variant_id: second.id,
          quantity: 2,
          metadata: { svc_campaign_uid: show.campaignUid },
        },
        denmark.store,
      )
      await completeCart(api, denmark, cartId, "dk")
      const [campaign] = await eventually(
        async () =>
          (await api.get(`/admin/svc/campaigns?campaign_uid=${show.campaignUid}`, denmark.admin))
            .data.campaigns,
        (campaigns) => campaigns.length > 0,
      )
      expect(campaign).toMatchObject({ orders: 1, units: 1, gross: 129 })
    })

    it("counts a line for the order number that touched it last, not for two", async () => {
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)
      await act("some-checkout", cartId, { ...ids(show), products: [ref(mug, 1)] })
      const later = { ...show, orderNo: await newOrderNo(sandbox, show.campaignUid) }
      await act("some-checkout", cartId, { ...ids(later), products: [ref(mug, 1)] })
      const placed = await completeCart(api, denmark, cartId, "dk")
      const orders = await eventually(
        async () =>
          (await api.get(`/admin/svc/orders?order_id=${placed.data.order?.id}`, denmark.admin)).data
            .orders,
        (found) => found.length > 0,
      )
      expect(orders).toMatchObject([{ svc_order_no: later.orderNo, units: 2, gross: 258 }])
    })

    it("reports a placed order once, and heals after the service was away", async () => {
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const cartId = await createCart(api, denmark)
      await act("some-checkout", cartId, { ...ids(show), products: [ref(mug, 2)] })
      await sandbox.control("/faults", {
        rules: [{ on: "process_orders", kind: "reset" }],
      })
      const placed = await completeCart(api, denmark, cartId, "dk")
      expect(placed.status).toBe(200)
      const orderId = placed.data.order?.id

      const find = async () =>
        (await api.get(`/admin/svc/orders?order_id=${orderId}`, denmark.admin)).data.orders
      const [failed] = await eventually(
        find,
        (orders) => orders[0]?.reason !== null && orders.length > 0,
      )
      expect(failed).toMatchObject({
        state: "waiting",
        svc_order_no: show.orderNo,
        campaign_uid: show.campaignUid,
      })
      expect(failed.reason).toMatchObject({ code: "svc_unreachable", fix: expect.any(String) })

      await sandbox.control("/faults", undefined, "DELETE")
      const reported = await eventually(
        async () =>
          (await api.post(`/admin/svc/orders/${failed.id}/report`, {}, denmark.admin)).data.order,
        // A worker that is at it just now is not disturbed.
        (order) => order.state === "reported",
      )
      expect(reported).toMatchObject({ units: 2, gross: 258 })
      const { conversions } = await sandbox.control<{ conversions: { order_no: string }[] }>(
        "/conversions",
      )
      expect(conversions.filter((order) => order.order_no === show.orderNo)).toHaveLength(1)

      const campaigns = await api.get(
        `/admin/svc/campaigns?campaign_uid=${show.campaignUid}`,
        denmark.admin,
      )
      expect(campaigns.data.campaigns).toMatchObject([
        {
          orders: 1,
          units: 2,
          gross: 258,
          refunded: 0,
          net: 258,
          currency_code: "dkk",
          conversion_rate: 1,
        },
      ])
    })
  })
})

/** Makes every hold run out, as half an hour does, and the answers that serve a crowd for five seconds. */
async function endHolds(
  container: MedusaContainer,
  market: Market,
  show: { campaignUid: string },
): Promise<void> {
  await container
    .resolve(ContainerRegistrationKeys.PG_CONNECTION)("svc_line_price")
    .update({ expires_at: new Date(Date.now() - 1000) })
  await forgetPrices(container, market.connectionId, show.campaignUid)
}
