import {
  FieldReader,
  readBoolean,
  readId,
  readMoment,
  readNumber,
  readText,
  readTexts,
} from "./fields"
import { isObject, type Json } from "./json"

/** What we use of an ApiLiveEventV1 (interface §2.6). Times in ms since the epoch; 0 means "not yet". */
export type ApiLiveEvent = {
  /** The id beside `event`; an alias of `eventId` (gap 4). */
  id: string | null
  eventId: string
  campaignId: string
  name: string
  description: string | null
  /** A state of §3.1; an unknown one is kept as it came, because a new state must not lose a show. */
  status: string | null
  isPublished: boolean | null
  startsAt: number | null
  liveStartTime: number | null
  liveEndTime: number | null
  deadline: number | null
  coverUrl: string | null
}

/** What we use of an ApiLiveEventProductV1 (interface §2.7). `price` is the campaign's price, not the catalog's. */
export type ApiEventProduct = {
  /** An alias of `uid` (gap 4). */
  id: string | null
  uid: string
  campaignUid: string
  sku: string | null
  externalId: string | null
  name: string
  price: number | null
  suggestedRetailPrice: number | null
  available: boolean | null
  minPurchaseQty: number | null
  maxQtyPerCustomer: number | null
  variants: {
    uid: string | null
    sku: string | null
    externalId: string | null
    variantNames: string[]
    price: number | null
  }[]
}

/**
 * A payload that was read. Only the ids that name its record are required; `unread` names the other fields that are
 * there but could not be read.
 */
export type PayloadReading<T> =
  | { ok: true; value: T; unread: string[] }
  | { ok: false; missing: string[] }

export function readLiveEvent(data: Json): PayloadReading<ApiLiveEvent> {
  const root = new FieldReader(data)
  const event = root.inside("event")
  const eventId = event.get("id", readId)
  const campaignId = event.get("campaignId", readId)
  if (eventId === null || campaignId === null) {
    return {
      ok: false,
      missing: [...(eventId ? [] : ["event.id"]), ...(campaignId ? [] : ["event.campaignId"])],
    }
  }
  const first = (...names: string[]) =>
    names.map((name) => event.get(name, readText)).find((text) => text) ?? null
  const value: ApiLiveEvent = {
    id: root.get("id", readText),
    eventId,
    campaignId,
    name: first("eventName", "eventNameShort") ?? "",
    description: event.get("description", readText),
    status: event.get("currentStatus", readText),
    isPublished: event.get("isPublished", readBoolean),
    startsAt: event.get("eventStartTimestamp", readMoment),
    liveStartTime: event.get("liveStartTime", readMoment),
    liveEndTime: event.get("liveEndTime", readMoment),
    deadline: root.inside("campaign").get("deadline", readMoment),
    coverUrl: first("coverPhotoPath", "coverPhotoPortraitModePath", "liveVideoCover"),
  }
  return { ok: true, value, unread: root.unread }
}

export function readEventProduct(data: Json): PayloadReading<ApiEventProduct> {
  const root = new FieldReader(data)
  const uid = root.get("uid", readId)
  const campaignUid = root.get("campaignUid", readId)
  if (uid === null || campaignUid === null) {
    return {
      ok: false,
      missing: [...(uid ? [] : ["uid"]), ...(campaignUid ? [] : ["campaignUid"])],
    }
  }
  const value: ApiEventProduct = {
    id: root.get("id", readText),
    uid,
    campaignUid,
    sku: root.get("sku", readText),
    externalId: root.get("externalId", readText),
    name: root.get("name", readText) ?? "",
    price: root.get("price", readNumber),
    suggestedRetailPrice: root.get("suggestedRetailPrice", readNumber),
    available: root.get("available", readBoolean),
    minPurchaseQty: root.get("minPurchaseQty", readNumber),
    maxQtyPerCustomer: root.get("maxQtyPerCustomer", readNumber),
    variants: (root.get("variants", readObjects) ?? []).map((variant, index) => {
      const fields = new FieldReader(variant, `variants.${index}.`, root.unread)
      return {
        uid: fields.get("uid", readText),
        sku: fields.get("sku", readText),
        externalId: fields.get("externalId", readText),
        variantNames: fields.get("variantNames", readTexts) ?? [],
        price: fields.get("price", readNumber),
      }
    }),
  }
  return { ok: true, value, unread: root.unread }
}

const readObjects = (value: unknown): Json[] | null =>
  Array.isArray(value) ? value.filter(isObject) : null

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
