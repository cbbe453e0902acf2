"use server"

import { sdk } from "@lib/config"
import type { HttpTypes } from "@medusajs/types"
import { revalidateTag } from "next/cache"
import { cookies } from "next/headers"
import { redirect } from "next/navigation"
import { completeCart, type PriceChange, startPayment } from "svc-storefront"
import { getOrSetCart } from "./cart"
import { getAuthHeaders, getCacheTag, getCartId, removeCartId } from "./cookies"

const store = {
  baseUrl: process.env.NEXT_PUBLIC_MEDUSA_BACKEND_URL ?? "",
  publishableKey: process.env.NEXT_PUBLIC_MEDUSA_PUBLISHABLE_KEY ?? "",
  getAuthToken: async () => (await cookies()).get("_medusa_jwt")?.value,
}

/** The cart's id for the player. `renew`: the one in the cookie is gone or ordered. */
export async function svcCartId(
  purpose: "read" | "write" | "renew",
  countryCode: string,
): Promise<string | null> {
  if (purpose === "read") return (await getCartId()) ?? null
  if (purpose === "renew") await removeCartId()
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

/** Makes a payment session. What the store changed is accepted here, because nothing is ordered before the page has shown it. */
async function makeSession(
  cart: HttpTypes.StoreCart,
  provider_id: string,
  changes: PriceChange[] = [],
  tries = 3,
) {
  const started = await startPayment<HttpTypes.StorePaymentCollection>(
    store,
    cart,
    { provider_id },
    { acknowledged: changes },
  )
  if (started.type === "payment") {
    const session = started.collection.payment_sessions?.find(
      (one) => one.provider_id === provider_id,
    )
    return { session: session ?? null, changes }
  }
  if (tries === 1) throw new Error(started.message)
  return makeSession(cart, provider_id, [...changes, ...started.lines], tries - 1)
}

const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : "Something went wrong. Please try again."

/** Changes a quantity. The sentence that says why not, where the store refuses it; else null. */
export async function svcUpdateLineItem(lineId: string, quantity: number): Promise<string | null> {
  try {
    const cart = await currentCart()
    await sdk.store.cart.updateLineItem(cart.id, lineId, { quantity }, {}, await getAuthHeaders())
    return null
  } catch (error) {
    return messageOf(error)
  } finally {
    await svcCartChanged()
  }
}

/** Begins the payment: the store proves the prices now, and holds them while the shopper pays. */
export async function svcStartPayment(
  shown: Shown,
): Promise<{ session: HttpTypes.StorePaymentSession } | NotDone> {
  try {
    const cart = await currentCart()
    const { session, changes } = await makeSession(cart, shown.provider_id)
    if (changes.length > 0 || cart.total !== shown.total) return { changes }
    return session ? { session } : { message: "The payment could not begin." }
  } catch (error) {
    return { message: messageOf(error) }
  } finally {
    await svcCartChanged()
  }
}

/** Places the order at the total that the page showed, and never at another. */
export async function svcPlaceOrder(shown: Shown): Promise<NotDone> {
  let confirmed = ""
  try {
    const cart = await currentCart()
    const done =
      cart.total === shown.total ? await completeCart<HttpTypes.StoreOrder>(store, cart.id) : null
    if (done?.type === "cart") {
      return { message: done.error?.message ?? "The payment is not complete." }
    }
    if (done?.type !== "order") {
      // Medusa dropped the payment of the old total. Without a new one the starter's button asks for a payment method.
      const { changes } = await makeSession(cart, shown.provider_id, done?.lines)
      return { changes }
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
