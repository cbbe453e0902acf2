/** The answers of the plugin's admin routes, as they travel. Times are ISO 8601 in UTC, amounts in major units. */

export type Page = { count: number; limit: number; offset: number }

/** Why something is not as it should be, and what to do: for a merchant. */
export type Reason = { code: string; message: string; fix: string }

export type SecretState = {
  configured: boolean
  fingerprint: string | null
  updated_at: string | null
}

export type ConnectionStatus = "active" | "broken"

export type Connection = {
  id: string
  name: string
  page_uid: string
  base_url: string
  sales_channel_id: string
  region_id: string
  storefront_url: string
  prices_include_vat: boolean
  status: ConnectionStatus
  last_error: (Reason & { at?: string }) | null
  api_token: SecretState
  managed_by: "admin" | "environment"
}

export type ConnectionInput = {
  name: string
  page_uid: string
  base_url: string
  /** Write-only; absent or empty keeps the stored one. */
  api_token?: string
  sales_channel_id: string
  region_id: string
  storefront_url: string
  prices_include_vat: boolean
}

export type ConnectionCheck = {
  ok: boolean
  reachable: boolean
  token_accepted: boolean
  duration_ms: number
  error: Reason | null
}

export type SyncStatus = "idle" | "running" | "paused" | "completed" | "cancelled" | "failed"

export type Sync = {
  status: SyncStatus
  total: number
  done: number
  failed: number
  /** Products per second. */
  rate: number | null
  eta_seconds: number | null
  started_at: string | null
  finished_at: string | null
}

export type Webhook = {
  webhook_uid: string | null
  url: string | null
  topics: string[]
  /** Names only. */
  custom_headers: string[]
  state: string | null
  signature_key: SecretState
  rotating: boolean
  last_delivery_at: string | null
  /** This store's clock less the service's at the last delivery. */
  clock_skew_ms: number | null
  last_error: Reason | null
  /** When the listings were last read, to heal what was missed. */
  pulled_at: string | null
}

export const PRODUCT_STATES = ["pending", "synced", "invalid", "failed", "removed"] as const
export type ProductState = (typeof PRODUCT_STATES)[number]

export type SyncedProduct = {
  id: string
  product_id: string
  connection_id: string
  title: string
  state: ProductState
  reason: Reason | null
  attempts: number
  next_attempt_at: string | null
  last_pushed_at: string | null
}

export type SyncedProductDetail = SyncedProduct & {
  /** What would be sent now; null where the product cannot be read or is not for sale. */
  payload: object | null
  /** What the service accepted last. */
  last_payload: object | null
}

export const DELIVERY_OUTCOMES = [
  "received",
  "applied",
  "stale",
  "duplicate",
  "quarantined",
  "unknown",
  "test",
  "failed",
] as const
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number]

export type Delivery = {
  id: string
  connection_id: string
  topic: string
  event_uid: string | null
  delivery_uid: string | null
  occurred_at: string | null
  received_at: string
  outcome: DeliveryOutcome
  reason: string | null
  attempts: number
  /** Further deliveries of the same event. */
  repeats: number
}

export type DeliveryDetail = Delivery & { payload: object; headers: object }

export type EventKind = "live" | "shoppable"

export type LiveEvent = {
  id: string
  event_id: string
  kind: EventKind
  connection_id: string
  campaign_uid: string
  name: string
  /** One of the service's statuses, or one that this version does not know. */
  status: string
  is_published: boolean
  starts_at: string | null
  live_started_at: string | null
  live_ended_at: string | null
  deadline: string | null
  deleted_at: string | null
  occurred_at: string
}

export type EventProduct = {
  uid: string
  sku: string | null
  external_id: string | null
  campaign_uid: string
  name: string
  price: number | null
  suggested_retail_price: number | null
  available: boolean
  min_purchase_qty: number | null
  max_qty_per_customer: number | null
  variants: { uid?: string; sku?: string; externalId?: string; price?: number }[]
  deleted_at: string | null
  occurred_at: string
}

export type LiveEventDetail = LiveEvent & { currency_code: string | null; products: EventProduct[] }

export const ORDER_STATES = ["waiting", "reported", "failed", "duplicate", "excluded"] as const
export type OrderState = (typeof ORDER_STATES)[number]

export type AttributedOrder = {
  id: string
  order_id: string
  display_id: number | null
  cart_id: string | null
  connection_id: string
  svc_order_no: string
  campaign_uid: string
  state: OrderState
  reason: Reason | null
  currency_code: string
  /** Of the lines sold at the campaign's price, tax included. */
  units: number
  gross: number
  placed_at: string
  attempts: number
  reported_at: string | null
}

export type Campaign = {
  campaign_uid: string
  connection_id: string
  event_id: string | null
  name: string | null
  currency_code: string
  orders: number
  units: number
  gross: number
  refunded: number
  net: number
  /** Share of order numbers given out that became orders, 0 to 1; null where unknown. */
  conversion_rate: number | null
}

export type HealthProblem = Reason & {
  severity: "warning" | "critical"
  connection_id: string | null
}

export type Health = { status: "ok" | "warning" | "critical"; problems: HealthProblem[] }
