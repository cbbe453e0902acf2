/** From the data of a delivery or of a listing (interface §2.6, §2.7) to a write that can be merged. Pure. */
import {
  apiEventProduct,
  apiLiveEvent,
  type Change,
  canonicalHash,
  type Family,
  type TopicParts,
} from "../../../contract"
import { RANK, type Watermark, type Write } from "./merge"

/** A write together with the key of its record. */
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

/** A change that was read, or why it cannot be applied, in words for the inbox. */
type WriteReading =
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

/** 0 means "not yet" (interface §2.6); a time beyond the year 9999 is read as not told. */
function readTime(ms: number | null | undefined): Date | null {
  if (ms === null || ms === undefined || ms <= 0 || ms > 253_402_300_799_999) return null
  return new Date(Math.trunc(ms))
}

const readAmount = (amount: number | null | undefined): number | null =>
  amount !== null && amount !== undefined && Number.isFinite(amount) && amount >= 0 ? amount : null

/** Quantities are whole numbers. What does not fit an integer column is no limit that anybody could reach. */
const readQuantity = (quantity: number | null | undefined): number | null =>
  quantity !== null &&
  quantity !== undefined &&
  Number.isInteger(quantity) &&
  quantity > 0 &&
  quantity <= 2_147_483_647
    ? quantity
    : null

/** Gap 4: one id names the record and the others are aliases. A difference is reported. */
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
