/** A shopper with a basket: what the player, the storefront and the card company do, over HTTP. */
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { MedusaSuiteOptions } from "@medusajs/test-utils"
import { forgetPrices } from "../../src/workflows/cart"
import { cardPayments } from "./card-provider"
import { createCart, eventually, type Market, type Show, type Variant } from "./market"
import { deliverCart, MANUAL_PAYMENT, paymentSessionsOf, type StoreCall } from "./order-steps"
import type { RunningSandbox } from "./sandbox"

type Api = MedusaSuiteOptions["api"]

export type Line = {
  id: string
  variant_id: string
  quantity: number
  unit_price: number
  compare_at_unit_price: number | null
  is_tax_inclusive: boolean
  is_custom_price?: boolean
  total: number
  tax_total: number
  metadata: Record<string, unknown> | null
}

export type CartAnswer = {
  id: string
  items: Line[]
  total: number
  tax_total: number
  item_total: number
  item_tax_total: number
  discount_total: number
  currency_code: string
  region_id: string
  metadata: Record<string, unknown> | null
  payment_collection?: { amount: number; payment_sessions?: { id: string }[] } | null
}

export const CARD = "pp_card_test"

export const ref = (variant: Variant, quantity: number) => ({
  product_id: variant.product_id,
  variant_id: variant.id,
  quantity,
})

export type Shopper = Awaited<ReturnType<typeof newShopper>>

/** @param known the id of a cart that there is; else there is a new one */
export async function newShopper(
  api: Api,
  market: Market,
  headers: Record<string, string> = {},
  known?: string,
) {
  const cartId = known ?? (await createCart(api, market))
  const options = {
    headers: { ...market.store.headers, ...headers },
    validateStatus: () => true,
  }
  const post = (path: string, body: object = {}, more: Record<string, string> = {}) =>
    api.post(path, body, { ...options, headers: { ...options.headers, ...more } })
  const call: StoreCall = async (path, body) =>
    (await (body ? post(path, body) : api.get(path, options))).data
  const cart = async (): Promise<CartAnswer> =>
    (await api.get(`/store/carts/${cartId}?fields=+items.is_custom_price`, options)).data.cart

  const act = (
    action: "some-checkout" | "update-cart-contents",
    show: Pick<Show, "campaignUid"> & { orderNo?: string },
    products: object[],
    more: object = {},
  ) =>
    post(`/store/carts/${cartId}/svc/${action}`, {
      campaign_uid: show.campaignUid,
      page_uid: market.pageUid,
      ...(show.orderNo ? { order_no: show.orderNo } : {}),
      products,
      ...more,
    })

  return {
    cartId,
    cart,
    act,
    add: (show: Show, variant: Variant, quantity = 1) =>
      act("update-cart-contents", show, [{ action: "add", ...ref(variant, quantity) }]),
    contents: async () => (await api.get(`/store/carts/${cartId}/svc/cart-contents`, options)).data,
    update: (body: object) => post(`/store/carts/${cartId}`, body),
    /** The basket becomes a customer's, and every later request is theirs. */
    logIn: (token: string) => {
      Object.assign(options.headers, { authorization: `Bearer ${token}` })
      return post(`/store/carts/${cartId}/customer`)
    },
    addAtCatalogPrice: (variant: Variant, quantity = 1, body: object = {}) =>
      post(`/store/carts/${cartId}/line-items`, { variant_id: variant.id, quantity, ...body }),
    setLine: (lineId: string, body: object) =>
      post(`/store/carts/${cartId}/line-items/${lineId}`, body),
    removeLine: (lineId: string) =>
      api.delete(`/store/carts/${cartId}/line-items/${lineId}`, options),
    promotions: (promo_codes: string[]) =>
      post(`/store/carts/${cartId}/promotions`, { promo_codes }),
    /** Everything that an order needs but the payment. */
    checkOut: (country = market.name === "denmark" ? "dk" : "de") =>
      deliverCart(call, cartId, country),
    /** Begins a payment; `session` is its id where it began. */
    pay: async (provider = MANUAL_PAYMENT.provider_id, more: Record<string, string> = {}) => {
      const path = await paymentSessionsOf(call, cartId)
      const answer = await post(path, { provider_id: provider }, more)
      const sessions: { id: string }[] = answer.data.payment_collection?.payment_sessions ?? []
      return { ...answer, session: sessions.at(-1)?.id ?? "" }
    },
    order: (more: Record<string, string> = {}) => post(`/store/carts/${cartId}/complete`, {}, more),
    /** The shopper confirms the card in the browser: neither the store nor Medusa is asked. */
    confirmCard: (session: string, how: "authorized" | "captured" | "failed") => {
      const payment = cardPayments().get(session)
      if (payment?.status !== "open") throw new Error("There is no such open payment.")
      payment.status = how
      if (how === "captured") payment.captures += 1
      return payment
    },
    /** The shopper leaves the company's page, and it expires: nobody can pay there any more, and the store is not told. */
    pageExpires: (session: string) => {
      const payment = cardPayments().get(session)
      if (payment?.status !== "open") throw new Error("There is no such open payment.")
      payment.status = "canceled"
      return payment
    },
    /** The card company tells the store of it. */
    sendCardWebhook: (session: string) => {
      const payment = cardPayments().get(session)
      return api.post(
        "/hooks/payment/card_test",
        {
          session_id: session,
          amount: payment?.amount,
          captured: payment?.status === "captured",
        },
        { validateStatus: () => true },
      )
    },
  }
}

type ProofRow = {
  variant_id: string
  campaign_uid: string
  amount: string
  is_tax_inclusive: boolean
  source: string
}

/** Where the prices of a cart's lines came from, by the store's own record. */
export const proofsOf = (container: MedusaContainer, cartId: string): Promise<ProofRow[]> =>
  container
    .resolve(ContainerRegistrationKeys.PG_CONNECTION)("svc_line_price")
    .where({ cart_id: cartId, deleted_at: null })

/** Lets the clock of a cart's proofs run: as if they had been written so many minutes earlier. */
export async function minutesPass(
  container: MedusaContainer,
  cartId: string,
  minutes: number,
): Promise<void> {
  const knex = container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
  const earlier = (column: string) => knex.raw("?? - ? * interval '1 minute'", [column, minutes])
  await knex("svc_line_price")
    .where({ cart_id: cartId })
    .update({
      fetched_at: earlier("fetched_at"),
      expires_at: earlier("expires_at"),
      held_until: earlier("held_until"),
    })
  await knex("payment_session")
    .whereIn(
      "payment_collection_id",
      knex("cart_payment_collection").select("payment_collection_id").where({ cart_id: cartId }),
    )
    .update({ created_at: earlier("created_at"), authorized_at: earlier("authorized_at") })
  await knex("svc_price_change")
    .where({ cart_id: cartId })
    .update({ created_at: earlier("created_at"), updated_at: earlier("updated_at") })
}

/** Changes a product of a running show, and waits until the store knows. */
export async function changeInShow(
  sandbox: RunningSandbox,
  container: MedusaContainer,
  market: Market,
  show: Show,
  variant: Variant,
  change: Record<string, unknown> | null,
): Promise<void> {
  const { products } = await sandbox.client.events.get(show.eventId)
  const product = products.find(({ external_id }) => external_id === variant.product_id)
  const path = `/events/${show.eventId}/products/${product?.uid}`
  if (change === null) await sandbox.control(path, undefined, "DELETE")
  else await sandbox.control(path, change)
  await forgetPrices(container, market.connectionId, show.campaignUid)
}

/** Waits until the store's copy of a show says so. */
export async function knownToStore(
  api: Api,
  market: Market,
  show: Show,
  holds: (event: { status: string; deadline: string | null; deleted_at: string | null }) => boolean,
): Promise<void> {
  await eventually(
    async () =>
      (await api.get(`/admin/svc/live-events?campaign_uid=${show.campaignUid}`, market.admin)).data
        .live_events[0],
    (event) => event !== undefined && holds(event),
  )
}
