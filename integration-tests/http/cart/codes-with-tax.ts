/**
 * Reasons for which a basket costs something else than the shopper saw, with the tax, which comes on top of the price, to
 * the minor unit (gap 45). Both markets: `orders/show.ts`.
 */
import { updateLineItemInCartWorkflow } from "@medusajs/core-flows"
import { Modules } from "@medusajs/framework/utils"
import { eventually, type Market, type Show } from "../../setup/market"
import {
  type CartAnswer,
  changeInShow,
  knownToStore,
  minutesPass,
  ref,
  type Shopper,
} from "../../setup/shopper"
import type { CartShop } from "./shop"

/** With tax, and the tax; in minor units. */
type Minor = readonly [number, number]

/** 19 % come on top of 25.98, 38.97, 40.47 and 42.00 euros. */
const SUMS = {
  two: [3092, 494],
  three: [4637, 740],
  dearer: [4816, 769],
  catalog: [4998, 798],
} as const satisfies Record<string, Minor>

const minor = ({ item_total, item_tax_total }: CartAnswer): Minor => [
  Math.round(item_total * 100),
  Math.round(item_tax_total * 100),
]

/** @param open begins a show that sells the mug, and brings a shopper whose cart has an address and a delivery */
export function describeCodesWithTax(
  shop: CartShop,
  open: (
    price: number,
    extra: object,
    webhook: boolean,
  ) => Promise<{ market: Market; show: Show; anna: Shopper }>,
): void {
  const { api, getContainer, knex } = shop

  const told = (show: Show, holds: (product: Record<string, unknown>) => boolean) =>
    eventually(
      () => knex()("svc_event_product").where({ campaign_uid: show.campaignUid }).first(),
      (product) => product !== undefined && holds(product),
    )
  const costs = async (anna: Shopper, sum: Minor) => expect(minor(await anna.cart())).toEqual(sum)
  /** The shopper begins to pay what was told. */
  const isPaidAt = async (anna: Shopper, sum: Minor) => {
    const paid = await anna.pay()
    expect([paid.status, paid.data.code, paid.data.lines]).toEqual([200, undefined, undefined])
    await costs(anna, sum)
  }

  it("quantity_limited, whichever limit, with the tax of what is sold", async () => {
    const limits = { min_purchase_qty: 2, max_qty_per_customer: 3 }
    const { anna, show } = await open(12.99, limits, true)
    await told(show, ({ max_qty_per_customer }) => max_qty_per_customer === 3)
    const limited = (params: object) => ({
      status: "PARTIAL",
      failed_products: [{ code: "quantity_limited", params }],
    })
    const set = async (quantity: number) =>
      (
        await anna.act("update-cart-contents", show, [
          { action: "change", ...ref(shop.mug, quantity) },
        ])
      ).data
    expect(await set(1)).toMatchObject(limited({ limit: "min", quantity: 2 }))
    await costs(anna, SUMS.two)
    expect(await set(5)).toMatchObject(limited({ limit: "max", quantity: 3, max: 3 }))
    await costs(anna, SUMS.three)

    // By core's own route it is refused, and the basket stays as it is.
    const [line] = (await anna.cart()).items
    for (const [quantity, message, params] of [
      [7, "At most 3 per customer.", { limit: "max", quantity: 3, max: 3 }],
      [1, "This product is sold from 2 pieces.", { limit: "min", quantity: 2 }],
    ] as const) {
      const refused = await anna.setLine(line?.id ?? "", { quantity })
      expect([refused.status, refused.data]).toMatchObject([
        400,
        { code: "quantity_limited", message, params },
      ])
    }
    await getContainer().resolve(Modules.CART).updateCarts(anna.cartId, { locale: "de-DE" })
    expect((await anna.setLine(line?.id ?? "", { quantity: 7 })).data).toMatchObject({
      message: "Höchstens 3 Stück pro Kunde.",
    })
    await costs(anna, SUMS.three)

    // Past the routes it is set right before the payment.
    await updateLineItemInCartWorkflow(getContainer()).run({
      input: { cart_id: anna.cartId, item_id: line?.id ?? "", update: { quantity: 7 } },
    })
    const asked = await anna.pay()
    expect([asked.status, asked.data]).toMatchObject([
      409,
      {
        code: "svc_price_changed",
        lines: [{ old_quantity: 7, new_quantity: 3, reason: "quantity_limited" }],
      },
    ])
    await costs(anna, SUMS.three)
    await isPaidAt(anna, SUMS.three)
  })

  it("price_changed, with the tax of the new price", async () => {
    const { anna, market, show } = await open(12.99, {}, false)
    await anna.add(show, shop.mug, 3)
    expect((await anna.pay()).status).toBe(200)
    await costs(anna, SUMS.three)
    await changeInShow(shop.sandbox, getContainer(), market, show, shop.mug, {
      price: 13.49,
      variants: [{ external_id: shop.mug.id, price: 13.49 }],
    })
    await minutesPass(getContainer(), anna.cartId, 31)
    const asked = await anna.order()
    expect(asked.data.error).toMatchObject({
      code: "svc_price_changed",
      lines: [{ old_unit_price: 12.99, new_unit_price: 13.49, reason: "price_changed" }],
    })
    expect(minor(asked.data.cart)).toEqual(SUMS.dearer)
    await isPaidAt(anna, SUMS.dearer)
  })

  it("campaign_ended, with the tax of the catalog price", async () => {
    const { anna, market, show } = await open(12.99, {}, true)
    await told(show, () => true)
    await anna.add(show, shop.mug, 2)
    expect((await anna.pay()).status).toBe(200)
    await shop.sandbox.control(`/events/${show.eventId}/cancel`, {})
    await knownToStore(api, market, show, ({ status }) => status === "cancelled")

    // The payment that has begun holds two pieces at the show's price, and no third.
    const [line] = (await anna.cart()).items
    const third = await anna.setLine(line?.id ?? "", { quantity: 3 })
    expect([third.status, third.data.code]).toEqual([400, "campaign_ended"])
    expect((await anna.add(show, shop.mug, 1)).data).toMatchObject({
      status: "FAILURE",
      failed_products: [{ code: "campaign_ended" }],
    })
    await costs(anna, SUMS.two)

    await minutesPass(getContainer(), anna.cartId, 31)
    const asked = await anna.order()
    expect(asked.data.error).toMatchObject({
      code: "svc_price_changed",
      lines: [{ old_unit_price: 12.99, new_unit_price: 21, reason: "campaign_ended" }],
    })
    expect(minor(asked.data.cart)).toEqual(SUMS.catalog)
    await isPaidAt(anna, SUMS.catalog)
    const { data } = await anna.order()
    expect(data.type).toBe("order")
    expect(minor(data.order)).toEqual(SUMS.catalog)
  })
}
