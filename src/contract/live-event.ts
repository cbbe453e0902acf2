import { z } from "zod"

/** Ids of records are keys in our tables: no longer than an index takes. */
const id = z.string().min(1).max(500)
const text = z.string().nullish()
/** Milliseconds since the epoch; 0 means "not yet" (interface §2.6). */
const time = z.number().nullish()

/**
 * ApiLiveEventV1 (interface §2.6). Only what names the record is required; the rest is read where it is
 * there and unknown fields are kept, so that an addition at the service never loses a delivery.
 */
export const apiLiveEvent = z.looseObject({
  id: text,
  event: z.looseObject({
    id,
    campaignId: id,
    eventName: text,
    eventNameShort: text,
    description: text,
    eventStartTimestamp: time,
    liveStartTime: time,
    liveEndTime: time,
    /** A state of §3.1; an unknown one is kept as it came, because a new state must not lose a show. */
    currentStatus: text,
    isPublished: z.boolean().nullish(),
    coverPhotoPath: text,
    coverPhotoPortraitModePath: text,
    liveVideoCover: text,
    cdnMp4VideoUrl: text,
    tags: z.array(z.string()).nullish(),
    category: text,
    shoppableGroups: z.array(z.string()).nullish(),
  }),
  campaign: z.looseObject({ deadline: time }).nullish(),
})

const qty = z.number().nullish()

/** ApiLiveEventProductV1 (interface §2.7). `price` is the campaign's price, not the catalog's. */
export const apiEventProduct = z.looseObject({
  uid: id,
  campaignUid: id,
  id: text,
  sku: text,
  externalId: text,
  price: z.number().nullish(),
  suggestedRetailPrice: z.number().nullish(),
  available: z.boolean().nullish(),
  minPurchaseQty: qty,
  maxQtyPerCustomer: qty,
  defaultQuantityToAdd: qty,
  isVirtualProduct: z.boolean().nullish(),
  brand: text,
  url: text,
  name: text,
  image: z.looseObject({ url: text }).nullish(),
  sorting: z.number().nullish(),
  variants: z
    .array(
      z.looseObject({
        uid: text,
        sku: text,
        externalId: text,
        variantNames: z.array(z.string()).nullish(),
        price: z.number().nullish(),
      }),
    )
    .nullish(),
})

const LISTING_NAMES = ["data", "items", "results", "liveEvents", "shoppables"]
const COUNT_NAMES = ["count", "total", "totalCount"]

/**
 * Answers of `GET /api/v1/liveEvents` and `/api/v1/shoppables` (interface §4.5), whose shapes are not shown:
 * `{data: [...], count}`, a bare array, or a list under another usual name (gap 20). `null` when it is neither.
 */
export function readListing(body: unknown): { entries: unknown[]; count: number | null } | null {
  if (Array.isArray(body)) return { entries: body, count: null }
  if (typeof body !== "object" || body === null) return null
  const members = new Map<string, unknown>(Object.entries(body))
  const entries = LISTING_NAMES.map((name) => members.get(name)).find(Array.isArray)
  if (!entries) return null
  const count = COUNT_NAMES.map((name) => members.get(name)).find(
    (value): value is number => typeof value === "number",
  )
  return { entries, count: count ?? null }
}
