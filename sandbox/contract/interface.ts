/**
 * The words of the interface: topics, statuses, payload shapes and limits, written down from the
 * document alone. Nothing here is imported from the plugin, so that a misreading on one side shows
 * as a failing test and not as agreement.
 */

/** interface §6.2 */
export const TOPICS = [
  "live_event.created",
  "live_event.updated",
  "live_event.deleted",
  "shoppable_event.created",
  "shoppable_event.updated",
  "shoppable_event.deleted",
  "live_event_product.created",
  "live_event_product.updated",
  "live_event_product.deleted",
  "shoppable_event_product.created",
  "shoppable_event_product.updated",
  "shoppable_event_product.deleted",
  "svc.test",
] as const
export type Topic = (typeof TOPICS)[number]

/** interface §2.6 */
export const EVENT_STATUSES = ["planned", "live", "vod", "cancelled", "processing", "clip"] as const
export type EventStatus = (typeof EVENT_STATUSES)[number]

/** interface §2.5, §9 rule 1 */
export const ENVELOPE_VERSION = "v1"

/** interface §8 */
export const LIMITS = {
  subscribersPerPage: 5,
  customHeaders: 5,
  customHeaderName: 64,
  customHeaderValue: 256,
  attemptTimeoutMs: 10_000,
  warningAfterMs: 30 * 60_000,
  disabledAfterMs: 60 * 60_000,
} as const

export type CustomHeader = { name: string; value: string }

/** VAT of a price: percent, and whether the price has it inside. */
export type Vat = { rate: number; included: boolean }

/** interface §2.6; `VideoOrientation` is not shown, so it is any word. */
export type ApiLiveEventV1 = {
  id: string
  event: {
    id: string
    campaignId: string
    eventName: string
    eventNameShort: string
    description: string
    eventStartTimestamp: number
    liveStartTime: number
    liveEndTime: number
    currentStatus: EventStatus
    isPublished: boolean
    coverPhotoPath: string
    coverPhotoPortraitModePath: string
    liveVideoCover: string
    cdnMp4VideoUrl: string
    videoMetaData?: { width: number; height: number; orientation: string }
    animation: string
    tags: string[]
    category: string
    shoppableGroups: string[]
  }
  campaign: { deadline: number }
}

/** interface §2.7 */
export type ApiLiveEventProductV1 = {
  id: string
  uid: string
  sku: string
  externalId: string
  campaignUid: string
  price: number
  suggestedRetailPrice: number
  available: boolean
  minPurchaseQty?: number
  maxQtyPerCustomer?: number
  defaultQuantityToAdd?: number
  isVirtualProduct: boolean
  brand: string
  productCategories?: string[]
  url: string
  name: string
  information?: string
  description?: string
  image?: { url: string }
  images?: { url: string }[]
  sorting: number
  variants?: EventVariant[]
}

export type EventVariant = {
  uid: string
  sku: string
  externalId: string
  variantNames: string[]
  price?: number
}

/** interface §2.5 */
export type Envelope = {
  version: string
  topic: string
  occurredAt: number
  deliveryUid: string
  deliveryAt: number
  metadata: { pageUid: string; subscriberUid: string; eventUid: string }
  data: unknown
}
