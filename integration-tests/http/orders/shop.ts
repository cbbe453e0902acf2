/** What the parts of `orders.spec.ts` share: a connected shop, a mug to sell, and what is done with its orders. */
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules, OrderWorkflowEvents } from "@medusajs/framework/utils"
import reportOrders from "../../../src/jobs/report-orders"
import { SVC_MODULE } from "../../../src/modules/svc"
import { workLedger, workReports } from "../../../src/workflows/orders"
import { createPercentOff } from "../../setup/connected-market"
import { connectedShop, withMore } from "../../setup/connected-shop"
import { takenCart, takenOrder } from "../../setup/copied-cart"
import {
  eventually,
  newOrderNo,
  placeOrder,
  runShow,
  type Show,
  type Variant,
} from "../../setup/market"
import type { StoreSuite } from "../../setup/medusa"
import { orderChanges } from "../../setup/order-changes"

/** What the mug costs in a show that does not say otherwise. */
const MUG_PRICE = 79

export type OrdersShop = ReturnType<typeof ordersShop>

/** To be called where the store is described: its hooks are for every part. */
export function ordersShop(suite: StoreSuite) {
  const { api, getContainer } = suite
  const shop = connectedShop(suite, { delivers: ["denmark", "europe"] })
  const { knex } = shop

  let sharedShow: Show | undefined
  /** A show that sells the mug, for tests that need one. It is to go on: others sell in it, too. */
  const mugShow = (): Show => {
    if (!sharedShow) throw new Error("The show is there once the tests run: ask for it within one.")
    return sharedShow
  }
  /** Campaigns that sell the mug for as much. */
  const alike = new Set<string>()
  type Copies<Copy> = (orderNo: string, campaignUid: string) => Promise<Copy>
  /** Copies a basket with a mug of such a show that waits for its payment, and its order. */
  let copies: { basket: Copies<string>; order: Copies<{ orderId: string; cartId: string }> }

  beforeAll(async () => {
    // More than any number of runs sells.
    const raw = (value: number) => JSON.stringify({ value: `${value}`, precision: 20 })
    await knex()("inventory_level").update({
      stocked_quantity: 100_000,
      raw_stocked_quantity: raw(100_000),
      // For the copies of an order, which reserve nothing themselves.
      reserved_quantity: 1_000,
      raw_reserved_quantity: raw(1_000),
    })
    sharedShow = await aMugShow()
    const { cartId, orderNo, campaignUid } = await filledBasket(sharedShow)
    const basket = await takenCart(knex(), cartId, orderNo, campaignUid)
    const bought = await basket()
    dropEvents()
    const id = await place(bought)
    jest.restoreAllMocks()
    const order = await takenOrder(knex(), { id, cartId: bought }, orderNo, campaignUid)
    copies = { basket, order }
  })
  afterEach(async () => {
    jest.restoreAllMocks()
    await shop.sandbox.control("/profiles", undefined, "DELETE")
  })

  const get = async (path: string) => (await api.get(`/admin/svc/${path}`, shop.denmark.admin)).data
  /** A refusal is an answer, too. */
  const ask = (path: string, body: object = {}) =>
    api.post(`/admin/svc/${path}`, body, { ...shop.denmark.admin, validateStatus: () => true })
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
  const numbered = async (show: Show): Promise<Show> => ({
    ...show,
    orderNo: await newOrderNo(shop.sandbox, show.campaignUid),
  })
  /** A basket that a shopper has filled in the player, under an order number of its own. */
  const filledBasket = async (
    show: Show,
    quantity = 1,
    variant = shop.mug,
    market = shop.denmark,
  ) => {
    const own = await numbered(show)
    const { cartId } = await shop.deliveredShopper(market)
    const { status, ...answer } = await tap(own, cartId, [{ variant, quantity }], market)
    if (status !== "SUCCESS") throw new Error(`Nothing is in it: ${JSON.stringify(answer)}`)
    return { cartId, ...own }
  }
  const isCopy = (show: Show, quantity: number, variant: Variant, market = shop.denmark) =>
    alike.has(show.campaignUid) && quantity === 1 && variant === shop.mug && market === shop.denmark
  /** The same, or a copy of one: it needs a payment, and nothing else. */
  const basket = async (show: Show, quantity = 1, variant = shop.mug, market = shop.denmark) => {
    if (!isCopy(show, quantity, variant, market)) {
      return filledBasket(show, quantity, variant, market)
    }
    const own = await numbered(show)
    return { cartId: await copies.basket(own.orderNo, own.campaignUid), ...own }
  }
  /** An order of which Medusa tells as it is placed. */
  const buyCopy = async ({ orderNo, campaignUid }: Show) => {
    const placed = await copies.order(orderNo, campaignUid)
    const bus = getContainer().resolve(Modules.EVENT_BUS)
    await bus.emit({ name: OrderWorkflowEvents.PLACED, data: { id: placed.orderId } })
    return { ...placed, orderNo }
  }
  const place = async (cartId: string, market = shop.denmark): Promise<string> =>
    orderIdIn((await placeOrder(api, market, cartId)).data)
  const orderIdIn = (answer: { order?: { id: string } | undefined }): string => {
    if (!answer.order) throw new Error(`The cart was not ordered: ${JSON.stringify(answer)}`)
    return answer.order.id
  }
  const buy = async (show: Show, quantity = 1, variant = shop.mug) => {
    if (isCopy(show, quantity, variant)) return buyCopy(await numbered(show))
    const { cartId, orderNo } = await filledBasket(show, quantity, variant)
    return { orderId: await place(cartId), orderNo, cartId }
  }
  /**
   * A mug that another shopper buys under a number that exists; of a show of the test's own it is put into the basket now,
   * by the connection that there is by then. @returns the order's id
   */
  const buyUnder = async (show: Show, orderNo: string): Promise<string> => {
    if (show === sharedShow) return (await buyCopy({ ...show, orderNo })).orderId
    const { cartId } = await shop.deliveredShopper()
    const { status } = await tap({ ...show, orderNo }, cartId, [{ variant: shop.mug, quantity: 1 }])
    expect(status).toBe("SUCCESS")
    return place(cartId)
  }
  /** The same with a code that takes a part off the goods. */
  const buyReduced = async (show: Show, quantity: number, percent: number) => {
    const code = `LESS${percent}`
    await createPercentOff(getContainer(), code, percent)
    const { cartId, orderNo } = await basket(show, quantity)
    const codes = { promo_codes: [code] }
    await api.post(`/store/carts/${cartId}/promotions`, codes, shop.denmark.store)
    return { orderId: await place(cartId), orderNo, cartId }
  }
  /** As a person reports an order again; a refusal is an answer, too. */
  const report = (row: string) => ask(`orders/${row}/report`)
  /** Of an order, by the merchant. */
  const setMetadata = (orderId: string, metadata: Record<string, unknown>) =>
    api.post(`/admin/orders/${orderId}`, { metadata }, shop.denmark.admin)
  /** Other settings of the connection. */
  const change = (settings: Record<string, unknown>) =>
    api.post(`/admin/svc/connections/${shop.denmark.connectionId}`, settings, shop.denmark.admin)
  /** The service answers reports badly, until the test ends or `endFaults`. */
  const fault = (rule: Record<string, unknown>) =>
    shop.sandbox.control("/faults", { on: "process_orders", ...rule })
  const attributions = async (filter: string) => (await get(`orders?${filter}`)).orders
  /** A row that an event is just marking is passed over. */
  const ledgerIsMade = (container: MedusaContainer = getContainer()) =>
    eventually(
      async () => {
        await workLedger(container)
        return container.resolve(SVC_MODULE).orders.ledger.nextInMs()
      },
      (ms) => ms === null || ms > 0,
    )
  /** The rows of an order, once nothing is left to do. */
  const settled = async (orderId: string) => {
    await eventually(
      () => attributions(`order_id=${orderId}`),
      (rows) => rows.length > 0,
    )
    await workReports(getContainer())
    await ledgerIsMade()
    return attributions(`order_id=${orderId}`)
  }
  const becomes = (orderId: string, state: string) =>
    eventually(
      () => settled(orderId),
      (rows) => rows[0]?.state === state,
    )
  /** Its report waits for an hour: no worker has it, and none takes it by itself. */
  const putOff = (orderId: string) =>
    eventually(
      () =>
        knex()("svc_attribution")
          .where({ order_id: orderId, state: "waiting", lease_token: null })
          .update({ next_attempt_at: knex().raw("now() + interval '1 hour'") }),
      (rows) => rows === 1,
    )
  const campaign = async (show: Show, container: MedusaContainer = getContainer()) => {
    await reportOrders(container)
    await workReports(container)
    await ledgerIsMade(container)
    return (await get(`campaigns?campaign_uid=${show.campaignUid}`)).campaigns[0]
  }
  const reports = async (orderNo: string) => {
    const { orders } = await shop.sandbox.client.orders.list()
    return orders.find((order) => order.order_no === orderNo)?.reports ?? 0
  }
  const aMugShow = async (price = MUG_PRICE) => {
    const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price }])
    if (price === MUG_PRICE) alike.add(show.campaignUid)
    return show
  }

  /** The pool of background work. */
  const background = (): Knex => Reflect.get(shop.svc().orders.ledger, "knex")

  /** Events of an order are dropped on the floor: Medusa emits them, nobody hears them. */
  const dropEvents = () => {
    const bus = getContainer().resolve(Modules.EVENT_BUS)
    jest.spyOn(bus, "releaseGroupedEvents").mockImplementation(async () => undefined)
    jest.spyOn(bus, "emit").mockImplementation(async () => undefined)
  }

  return withMore(shop, {
    preparedOnce: suite.preparedOnce,
    changes,
    tap,
    basket,
    buy,
    buyUnder,
    buyReduced,
    orderIdIn,
    place,
    get,
    ask,
    report,
    setMetadata,
    change,
    fault,
    attributions,
    settled,
    becomes,
    putOff,
    ledgerIsMade,
    campaign,
    reports,
    mugShow,
    aMugShow,
    background,
    dropEvents,
  })
}
