/** From the data of a delivery or of a listing (interface §2.6, §2.7) to a write that can be merged. Pure. */
import {
  type ApiEventProduct,
  type ApiLiveEvent,
  type Change,
  canonicalHash,
  type Family,
  type Json,
  type PayloadReading,
  readEventProduct,
  readLiveEvent,
  type TopicParts,
} from "../../../contract"
import { RANK, type Write } from "./merge"

/** A write together with the key of its record. */
export type EventWrite = Write<EventContent> & { eventId: string; kind: Family }
export type ProductWrite = Write<ProductContent> & {
  uid: string
  campaignUid: string
  kind: Family
}

/** What people see of an event, and the payload that told it. */
export type EventContent = {
  campaign_uid: string
  name: string
  status: string
  is_published: boolean
  starts_at: Date | null
  live_started_at: Date | null
  live_ended_at: Date | null
  deadline: Date | null
  cover_url: string | null
  data: Json
}

/** What people see of a product in a campaign, and the payload that told it. Prices in major units. */
export type ProductContent = {
  sku: string | null
  external_id: string | null
  name: string
  price: number | null
  suggested_retail_price: number | null
  available: boolean
  min_purchase_qty: number | null
  max_qty_per_customer: number | null
  variants: ProductVariant[]
  data: Json
}

export type ProductVariant = {
  uid: string | null
  sku: string | null
  external_id: string | null
  names: string[]
  price: number | null
}

/** What is odd about a change that is applied all the same. */
export type Oddities = {
  /** Fields that are there but could not be read; they count as absent. */
  unread: string[]
  /** Fields that every delivery has and this one lacks: what stands in for them hides the show, or turns it back. */
  missing: string[]
  /** Another id than the one that names the record (gap 4). */
  alias: { name: string; value: string; recordId: string } | null
}

/** A change that was read, or the ids that it lacks: without them it belongs to no record. */
type WriteReading =
  | { ok: true; entity: "event"; write: EventWrite; oddities: Oddities }
  | { ok: true; entity: "event_product"; write: ProductWrite; oddities: Oddities }
  | { ok: false; missing: string[] }

/** Reads the data of a delivery or of a listing (interface §2.6, §2.7) as a write. */
export function readWrite(input: {
  entity: TopicParts["entity"]
  family: Family
  change: Change
  occurredAt: number
  /** `metadata.eventUid`; null for what a listing shows. */
  emission: string | null
  data: Json
}): WriteReading {
  const { family: kind, data, emission, occurredAt } = input
  const place = { occurredAt, rank: RANK[input.change], emission }
  if (input.entity === "event") {
    const read = readLiveEvent(data)
    if (!read.ok) return read
    const { eventId } = read.value
    return {
      ok: true,
      entity: "event",
      write: {
        ...place,
        hash: stateHash(read.value),
        eventId,
        kind,
        content: eventContent(read.value, data),
      },
      oddities: {
        ...odditiesOf(read, eventId),
        missing: input.change === "deleted" ? [] : missingOf(read),
      },
    }
  }
  const read = readEventProduct(data)
  if (!read.ok) return read
  const { uid, campaignUid } = read.value
  return {
    ok: true,
    entity: "event_product",
    write: {
      ...place,
      hash: stateHash({ ...read.value, sorting: data.sorting }),
      uid,
      campaignUid,
      kind,
      content: productContent(read.value, data),
    },
    oddities: odditiesOf(read, uid),
  }
}

/** Reads an event of a listing, like one that was updated. Nobody told when it was: its times are for others to set. */
export function readListedEvent(kind: Family, data: Json): EventWrite | null {
  const read = readWrite({
    entity: "event",
    family: kind,
    change: "updated",
    occurredAt: 0,
    emission: null,
    data,
  })
  return read.ok && read.entity === "event" ? read.write : null
}

/**
 * Of the fields that are used, as they were read: a view counter, or a field that only listings have, makes no other
 * state. Nor does a picture, whose address may be signed anew in each answer. 128 bits, because each sighting keeps one.
 */
const stateHash = ({ id, coverUrl, ...used }: Hashed): string => canonicalHash(used).slice(0, 32)
type Hashed = { id: unknown; coverUrl?: unknown; [field: string]: unknown }

const eventContent = (event: ApiLiveEvent, data: Json): EventContent => ({
  campaign_uid: event.campaignId,
  name: event.name,
  status: event.status ?? "planned",
  is_published: event.isPublished ?? false,
  starts_at: readTime(event.startsAt),
  live_started_at: readTime(event.liveStartTime),
  live_ended_at: readTime(event.liveEndTime),
  deadline: readTime(event.deadline),
  cover_url: event.coverUrl,
  data,
})

const productContent = (product: ApiEventProduct, data: Json): ProductContent => ({
  sku: product.sku,
  external_id: product.externalId,
  name: product.name,
  price: readAmount(product.price),
  suggested_retail_price: readAmount(product.suggestedRetailPrice),
  available: product.available ?? true,
  min_purchase_qty: readQuantity(product.minPurchaseQty),
  max_qty_per_customer: readQuantity(product.maxQtyPerCustomer),
  variants: product.variants.map((variant) => ({
    uid: variant.uid,
    sku: variant.sku,
    external_id: variant.externalId,
    names: variant.variantNames,
    price: readAmount(variant.price),
  })),
  data,
})

const odditiesOf = (
  { value, unread }: Extract<PayloadReading<{ id: string | null }>, { ok: true }>,
  recordId: string,
): Oddities => ({
  unread,
  missing: [],
  alias: value.id && value.id !== recordId ? { name: "id", value: value.id, recordId } : null,
})

/** Those that could not be read are named as such already. */
const missingOf = ({
  value: { status, isPublished },
  unread,
}: Extract<PayloadReading<ApiLiveEvent>, { ok: true }>): string[] =>
  [
    ...(status === null ? ["event.currentStatus"] : []),
    ...(isPublished === null ? ["event.isPublished"] : []),
  ].filter((name) => !unread.includes(name))

/** 0 means "not yet" (interface §2.6). */
const readTime = (ms: number | null): Date | null => (ms ? new Date(ms) : null)

const readAmount = (amount: number | null): number | null =>
  amount !== null && amount >= 0 ? amount : null

/** Quantities are whole numbers. What does not fit an integer column is no limit that anybody could reach. */
const readQuantity = (quantity: number | null): number | null =>
  quantity !== null && Number.isInteger(quantity) && quantity > 0 && quantity <= 2_147_483_647
    ? quantity
    : null
