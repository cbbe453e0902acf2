/**
 * The shapes of the interface, as schemas: what is sent is typed by them, and snapshots and tests hold it against them.
 * Written down from the document alone, like `interface.ts`.
 */

import { z } from "zod"
import { EVENT_STATUSES, TOPICS } from "./interface"

/** Milliseconds since the epoch. */
export const ms = z.number()
const url = z.object({ url: z.string() })

/** interface §6.2 */
export const topicName = z.enum(TOPICS)

/** A subscriber's own header (interface §6.5); `custom-headers.ts` refuses what breaks its rules. */
export const customHeader = z.object({ name: z.string(), value: z.string() })
export type CustomHeader = z.infer<typeof customHeader>

/** VAT of a price: percent, and whether the price has it inside. */
export const vat = z.strictObject({ rate: z.number().min(0).max(100), included: z.boolean() })
export type Vat = z.infer<typeof vat>

/** interface §2.6; `VideoOrientation` is not shown, so it is any word. */
export const apiLiveEventV1 = z.object({
  id: z.string(),
  event: z.object({
    id: z.string(),
    campaignId: z.string(),
    eventName: z.string(),
    eventNameShort: z.string(),
    description: z.string(),
    eventStartTimestamp: ms,
    /** 0 until the broadcast starts, or ends. */
    liveStartTime: ms,
    liveEndTime: ms,
    currentStatus: z.enum(EVENT_STATUSES),
    isPublished: z.boolean(),
    coverPhotoPath: z.string(),
    coverPhotoPortraitModePath: z.string(),
    liveVideoCover: z.string(),
    /** Empty until the recording is there. */
    cdnMp4VideoUrl: z.string(),
    videoMetaData: z
      .object({ width: z.number(), height: z.number(), orientation: z.string() })
      .optional(),
    animation: z.string(),
    tags: z.array(z.string()),
    category: z.string(),
    shoppableGroups: z.array(z.string()),
  }),
  campaign: z.object({ deadline: ms }),
})
export type ApiLiveEventV1 = z.infer<typeof apiLiveEventV1>

const eventVariant = z.object({
  uid: z.string(),
  sku: z.string(),
  externalId: z.string(),
  variantNames: z.array(z.string()),
  price: z.number().optional(),
})
export type EventVariant = z.infer<typeof eventVariant>

/** interface §2.7 */
export const apiLiveEventProductV1 = z.object({
  id: z.string(),
  uid: z.string(),
  sku: z.string(),
  /** The shop's product id. */
  externalId: z.string(),
  campaignUid: z.string(),
  /** The campaign's, not the catalog's. */
  price: z.number(),
  suggestedRetailPrice: z.number(),
  available: z.boolean(),
  minPurchaseQty: z.number().optional(),
  maxQtyPerCustomer: z.number().optional(),
  defaultQuantityToAdd: z.number().optional(),
  isVirtualProduct: z.boolean(),
  brand: z.string(),
  productCategories: z.array(z.string()).optional(),
  url: z.string(),
  name: z.string(),
  information: z.string().optional(),
  description: z.string().optional(),
  image: url.optional(),
  images: z.array(url).optional(),
  sorting: z.number(),
  variants: z.array(eventVariant).optional(),
})
export type ApiLiveEventProductV1 = z.infer<typeof apiLiveEventProductV1>

const metadata = z.object({ pageUid: z.string(), subscriberUid: z.string(), eventUid: z.string() })

/** interface §2.5 */
const envelope = z.object({
  version: z.string(),
  topic: z.string(),
  occurredAt: ms,
  deliveryUid: z.string(),
  deliveryAt: ms,
  metadata,
  data: z.unknown(),
})
export type Envelope = z.infer<typeof envelope>
