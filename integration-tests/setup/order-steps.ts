/** The steps from a filled basket to a payment, over HTTP, as every storefront makes them. */

/** Asks the store as a shopper: GET without a body, POST with one. Answers with what the store's answer holds. */
export type StoreCall = <T>(path: string, body?: object) => Promise<T>

/** Core reads a whole basket for each answer, which takes as long as what was asked of it: nobody here looks at that. */
export const UNREAD = "?fields=id"

const ADDRESS = {
  first_name: "Karen",
  last_name: "Holm",
  address_1: "Strandvejen 1",
  city: "Thisted",
  postal_code: "7700",
}

/** Address and delivery: everything that an order needs but the payment. */
export async function deliverCart(
  call: StoreCall,
  cartId: string,
  country_code = "dk",
): Promise<void> {
  const path = `/store/carts/${cartId}`
  const address = { ...ADDRESS, country_code }
  await call(`${path}${UNREAD}`, {
    email: "karen@example.test",
    shipping_address: address,
    billing_address: address,
  })
  const { shipping_options } = await call<{ shipping_options: { id: string; amount: number }[] }>(
    `/store/shipping-options?cart_id=${cartId}`,
  )
  // They come in no order; the parcel shop is the cheapest.
  const [cheapest] = shipping_options.sort((one, other) => one.amount - other.amount)
  await call(`${path}/shipping-methods${UNREAD}`, { option_id: cheapest?.id })
}

/** @returns the path at which the payments of a basket are begun */
export async function paymentSessionsOf(call: StoreCall, cartId: string): Promise<string> {
  const { payment_collection } = await call<{ payment_collection: { id: string } }>(
    "/store/payment-collections",
    { cart_id: cartId },
  )
  return `/store/payment-collections/${payment_collection.id}/payment-sessions`
}

/** Medusa's own provider, which authorises whatever it is asked for. */
export const MANUAL_PAYMENT = { provider_id: "pp_system_default" }
