/**
 * How deliveries become the projection: a merge that ends the same whatever the order, however often a delivery
 * comes and whoever applies it (gaps 1-6). Pure; `sql/projection.ts` reads, locks and writes.
 *
 * A row keeps the greatest write it has seen, by `occurredAt`, then kind of change, then hash. Taking the greatest
 * is commutative, associative and idempotent, so retries, duplicates, re-sends and two workers cannot disagree.
 */
import {
  apiEventProduct,
  apiLiveEvent,
  type Change,
  canonicalHash,
  type Family,
  type TopicParts,
} from "../../contract"

/** Place of a write in the one order of all writes to a record. `occurredAt` in ms since the epoch. */
export type Watermark = { occurredAt: number; rank: number; hash: string }

/** Within one millisecond a deletion is the last word, a creation the first: gap 3. */
export const RANK: Record<Change, number> = { created: 0, updated: 1, deleted: 2 }
const DELETED = RANK.deleted

export type Write<Content> = Watermark & { content: Content }

/** A record as merged so far. */
export type Merged<Content> = Write<Content> & {
  /** Latest write that was not a deletion, null where none was seen (gap 6). */
  aliveAt: number | null
  /** Two different writes carry the watermark's time: the winner is certain, but not that it is right (gap 3). */
  tied: boolean
}

export const isDeleted = (write: Watermark): boolean => write.rank === DELETED

function compare(a: Watermark, b: Watermark): number {
  if (a.occurredAt !== b.occurredAt) return a.occurredAt - b.occurredAt
  if (a.rank !== b.rank) return a.rank - b.rank
  return a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0
}

/**
 * Merges a write into a record.
 *
 * @returns the very same `record` when the write tells nothing new
 */
export function applyWrite<Content>(
  record: Merged<Content> | null,
  write: Write<Content>,
): Merged<Content> {
  const alive = isDeleted(write) ? null : write.occurredAt
  if (!record) return { ...write, aliveAt: alive, tied: false }

  const aliveAt = latest(record.aliveAt, alive)
  const order = compare(write, record)
  if (order > 0) {
    return { ...write, aliveAt, tied: write.occurredAt === record.occurredAt }
  }
  const tied = record.tied || (order !== 0 && write.occurredAt === record.occurredAt)
  return aliveAt === record.aliveAt && tied === record.tied ? record : { ...record, aliveAt, tied }
}

/** Whether the record shows this write: it won now, or it had won before. */
export const shows = (record: Watermark, write: Watermark): boolean => compare(record, write) === 0

/** A record as a listing meets it. `writtenAt` is when it was last written, by the database's clock, in ms. */
export type ListedRecord = Watermark & { tied: boolean; writtenAt: number }

/** A listing as it was read: when by the database's clock, and of which moment of the service's at the earliest. */
export type ListingTime = { startedAt: number; asOf: number }

/** A listing may have been put together a moment before it was asked for. */
const LISTING_AGE_MS = 2_000
/** It has to be surer than that to bring back what a delivery said is gone. */
const LISTING_AGE_OVER_TOMBSTONE_MS = 5 * 60_000

/**
 * When a listed state is taken to have happened (gap 20); null where the listing must not touch the record.
 *
 * The service does not say. Just after the watermark, where the record was written before the listing was asked for:
 * then the listing knew of it and may correct it, and every later delivery still wins. A record written since then
 * stays: the listing may be older. `asOf` is the earliest that is right for a record that we did not know; by it an
 * older delivery that is still being retried is stale, as it should be.
 */
export function listedAt(record: ListedRecord | null, listing: ListingTime): number | null {
  if (!record) return listing.asOf
  const age = isDeleted(record) ? LISTING_AGE_OVER_TOMBSTONE_MS : LISTING_AGE_MS
  if (record.writtenAt > listing.startedAt - age) return null
  return Math.max(listing.asOf, record.occurredAt + 1)
}

const latest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b)

/** A write and the record it belongs to, under the connection that it came for. */
export type EventWrite = Write<EventContent> & { eventId: string; kind: Family }
export type ProductWrite = Write<ProductContent> & {
  uid: string
  campaignUid: string
  kind: Family
}

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
  data: Record<string, unknown>
}

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
  data: Record<string, unknown>
}

export type ProductVariant = {
  uid: string | null
  sku: string | null
  external_id: string | null
  names: string[]
  price: number | null
}

/** A change, read; or why it cannot be applied, in words for the inbox. */
export type WriteReading =
  | { ok: true; entity: "event"; write: EventWrite; remark: string | null }
  | { ok: true; entity: "event_product"; write: ProductWrite; remark: string | null }
  | { ok: false; problem: string }

/** Reads the data of a delivery or of a listing (interface §2.6, §2.7) as a write. */
export function readWrite(input: {
  entity: TopicParts["entity"]
  family: Family
  change: Change
  occurredAt: number
  data: Record<string, unknown>
}): WriteReading {
  const { family: kind, data } = input
  const watermark: Watermark = {
    occurredAt: input.occurredAt,
    rank: RANK[input.change],
    hash: canonicalHash(data),
  }
  if (input.entity === "event") {
    const parsed = apiLiveEvent.safeParse(data)
    if (!parsed.success) return { ok: false, problem: problemOf("event", parsed.error) }
    const { id, event, campaign } = parsed.data
    const content: EventContent = {
      campaign_uid: event.campaignId,
      name: event.eventName || event.eventNameShort || "",
      status: event.currentStatus ?? "planned",
      is_published: event.isPublished ?? false,
      starts_at: readTime(event.eventStartTimestamp),
      live_started_at: readTime(event.liveStartTime),
      live_ended_at: readTime(event.liveEndTime),
      deadline: readTime(campaign?.deadline),
      cover_url:
        event.coverPhotoPath || event.coverPhotoPortraitModePath || event.liveVideoCover || null,
      data,
    }
    return {
      ok: true,
      entity: "event",
      write: { ...watermark, eventId: event.id, kind, content },
      remark: aliasRemark("data.id", id, "event.id", event.id),
    }
  }
  const parsed = apiEventProduct.safeParse(data)
  if (!parsed.success) return { ok: false, problem: problemOf("event product", parsed.error) }
  const product = parsed.data
  const content: ProductContent = {
    sku: product.sku ?? null,
    external_id: product.externalId ?? null,
    name: product.name ?? "",
    price: readAmount(product.price),
    suggested_retail_price: readAmount(product.suggestedRetailPrice),
    available: product.available ?? true,
    min_purchase_qty: readQuantity(product.minPurchaseQty),
    max_qty_per_customer: readQuantity(product.maxQtyPerCustomer),
    variants: (product.variants ?? []).map((variant) => ({
      uid: variant.uid ?? null,
      sku: variant.sku ?? null,
      external_id: variant.externalId ?? null,
      names: variant.variantNames ?? [],
      price: readAmount(variant.price),
    })),
    data,
  }
  return {
    ok: true,
    entity: "event_product",
    write: { ...watermark, uid: product.uid, campaignUid: product.campaignUid, kind, content },
    remark: aliasRemark("data.id", product.id, "data.uid", product.uid),
  }
}

/** 0 means "not yet" (interface §2.6); what no calendar has is read as not told. */
function readTime(ms: number | null | undefined): Date | null {
  if (ms === null || ms === undefined || ms <= 0 || ms > 253_402_300_799_999) return null
  return new Date(Math.trunc(ms))
}

const readAmount = (amount: number | null | undefined): number | null =>
  amount !== null && amount !== undefined && Number.isFinite(amount) && amount >= 0 ? amount : null

/** Quantities are whole; what an integer column does not take is no limit that anyone could buy against. */
const readQuantity = (quantity: number | null | undefined): number | null =>
  quantity !== null &&
  quantity !== undefined &&
  Number.isInteger(quantity) &&
  quantity > 0 &&
  quantity <= 2_147_483_647
    ? quantity
    : null

/** Gap 4: one id names the record, the others are aliases, and a difference is worth knowing. */
const aliasRemark = (
  name: string,
  value: string | null | undefined,
  ownName: string,
  own: string,
): string | null =>
  value && value !== own ? `${name} is "${value.slice(0, 100)}" and ${ownName} "${own}".` : null

type Issues = { issues: { path: PropertyKey[]; message: string }[] }
const problemOf = (what: string, { issues }: Issues): string =>
  `The ${what} could not be read: ${issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.map(String).join(".")}: ${message}`)
    .join("; ")}.`
