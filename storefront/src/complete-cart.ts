/** Payment and order of a cart whose show may have ended meanwhile. */
import { emit, emitChanges } from "./events.ts"
import {
  acknowledge,
  type PriceChange,
  type PriceChanged,
  readPriceChange,
} from "./price-change.ts"
import {
  cartPath,
  isId,
  type StoreConnection,
  StoreError,
  storeRequest,
} from "./store-connection.ts"

/** How `completeCart` ended. `cart`: not placed yet, such as a payment that needs another step. */
export type Completion<Order = { id: string }> =
  | { type: "order"; order: Order }
  | ({ type: "price_changed"; cart?: unknown } & PriceChanged)
  | { type: "cart"; cart: unknown; error?: { message: string; type: string } }

export interface CheckoutOptions {
  /** The changes that the shopper has seen and agreed to, as an earlier answer gave them. */
  acknowledged?: readonly PriceChange[]
}

/** An order that was placed but not heard of is worse than a wait. */
const CHECKOUT_TIMEOUT_MS = 60_000

async function post<T>(
  store: StoreConnection,
  path: string,
  body: object,
  { acknowledged }: CheckoutOptions,
): Promise<T | ({ type: "price_changed"; cart?: unknown } & PriceChanged)> {
  const patient = { ...store, timeoutMs: store.timeoutMs ?? CHECKOUT_TIMEOUT_MS }
  const answer = await storeRequest<T>(patient, path, {
    body,
    headers: acknowledge(acknowledged),
  }).catch((error: unknown) => {
    // The route for payments says it with 409.
    const isConflict = error instanceof StoreError && error.status === 409
    if (isConflict && readPriceChange(error.body)) return error.body as T
    throw error
  })
  const changed = readPriceChange(answer)
  if (!changed) return answer
  emitChanges(changed.lines)
  const { cart } = answer as { cart?: unknown }
  return { type: "price_changed", ...changed, ...(cart !== undefined && { cart }) }
}

/**
 * Places the order of a cart. A changed price is an answer, not an error: show it, prepare the
 * payment again, and call again with `acknowledged` once the shopper agrees. Throws `StoreError` for
 * everything else that is not an order.
 */
export async function completeCart<Order extends { id: string } = { id: string }>(
  store: StoreConnection,
  cartId: string,
  options: CheckoutOptions = {},
): Promise<Completion<Order>> {
  const answer = await post<Completion<Order>>(store, cartPath(cartId, "/complete"), {}, options)
  if (answer.type === "order") emit("svc:ordered", { order: answer.order })
  return answer
}

/** Less than half of the smallest coin of any currency: sums of prices with tax have more digits than money. */
const SAME_AMOUNT = 0.0005

/** How `startPayment` ended. `collection` is Medusa's payment collection with its sessions. */
export type PaymentStart<Collection = { id: string }> =
  | { type: "payment"; collection: Collection }
  | ({ type: "price_changed" } & PriceChanged)

/**
 * Begins the payment of a cart: makes its payment collection where it has none, and a session with
 * the provider. The store proves every price of a show at this moment and holds it while the shopper
 * pays; one that no longer holds is an answer, as with {@link completeCart}.
 *
 * With `total`, the `cart.total` that the page shows, not rounded: a payment that was begun for another amount is such an
 * answer too, with no lines. The store has then computed the cart anew: show it, and call again. Without it, or where the
 * store leaves `amount` out of its answer, compare it yourself before a card is confirmed.
 */
export async function startPayment<Collection extends { id: string } = { id: string }>(
  store: StoreConnection,
  cart: { id: string; payment_collection?: { id: string } | null },
  session: { provider_id: string; data?: Record<string, unknown> },
  options: CheckoutOptions & { total?: number | undefined } = {},
): Promise<PaymentStart<Collection>> {
  type Answer = { payment_collection: Collection & { amount?: number } }
  const make = () =>
    storeRequest<{ payment_collection: { id: string } }>(store, "/store/payment-collections", {
      body: { cart_id: cart.id },
    })
  const { id } = cart.payment_collection ?? (await make()).payment_collection
  if (!isId(id)) throw new StoreError("gone")
  const path = `/store/payment-collections/${id}/payment-sessions`
  const answer = await post<Answer>(store, path, session, options)
  if ("type" in answer) return answer
  const collection = answer.payment_collection
  // A store that leaves the amount out of its answer has nothing to compare.
  const { amount = options.total ?? 0 } = collection
  if (Math.abs(amount - (options.total ?? amount)) < SAME_AMOUNT) {
    return { type: "payment", collection }
  }
  // Any update makes Medusa compute what is to be paid, where a store's own code left an old amount.
  await storeRequest(store, cartPath(cart.id), { body: {} })
  return { type: "price_changed", message: "The total has changed.", lines: [] }
}
