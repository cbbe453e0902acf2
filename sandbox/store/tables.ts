/**
 * All that the sandbox remembers, as plain records in memory.
 *
 * Records are JSON: a snapshot is a copy of these tables and nothing else. Timers are not state,
 * they follow from `next_attempt_at` of the deliveries. Times are ms since the epoch.
 */

import { isUtf8 } from "node:buffer"
import type {
  ApiLiveEventProductV1,
  ApiLiveEventV1,
  CustomHeader,
  Topic,
  Vat,
} from "../contract/interface"

export type Page = {
  uid: string
  name: string
  api_token: string
  /** Currency and VAT basis of campaigns that do not say otherwise. */
  currency: string
  vat: Vat
  created_at: number
}

export type ReceivedProduct = {
  page_uid: string
  product_id: string
  /** Exactly as pushed (interface §2.1), unknown fields included. */
  product: Record<string, unknown>
  first_received_at: number
  received_at: number
  pushes: number
  diff: FieldChange[]
}

export type FieldChange = { path: string; before: unknown; after: unknown }

export type Campaign = {
  uid: string
  page_uid: string
  currency: string
  vat: Vat
  /** When it closes; 0 = never. */
  deadline: number
}

export type LiveEvent = {
  id: string
  kind: "live" | "shoppable"
  page_uid: string
  campaign_uid: string
  created_at: number
  deleted_at: number | null
  /** "public" is what makes `isPublished` true (interface §2.6). */
  internal_status: "public" | "draft"
  data: ApiLiveEventV1
  /** As announced last, and the time before; null where it was announced less often. */
  latest: ApiLiveEventV1 | null
  previous: ApiLiveEventV1 | null
}

export type EventProduct = {
  uid: string
  event_id: string
  page_uid: string
  campaign_uid: string
  external_id: string
  variant_external_id: string | null
  currency: string
  vat: Vat
  discount: number | null
  catalog_price: number | null
  /** Unavailable because the shop's catalog says so, not because the host took it off. */
  held_by_catalog?: boolean
  created_at: number
  deleted_at: number | null
  data: ApiLiveEventProductV1
}

export type Order = {
  order_no: string
  campaign_uid: string
  page_uid: string
  issued_at: number
  converted_at: number | null
  reports: number
}

export type SubscriberState = "active" | "warning" | "disabled"

export type Subscriber = {
  uid: string
  page_uid: string
  name: string
  url: string
  topics: Topic[]
  custom_headers: CustomHeader[]
  /** Version of the envelope that it opted in to (interface §9 rule 1). */
  version?: string
  signature_key: string
  state: SubscriberState
  failing_since: number | null
  consecutive_failures: number
  last_delivery_at: number | null
  last_success_at: number | null
  created_at: number
  updated_at: number
}

export type Notification = {
  id: string
  page_uid: string
  subscriber_uid: string
  kind: "warning" | "disabled"
  at: number
  message: string
}

export type AttemptTrigger = "event" | "retry" | "resend" | "duplicate" | "test"
export type AttemptOutcome = "success" | "retry" | "drop"

export type Attempt = {
  number: number
  trigger: AttemptTrigger
  delivery_uid: string
  at: number
  duration_ms: number
  outcome: AttemptOutcome
  status: number | null
  error: string | null
  fault: string | null
  /** What was on the wire: nothing where no connection was made, half of a body that was cut. */
  request: { url: string; headers: [string, string][] } & LoggedBody
  response: ({ headers: Record<string, string> } & LoggedBody) | null
}

/** A body as text, and as base64 too where it is not UTF-8 text. */
export type LoggedBody = { body: string; body_base64?: string }

export function loggedBody(bytes: Buffer): LoggedBody {
  const body = bytes.toString("utf8")
  return isUtf8(bytes) ? { body } : { body, body_base64: bytes.toString("base64") }
}

export const DELIVERY_STATES = ["pending", "delivered", "failed", "dropped"] as const
type DeliveryState = (typeof DELIVERY_STATES)[number]

export type Delivery = {
  id: string
  page_uid: string
  subscriber_uid: string
  event_uid: string
  topic: string
  version: string
  occurred_at: number
  /** JSON text of the topic's payload, fixed when the change happened. */
  data: string
  created_at: number
  state: DeliveryState
  next_attempt_at: number | null
  attempts: Attempt[]
}

export type Tables = {
  pages: Map<string, Page>
  /** Keyed by page and product id, see `productKey`. */
  products: Map<string, ReceivedProduct>
  campaigns: Map<string, Campaign>
  events: Map<string, LiveEvent>
  event_products: Map<string, EventProduct>
  orders: Map<string, Order>
  subscribers: Map<string, Subscriber>
  notifications: Map<string, Notification>
  deliveries: Map<string, Delivery>
}

export function emptyTables(): Tables {
  return {
    pages: new Map(),
    products: new Map(),
    campaigns: new Map(),
    events: new Map(),
    event_products: new Map(),
    orders: new Map(),
    subscribers: new Map(),
    notifications: new Map(),
    deliveries: new Map(),
  }
}

export type TableRecords = {
  [T in keyof Tables]: Tables[T] extends Map<string, infer R> ? R[] : never
}

const KEYS: { [T in keyof TableRecords]: (record: TableRecords[T][number]) => string } = {
  pages: (page) => page.uid,
  products: (product) => productKey(product.page_uid, product.product_id),
  campaigns: (campaign) => campaign.uid,
  events: (event) => event.id,
  event_products: (product) => product.uid,
  orders: (order) => order.order_no,
  subscribers: (subscriber) => subscriber.uid,
  notifications: (notification) => notification.id,
  deliveries: (delivery) => delivery.id,
}

export const TABLE_NAMES = Object.keys(KEYS) as (keyof Tables)[]

/** Two pages may push products of one id; neither sees the other's. */
export function productKey(pageUid: string, productId: string): string {
  return JSON.stringify([pageUid, productId])
}

/** A copy that later changes do not touch. */
export function dump(tables: Tables): TableRecords {
  const lists = Object.fromEntries(TABLE_NAMES.map((name) => [name, [...tables[name].values()]]))
  return structuredClone(lists) as TableRecords
}

/** Puts `records` in place of everything in `tables`. */
export function load(tables: Tables, records: TableRecords): void {
  for (const name of TABLE_NAMES) loadTable(tables, name, structuredClone(records[name] ?? []))
}

function loadTable<T extends keyof Tables>(
  tables: Tables,
  name: T,
  records: TableRecords[T],
): void {
  const table = tables[name] as Map<string, TableRecords[T][number]>
  table.clear()
  for (const record of records as TableRecords[T][number][]) table.set(KEYS[name](record), record)
}

/** Deletes the oldest records above `keep`, except those that are still `needed`. */
export function trim<R>(table: Map<string, R>, keep: number, needed: (record: R) => boolean): void {
  if (table.size <= keep) return
  let spare = table.size - keep
  for (const [key, record] of table) {
    if (spare <= 0) return
    if (!needed(record)) {
      table.delete(key)
      spare--
    }
  }
}
