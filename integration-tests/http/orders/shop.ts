/** What the parts of `orders.spec.ts` share: a connected shop, a mug to sell, and what is done with its orders. */
import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import reportOrders from "../../../src/jobs/report-orders"
import { workLedger, workReports } from "../../../src/workflows/orders"
import { connectedShop, withMore } from "../../setup/connected-shop"
import {
  completeCart,
  createCart,
  eventually,
  newOrderNo,
  runShow,
  type Show,
  type Variant,
} from "../../setup/market"
import type { StoreSuite } from "../../setup/medusa"
import { orderChanges } from "../../setup/order-changes"

export type OrdersShop = ReturnType<typeof ordersShop>

/** To be called where the store is described: its hooks are for every part. */
export function ordersShop(suite: StoreSuite) {
  const { api, getContainer } = suite
  const shop = connectedShop(suite)
  const { knex } = shop

  // More than any number of runs sells.
  beforeAll(() =>
    knex()("inventory_level").update({
      stocked_quantity: 100_000,
      raw_stocked_quantity: JSON.stringify({ value: "100000", precision: 20 }),
    }),
  )
  afterEach(async () => {
    jest.restoreAllMocks()
    await shop.sandbox.control("/profiles", undefined, "DELETE")
  })

  const changes = () => orderChanges(api, getContainer(), shop.denmark.admin)
  const tap = async (
    show: { campaignUid: string; orderNo: string },
    cartId: string,
    pieces: { variant: Variant; quantity: number }[],
    market = shop.denmark,
  ) =>
    (
      await api.post(
        `/store/carts/${cartId}/svc/update-cart-contents`,
        {
          campaign_uid: show.campaignUid,
          page_uid: market.pageUid,
          order_no: show.orderNo,
          products: pieces.map(({ variant, quantity }) => ({
            action: "add",
            product_id: variant.product_id,
            variant_id: variant.id,
            quantity,
          })),
        },
        { ...market.store, validateStatus: () => true },
      )
    ).data
  /** A basket with pieces at the show's price, under an order number of its own. */
  const basket = async (show: Show, quantity = 1, variant = shop.mug, market = shop.denmark) => {
    const numbered = { ...show, orderNo: await newOrderNo(shop.sandbox, show.campaignUid) }
    const cartId = await createCart(api, market)
    await tap(numbered, cartId, [{ variant, quantity }], market)
    return { cartId, ...numbered }
  }
  const buy = async (show: Show, quantity = 1, variant = shop.mug) => {
    const { cartId, orderNo } = await basket(show, quantity, variant)
    const { data } = await completeCart(api, shop.denmark, cartId, "dk")
    if (!data.order) throw new Error(`The cart was not ordered: ${JSON.stringify(data)}`)
    return { orderId: data.order.id, orderNo, cartId }
  }
  /** A mug that another shopper buys under a number that exists. @returns the order's id */
  const buyUnder = async (show: Show, orderNo: string) => {
    const cartId = await createCart(api, shop.denmark)
    await tap({ ...show, orderNo }, cartId, [{ variant: shop.mug, quantity: 1 }])
    return (await completeCart(api, shop.denmark, cartId, "dk")).data.order?.id ?? ""
  }
  /** The same with a code that takes a part off the goods. */
  const buyReduced = async (show: Show, quantity: number, percent: number) => {
    const code = `LESS${percent}`
    await api.post(
      "/admin/promotions",
      {
        code,
        type: "standard",
        status: "active",
        application_method: {
          type: "percentage",
          value: percent,
          target_type: "items",
          allocation: "each",
          max_quantity: 100,
        },
      },
      shop.denmark.admin,
    )
    const { cartId, orderNo } = await basket(show, quantity)
    const codes = { promo_codes: [code] }
    await api.post(`/store/carts/${cartId}/promotions`, codes, shop.denmark.store)
    const { data } = await completeCart(api, shop.denmark, cartId, "dk")
    return { orderId: data.order?.id ?? "", orderNo, cartId }
  }
  const attributions = async (filter: string) =>
    (await api.get(`/admin/svc/orders?${filter}`, shop.denmark.admin)).data.orders
  /** The rows of an order, once nothing is left to do. */
  const settled = async (orderId: string) => {
    await eventually(
      () => attributions(`order_id=${orderId}`),
      (rows) => rows.length > 0,
    )
    await workReports(getContainer())
    await workLedger(getContainer())
    return attributions(`order_id=${orderId}`)
  }
  const campaign = async (show: Show, container: MedusaContainer = getContainer()) => {
    await reportOrders(container)
    await workReports(container)
    await workLedger(container)
    return (
      await api.get(`/admin/svc/campaigns?campaign_uid=${show.campaignUid}`, shop.denmark.admin)
    ).data.campaigns[0]
  }
  const reports = async (orderNo: string) => {
    const { orders } = await shop.sandbox.control<{
      orders: { order_no: string; reports: number }[]
    }>("/orders")
    return orders.find((order) => order.order_no === orderNo)?.reports ?? 0
  }
  const aMugShow = (price = 79) =>
    runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price }])

  /** The database refuses to take rows of an order, as it would one that breaks a rule of its columns. */
  const poison = async (table: string, orderId: string) => {
    await knex().raw(
      `CREATE FUNCTION svc_poison() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'a poison order'; END $$`,
    )
    await knex().raw(
      `CREATE TRIGGER svc_poison BEFORE INSERT ON ${table}
       FOR EACH ROW WHEN (NEW.order_id = '${orderId}') EXECUTE FUNCTION svc_poison()`,
    )
  }
  const heal = (table: string) => knex().raw(`DROP TRIGGER svc_poison ON ${table}`)

  /** Events of an order are dropped on the floor: Medusa emits them, nobody hears them. */
  const dropEvents = () => {
    const bus = getContainer().resolve(Modules.EVENT_BUS)
    jest.spyOn(bus, "releaseGroupedEvents").mockImplementation(async () => undefined)
    jest.spyOn(bus, "emit").mockImplementation(async () => undefined)
  }

  return withMore(shop, {
    changes,
    tap,
    basket,
    buy,
    buyUnder,
    buyReduced,
    attributions,
    settled,
    campaign,
    reports,
    aMugShow,
    poison,
    heal,
    dropEvents,
  })
}
