/**
 * Placing the order, where a show's price may have ended meanwhile: the store then answers 409
 * `svc_price_changed` and has already put the right price in the basket. Nobody pays a price they
 * did not see, so the shop shows what changed and asks again.
 */
import { idSegment, type StoreConnection, StoreError, storeRequest } from "./store-connection"

/** A line that is no longer what the shopper saw. Amounts in major units. */
export interface PriceChange {
  line_item_id: string
  variant_id: string | null
  title: string
  old_unit_price: number
  /** `null`: it is not sold any more, and the line is gone. */
  new_unit_price: number | null
  old_quantity?: number
  new_quantity?: number
  /** Of the new price. */
  currency_code: string
  /** Of the old price, where the store says it: another one after the basket changed its region. */
  old_currency_code?: string
  reason:
    | "price_changed"
    | "campaign_ended"
    | "price_unavailable"
    | "region_changed"
    | "channel_mismatch"
    | "currency_mismatch"
    | "quantity_limited"
    | "not_available"
    | "out_of_stock"
    | "not_for_sale"
}

/** The store's 409. `lines` may be empty; the basket, read again, is the truth in any case. */
export interface PriceChanged {
  message: string
  lines: PriceChange[]
}

/** How `completeCart` ended. `cart`: not placed yet, such as a payment that needs another step. */
export type Completion<Order = { id: string }> =
  | { type: "order"; order: Order }
  | ({ type: "price_changed" } & PriceChanged)
  | { type: "cart"; cart: unknown; error?: { message: string; type: string } }

/**
 * Reads the store's answer to `POST /store/carts/:id/complete`: what changed, or null where the
 * answer is anything else. For shops that make that request themselves.
 */
export function readPriceChange(status: number, body: unknown): PriceChanged | null {
  const answer = (body ?? {}) as { code?: unknown; message?: unknown; lines?: unknown }
  if (status !== 409 || answer.code !== "svc_price_changed") {
    return null
  }
  return {
    message: typeof answer.message === "string" ? answer.message : "A price has changed.",
    lines: Array.isArray(answer.lines) ? (answer.lines as PriceChange[]) : [],
  }
}

/** An order that was placed but not heard of is worse than a wait. */
const COMPLETE_TIMEOUT_MS = 60_000

/**
 * Places the order of a basket. A changed price is an answer, not an error: show it, then call
 * again once the shopper agrees. Throws `StoreError` for everything else that is not an order.
 */
export async function completeCart<Order = { id: string }>(
  store: StoreConnection,
  cartId: string,
): Promise<Completion<Order>> {
  try {
    return await storeRequest<Completion<Order>>(
      { ...store, timeoutMs: store.timeoutMs ?? COMPLETE_TIMEOUT_MS },
      `/store/carts/${idSegment(cartId)}/complete`,
      {},
    )
  } catch (error) {
    const changed =
      error instanceof StoreError ? readPriceChange(error.status ?? 0, error.body) : null
    if (!changed) {
      throw error
    }
    return { type: "price_changed", ...changed }
  }
}
