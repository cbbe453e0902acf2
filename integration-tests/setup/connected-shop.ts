/** The demo's shop, connected to a sandbox of its own, with a mug to sell: what many HTTP specs begin with. */
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../src/modules/svc"
import { connectMarket, type Market, seedShop, type Variant, variantsOf } from "./market"
import type { StoreSuite } from "./medusa"
import { type RunningSandbox, startSandbox } from "./sandbox"

/** What exists only while tests run is a getter: ask for it within one. */
export type ConnectedShop = Pick<StoreSuite, "api" | "getContainer"> & {
  readonly sandbox: RunningSandbox
  readonly denmark: Market
  readonly mug: Variant
  readonly mugs: Variant[]
  knex: () => Knex
  svc: () => ReturnType<typeof svcOf>
}

const svcOf = (container: ReturnType<StoreSuite["getContainer"]>) => container.resolve(SVC_MODULE)

/** To be called where the store is described: its hooks are for every part. */
export function connectedShop({ api, getContainer }: StoreSuite): ConnectedShop {
  let started: Pick<ConnectedShop, "sandbox" | "denmark" | "mug" | "mugs"> | undefined
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
    knex: () => getContainer().resolve(ContainerRegistrationKeys.PG_CONNECTION),
    svc: () => svcOf(getContainer()),
  }
}

/** A shop with more; its getters are passed through, not asked. */
export const withMore = <Shop extends ConnectedShop, More extends object>(
  shop: Shop,
  more: More,
): Shop & More => Object.assign(Object.create(shop) as Shop, more)
