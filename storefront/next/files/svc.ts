"use server"

import { sdk } from "@lib/config"
import type { HttpTypes } from "@medusajs/types"
import { revalidateTag } from "next/cache"
import { cookies, headers } from "next/headers"
import { redirect } from "next/navigation"
import { completeCart, type PriceChange, startPayment } from "svc-storefront"
import { getOrSetCart } from "./cart"
import { getAuthHeaders, getCacheTag, getCartId, removeCartId } from "./cookies"

/** Of the shopper's browser: the store answers in it. */
const language = async () => (await headers()).get("accept-language")

const store = {
  // As the starter's own calls from the server: the store may have another address here than for browsers.
  baseUrl: process.env.MEDUSA_BACKEND_URL || process.env.NEXT_PUBLIC_MEDUSA_BACKEND_URL || "",
  publishableKey: process.env.NEXT_PUBLIC_MEDUSA_PUBLISHABLE_KEY ?? "",
  language,
  getAuthToken: async () => (await cookies()).get("_medusa_jwt")?.value,
}

/** The cart's id for the player. `renew`: the one that is named is gone or ordered; the cookie may name another by now. */
export async function svcCartId(
  purpose: "read" | "write" | "renew",
  countryCode: string,
  gone?: string,
): Promise<string | null> {
  const id = await getCartId()
  if (purpose === "read") return id ?? null
  if (purpose === "renew" && id === (gone ?? id)) await removeCartId()
  return (await getOrSetCart(countryCode)).id
}

/** The cart is another one than Next has cached. */
export async function svcCartChanged(): Promise<void> {
  revalidateTag(await getCacheTag("carts"))
  revalidateTag(await getCacheTag("fulfillment"))
}

/** What the page showed when the shopper pressed the button. */
type Shown = { total: number; provider_id: string }

/** An answer, not an error: in production Next hides the message of an error that is thrown on the server. */
type NotDone = { changes: PriceChange[] } | { message: string }

/** The cart as it is now: the starter's `retrieveCart` answers from the cache. */
async function currentCart(): Promise<HttpTypes.StoreCart> {
  const id = await getCartId()
  if (!id) throw new Error("Your basket could not be found.")
  const { cart } = await sdk.store.cart.retrieve(id, {}, await getAuthHeaders())
  return cart
}

/**
 * Makes a payment session. What the store changed is accepted here, because nothing is ordered before the page has shown it.
 *
 * @param changes what the shopper has to be told; null: the session is for the total of the cart as it was read
 */
async function makeSession(
  cart: HttpTypes.StoreCart,
  provider_id: string,
  changes: PriceChange[] | null = null,
  tries = 3,
) {
  const started = await startPayment<HttpTypes.StorePaymentCollection>(
    store,
    cart,
    { provider_id },
    { acknowledged: changes ?? [], total: changes ? undefined : cart.total },
  )
  if (started.type === "payment") {
    const session = started.collection.payment_sessions?.find(
      (one) => one.provider_id === provider_id,
    )
    return { session: session ?? null, changes }
  }
  if (tries === 1) throw new Error(started.message)
  return makeSession(cart, provider_id, [...(changes ?? []), ...started.lines], tries - 1)
}

const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : "Something went wrong. Please try again."

const codeOf = (error: unknown) => (error as { code?: string } | null)?.code

/** Changes a quantity. The sentence that says why not, where the store refuses it; else null. */
export async function svcUpdateLineItem(lineId: string, quantity: number): Promise<string | null> {
  try {
    const cart = await currentCart()
    const sent = { ...(await getAuthHeaders()), "accept-language": (await language()) ?? "" }
    await sdk.store.cart.updateLineItem(cart.id, lineId, { quantity }, {}, sent)
    return null
  } catch (error) {
    return messageOf(error)
  } finally {
    await svcCartChanged()
  }
}

type Begun = { session: HttpTypes.StorePaymentSession } | NotDone

/** Begins the payment, or throws the store's refusal. Null: the basket is ordered already. */
async function begin(shown: Shown): Promise<Begun | null> {
  try {
    const cart = await currentCart()
    if (cart.completed_at) return null
    const { session, changes } = await makeSession(cart, shown.provider_id)
    // Both: what is to be paid may have been left at the shown total while the cart costs another.
    if (changes || cart.total !== shown.total) return { changes: changes ?? [] }
    return session ? { session } : { message: "The payment could not begin." }
  } catch (error) {
    if (codeOf(error) === "cart_completed") return null
    throw error
  } finally {
    await svcCartChanged()
  }
}

/** The starter leaves the step only with a session where a card is typed in; there the shopper has to read why not. */
const typesCard = (provider_id: string) => /^pp_(stripe_|medusa-)/.test(provider_id)

/**
 * The shopper chooses how to pay: the store proves the prices now, and holds them while the shopper pays. Nobody has pressed
 * the button that orders, so a basket that was paid, or whose payment calls itself made, is not ordered here. One that is
 * ordered already, where only the answer was lost, leads to its order. Without a session: a payment is under way, so the
 * shopper goes on to the review.
 */
export async function svcStartPayment(shown: Shown): Promise<Begun | { session: null }> {
  const begun = await begin(shown).catch((error: unknown) =>
    codeOf(error) === "payment_under_way" && !typesCard(shown.provider_id)
      ? { session: null }
      : { message: messageOf(error) },
  )
  return begun ?? svcPlaceOrder(shown)
}

/**
 * The shopper orders: the payment is begun anew, because the prices may be held no more. Where the basket was paid already it
 * is ordered: another payment would end the one that was made.
 */
export async function svcStartOrder(shown: Shown): Promise<Begun> {
  const begun = await begin(shown).catch((error: unknown) =>
    codeOf(error) === "payment_under_way" ? null : { message: messageOf(error) },
  )
  return begun ?? svcPlaceOrder(shown)
}

/** Places the order at the total that the page showed, and never at another. One that is placed already is found again. */
export async function svcPlaceOrder(shown: Shown): Promise<NotDone> {
  let confirmed = ""
  try {
    const cart = await currentCart()
    const done =
      cart.completed_at || cart.total === shown.total
        ? await completeCart<HttpTypes.StoreOrder>(store, cart.id)
        : null
    if (done?.type === "cart") {
      return { message: done.error?.message ?? "The payment is not complete." }
    }
    if (done?.type !== "order") {
      // Medusa dropped the payment of the old total. Without a new one the starter's button asks for a payment method.
      const { changes } = await makeSession(cart, shown.provider_id, done?.lines ?? [])
      return { changes: changes ?? [] }
    }
    await removeCartId()
    revalidateTag(await getCacheTag("orders"))
    const country = done.order.shipping_address?.country_code?.toLowerCase()
    confirmed = `/${country}/order/${done.order.id}/confirmed`
  } catch (error) {
    return { message: messageOf(error) }
  } finally {
    await svcCartChanged()
  }
  return redirect(confirmed)
}
