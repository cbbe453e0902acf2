/** What the parts of `cart.spec.ts` share: a connected shop, a mug to sell, and how the player speaks to a cart. */
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../../src/modules/svc"
import { forgetPrices } from "../../../src/workflows/cart"
import { connectMarket, type Market, seedShop, type Variant, variantsOf } from "../../setup/market"
import type { StoreSuite } from "../../setup/medusa"
import { type RunningSandbox, startSandbox } from "../../setup/sandbox"

export type CartShop = ReturnType<typeof cartShop>

/** To be called where the store is described: its hooks are for every part. */
export function cartShop({ api, getContainer }: StoreSuite) {
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
  // Also where a test fails before it has mended what it broke.
  afterEach(() => running().sandbox.control("/faults", undefined, "DELETE"))

  const knex = (): Knex => getContainer().resolve(ContainerRegistrationKeys.PG_CONNECTION)
  const svc = () => getContainer().resolve(SVC_MODULE)

  return {
    api,
    getContainer,
    knex,
    svc,
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

    /** One of the two writing actions, as the player's storefront sends it. */
    act: (
      action: "some-checkout" | "update-cart-contents",
      cartId: string,
      body: Record<string, unknown>,
    ) =>
      api.post(`/store/carts/${cartId}/svc/${action}`, body, {
        ...running().denmark.store,
        validateStatus: () => true,
      }),
    contents: async (cartId: string) =>
      (await api.get(`/store/carts/${cartId}/svc/cart-contents`, running().denmark.store)).data,
    ids: (show: { campaignUid: string; orderNo: string }) => ({
      campaign_uid: show.campaignUid,
      page_uid: "demo-page",
      order_no: show.orderNo,
    }),
    ref: (variant: Variant, quantity: number) => ({
      product_id: variant.product_id,
      variant_id: variant.id,
      quantity,
    }),
    /** Makes every hold run out, as half an hour does, and the answers that serve a crowd for five seconds. */
    endHolds: async (show: { campaignUid: string }): Promise<void> => {
      await knex()("svc_line_price").update({ expires_at: new Date(Date.now() - 1000) })
      await forgetPrices(getContainer(), running().denmark.connectionId, show.campaignUid)
    },
  }
}
