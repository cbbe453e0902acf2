/** The demo's shop, connected to a sandbox of its own, with a mug to sell: what many HTTP specs begin with. */
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../src/modules/svc"
import { connectMarket, placeOf, seedShop, variantsOf } from "./connected-market"
import { takenCart } from "./copied-cart"
import { createCart, deliverCart, type Market, type MarketName, type Variant } from "./market"
import type { StoreSuite } from "./medusa"
import { type RunningSandbox, startSandbox } from "./sandbox"
import { newShopper, type Shopper } from "./shopper"

/** What exists only while tests run is a getter: ask for it within one. */
export type ConnectedShop = Pick<StoreSuite, "api" | "getContainer"> & {
  readonly sandbox: RunningSandbox
  readonly denmark: Market
  readonly mug: Variant
  readonly mugs: Variant[]
  knex: () => Knex
  svc: () => ReturnType<typeof svcOf>
  /** A shopper with an empty basket. */
  shopper: (market?: Market) => Promise<Shopper>
  /** A shopper whose cart has an address and a delivery, in one of the markets that the shop delivers to. */
  deliveredShopper: (market?: Market) => Promise<Shopper>
}

const svcOf = (container: ReturnType<StoreSuite["getContainer"]>) => container.resolve(SVC_MODULE)

/**
 * To be called where the store is described: its hooks are for every part.
 *
 * @param delivers the markets in which tests ask for delivered carts: one is made in each, and copied
 */
export function connectedShop(
  { api, getContainer }: StoreSuite,
  { delivers = [] }: { delivers?: MarketName[] } = {},
): ConnectedShop {
  let started: Pick<ConnectedShop, "sandbox" | "denmark" | "mug" | "mugs"> | undefined
  const running = () => {
    if (!started) throw new Error("The shop is there once the tests run: ask for it within one.")
    return started
  }
  const knex = () => getContainer().resolve(ContainerRegistrationKeys.PG_CONNECTION)
  const delivered = new Map<MarketName, () => Promise<string>>()
  /** Made by the store's route for the first shopper of a market, and copied. */
  const empty = new Map<MarketName, () => Promise<string>>()

  beforeAll(async () => {
    const sandbox = await startSandbox()
    await seedShop(getContainer())
    const denmark = await connectMarket(api, getContainer(), sandbox, "denmark")
    const mugs = await variantsOf(getContainer(), "havn-mug")
    const [mug] = mugs
    if (!mug) throw new Error("no mug")
    started = { sandbox, denmark, mug, mugs }
    for (const name of delivers) {
      const place = await placeOf(getContainer(), name)
      const cartId = await createCart(api, place)
      await deliverCart(api, place, cartId, name === "denmark" ? "dk" : "de")
      delivered.set(name, await takenCart(knex(), cartId))
    }
  })
  afterAll(() => started?.sandbox.stop())
  // The database is put back; the service would still hold back what the test before has sold out or deleted.
  beforeEach(() => running().sandbox.control("/products", undefined, "DELETE"))
  // Fails where a fault never struck: what the test has seen then says nothing.
  afterEach(() => running().sandbox.endFaults())

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
    knex,
    svc: () => svcOf(getContainer()),
    async shopper(market = running().denmark) {
      const copy =
        empty.get(market.name) ?? (await takenCart(knex(), await createCart(api, market)))
      empty.set(market.name, copy)
      return newShopper(api, market, {}, await copy())
    },
    async deliveredShopper(market = running().denmark) {
      const copy = delivered.get(market.name)
      if (!copy) throw new Error(`No cart was delivered in ${market.name}.`)
      return newShopper(api, market, {}, await copy())
    },
  }
}

/** A shop with more; its getters are passed through, not asked. */
export const withMore = <Shop extends ConnectedShop, More extends object>(
  shop: Shop,
  more: More,
): Shop & More => Object.assign(Object.create(shop) as Shop, more)
