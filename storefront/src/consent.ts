import { cartPath, type StoreConnection, storeRequest } from "./store-connection.ts"

/**
 * Writes into the cart whether the shopper agrees that the order is reported to the service as one of
 * the show: `metadata.svc_consent`. For a cart that is there; {@link rememberCart} asks for each new one.
 */
export async function setConsent(
  store: StoreConnection,
  cartId: string,
  granted: boolean,
): Promise<void> {
  await storeRequest(store, cartPath(cartId), { body: { metadata: { svc_consent: granted } } })
}
