import type { CartCode } from "../codes"

/** Refusals of whole requests that a shopper may read. */
type RefusalKey =
  | "not_found"
  | "cart_completed"
  | "cart_busy"
  | "cart_moved"
  | "payment_under_way"
  | "page_not_connected"
  | "order_number_required"
  | "svc_price_changed"
  | "partial"
  | "failure"

/** `quantity_limited` has a sentence for each limit. */
export type SentenceKey =
  | Exclude<CartCode, "quantity_limited">
  | "quantity_limited_min"
  | "quantity_limited_max"
  | "quantity_limited_stock"
  | RefusalKey

/** A language's sentences; `{{quantity}}` and the like stand for parameters (`CartParams`). */
export type Sentences = Readonly<Record<SentenceKey, string>>
