/** What the parts of `orders.spec.ts` share: a connected shop, a mug to sell, and what is done with its orders. */
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import reportOrders from "../../../src/jobs/report-orders"
import { SVC_MODULE } from "../../../src/modules/svc"
import { workLedger, workReports } from "../../../src/workflows/orders"
import {
  completeCart,
  connectMarket,
  createCart,
  eventually,
  type Market,
  newOrderNo,
  runShow,
  type Show,
  seedShop,
  type Variant,
  variantsOf,
} from "../../setup/market"
import type { StoreSuite } from "../../setup/medusa"
import { orderChanges } from "../../setup/order-changes"
import { type RunningSandbox, startSandbox } from "../../setup/sandbox"

export type OrdersShop = ReturnType<typeof ordersShop>

/** To be called where the store is described: its hooks are for every part. */
export function ordersShop({ api, getContainer }: StoreSuite) {
  let started:
    | { sandbox: RunningSandbox; denmark: Market; mug: Variant; mugs: Variant[] }
    | undefined
  const running = () => {
    if (!started) throw new Error("The shop is there once the tests run: ask for it within one.")
    return started
  }

  beforeAll(async () => {
    const sandbox = await startSandbox()
    await seedShop(getContainer())
    const denmark = await connectMarket(api, getContainer(), sandbox, "denmark")
    const mugs = await variantsOf(getContainer(), "havn-mug")
    const [mug] = mugs
    if (!mug) throw new Error("no mug")
    started = { sandbox, denmark, mug, mugs }
  })
  afterAll(() => started?.sandbox.stop())
  afterEach(async () => {
    jest.restoreAllMocks()
    await running().sandbox.control("/profiles", undefined, "DELETE")
    await running().sandbox.control("/faults", undefined, "DELETE")
  })

  const changes = () => orderChanges(api, running().denmark.admin)
  const svc = () => getContainer().resolve(SVC_MODULE)
  const knex = (): Knex => getContainer().resolve(ContainerRegistrationKeys.PG_CONNECTION)
  const tap = async (
    show: { campaignUid: string; orderNo: string },
    cartId: string,
    pieces: { variant: Variant; quantity: number }[],
  ) =>
    (
      await api.post(
        `/store/carts/${cartId}/svc/update-cart-contents`,
        {
          campaign_uid: show.campaignUid,
          page_uid: running().denmark.pageUid,
          order_no: show.orderNo,
          products: pieces.map(({ variant, quantity }) => ({
            action: "add",
            product_id: variant.product_id,
            variant_id: variant.id,
            quantity,
          })),
        },
        { ...running().denmark.store, validateStatus: () => true },
      )
    ).data
  /** A basket with pieces at the show's price, under an order number of its own. */
  const basket = async (show: Show, quantity = 1, variant = running().mug) => {
    const numbered = { ...show, orderNo: await newOrderNo(running().sandbox, show.campaignUid) }
    const cartId = await createCart(api, running().denmark)
    await tap(numbered, cartId, [{ variant, quantity }])
    return { cartId, ...numbered }
  }
  const buy = async (show: Show, quantity = 1, variant = running().mug) => {
    const { cartId, orderNo } = await basket(show, quantity, variant)
    const { data } = await completeCart(api, running().denmark, cartId, "dk")
    return { orderId: data.order?.id ?? "", orderNo, cartId }
  }
  const attributions = async (filter: string) =>
    (await api.get(`/admin/svc/orders?${filter}`, running().denmark.admin)).data.orders
  /** The rows of an order, once nothing is left to do. */
  const settled = async (orderId: string) => {
    await eventually(
      () => attributions(`order_id=${orderId}`),
      (rows) => rows.length > 0,
    )
    await workReports(getContainer())
    return attributions(`order_id=${orderId}`)
  }
  const campaign = async (show: Show, container: MedusaContainer = getContainer()) => {
    await reportOrders(container)
    await workReports(container)
    await workLedger(container)
    return (
      await api.get(
        `/admin/svc/campaigns?campaign_uid=${show.campaignUid}`,
        running().denmark.admin,
      )
    ).data.campaigns[0]
  }
  const reports = async (orderNo: string) => {
    const { orders } = await running().sandbox.control<{
      orders: { order_no: string; reports: number }[]
    }>("/orders")
    return orders.find((order) => order.order_no === orderNo)?.reports ?? 0
  }
  const aMugShow = (price = 79) =>
    runShow(running().sandbox, running().denmark, [{ variant: running().mug, price }])

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

  return {
    api,
    getContainer,
    get sandbox() {
      return running().sandbox
    },
    get denmark() {
      return running().denmark
    },
    get mug() {
      return running().mug
    },
    get mugs() {
      return running().mugs
    },
    svc,
    changes,
    knex,
    tap,
    basket,
    buy,
    attributions,
    settled,
    campaign,
    reports,
    aMugShow,
    poison,
    heal,
    dropEvents,
  }
}
