/**
 * All that the sandbox remembers, as plain records in memory.
 *
 * Records are JSON: a snapshot is a copy of these tables and nothing else. Timers are not state,
 * they follow from `next_attempt_at` of the deliveries.
 */

import { isUtf8 } from "node:buffer"
import { z } from "zod"
import {
  apiLiveEventProductV1,
  apiLiveEventV1,
  customHeader,
  ms,
  topicName,
  vat,
} from "../contract/payloads"

export const pageRecord = z.object({
  uid: z.string(),
  name: z.string(),
  api_token: z.string(),
  /** Of campaigns that do not say otherwise. */
  currency: z.string(),
  vat,
  created_at: ms,
})
export type Page = z.infer<typeof pageRecord>

export const productRecord = z.object({
  page_uid: z.string(),
  product_id: z.string(),
  /** Exactly as pushed (interface §2.1), unknown fields included. */
  product: z.record(z.string(), z.unknown()),
  first_received_at: ms,
  received_at: ms,
  pushes: z.int(),
})
export type ReceivedProduct = z.infer<typeof productRecord>

export const campaignRecord = z.object({
  uid: z.string(),
  page_uid: z.string(),
  currency: z.string(),
  vat,
  /** When it closes, in ms; 0 = never. */
  deadline: z.number(),
})
export type Campaign = z.infer<typeof campaignRecord>

export const eventRecord = z.object({
  id: z.string(),
  kind: z.enum(["live", "shoppable"]),
  page_uid: z.string(),
  campaign_uid: z.string(),
  created_at: ms,
  deleted_at: ms.nullable(),
  /** `public` is what makes `isPublished` true (interface §2.6). */
  internal_status: z.enum(["public", "draft"]),
  data: apiLiveEventV1,
  /** As it was announced, the latest last. */
  announced: z.array(z.object({ at: ms, data: apiLiveEventV1 })),
})
export type LiveEvent = z.infer<typeof eventRecord>

export const eventProductRecord = z.object({
  uid: z.string(),
  event_id: z.string(),
  page_uid: z.string(),
  campaign_uid: z.string(),
  external_id: z.string(),
  variant_external_id: z.string().nullable(),
  currency: z.string(),
  vat,
  discount: z.number().nullable(),
  catalog_price: z.number().nullable(),
  /** Unavailable because the shop's catalog says so, not because the host took it off. */
  held_by_catalog: z.boolean().optional(),
  created_at: ms,
  deleted_at: ms.nullable(),
  data: apiLiveEventProductV1,
})
export type EventProduct = z.infer<typeof eventProductRecord>

export const orderRecord = z.object({
  order_no: z.string(),
  campaign_uid: z.string(),
  page_uid: z.string(),
  issued_at: ms,
  converted_at: ms.nullable(),
  /** Calls of /processOrders. */
  reports: z.int(),
  /** `Idempotency-Key` of the first that had one. */
  idempotency_key: z.string().nullish(),
})
export type Order = z.infer<typeof orderRecord>

const subscriberState = z.enum(["active", "warning", "disabled"])
export type SubscriberState = z.infer<typeof subscriberState>

export const subscriberRecord = z.object({
  uid: z.string(),
  page_uid: z.string(),
  name: z.string(),
  url: z.string(),
  topics: z.array(topicName),
  custom_headers: z.array(customHeader),
  /** Version of the envelope that it opted in to (interface §9 rule 1). */
  version: z.string().optional(),
  signature_key: z.string(),
  state: subscriberState,
  failing_since: ms.nullable(),
  consecutive_failures: z.int(),
  last_delivery_at: ms.nullable(),
  last_success_at: ms.nullable(),
  created_at: ms,
  updated_at: ms,
})
export type Subscriber = z.infer<typeof subscriberRecord>

export const notificationRecord = z.object({
  id: z.string(),
  page_uid: z.string(),
  subscriber_uid: z.string(),
  kind: z.enum(["warning", "disabled"]),
  at: ms,
  message: z.string(),
})
export type Notification = z.infer<typeof notificationRecord>

/** A body as text, and as base64 too where it is not UTF-8 text. */
const bodyRecord = z.object({ body: z.string(), body_base64: z.string().optional() })
export type LoggedBody = z.infer<typeof bodyRecord>

export function loggedBody(bytes: Buffer): LoggedBody {
  const body = bytes.toString("utf8")
  return isUtf8(bytes) ? { body } : { body, body_base64: bytes.toString("base64") }
}

const attemptRecord = z.object({
  number: z.int(),
  trigger: z.enum(["event", "retry", "resend", "duplicate", "test"]),
  delivery_uid: z.string(),
  at: ms,
  duration_ms: z.number(),
  outcome: z.enum(["success", "retry", "drop"]),
  status: z.int().nullable(),
  error: z.string().nullable(),
  fault: z.string().nullable(),
  /** What was on the wire: nothing where no connection was made, half of a body that was cut. */
  request: bodyRecord.extend({
    url: z.string(),
    headers: z.array(z.tuple([z.string(), z.string()])),
  }),
  response: bodyRecord.extend({ headers: z.record(z.string(), z.string()) }).nullable(),
})
export type Attempt = z.infer<typeof attemptRecord>
export type AttemptTrigger = Attempt["trigger"]
export type AttemptOutcome = Attempt["outcome"]

export const DELIVERY_STATES = ["pending", "delivered", "failed", "dropped"] as const

export const deliveryRecord = z.object({
  id: z.string(),
  page_uid: z.string(),
  subscriber_uid: z.string(),
  event_uid: z.string(),
  topic: z.string(),
  version: z.string(),
  occurred_at: ms,
  /** JSON text of the payload, fixed when the change happened. */
  data: z.string(),
  created_at: ms,
  state: z.enum(DELIVERY_STATES),
  next_attempt_at: ms.nullable(),
  attempts: z.array(attemptRecord),
})
export type Delivery = z.infer<typeof deliveryRecord>

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
