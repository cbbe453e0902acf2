/**
 * The shapes of the interface, as schemas: what is sent is typed by them, and the OpenAPI document is
 * written from them. Written down from the document alone, like `interface.ts`.
 */

import { z } from "zod"
import { ENVELOPE_VERSION, EVENT_STATUSES, TEST_TOPIC, TOPICS, type Topic } from "./interface"

/** Marks of the OpenAPI document for what the interface does not show. */
export const undocumented = (gap: string, description: string) => ({
  "x-undocumented": true,
  "x-gap": gap,
  description,
})

export const ms = z.number().meta({ description: "Milliseconds since the epoch." })
const url = z.object({ url: z.string() })

/** interface §6.2 */
export const topicName = z.enum(TOPICS).meta({ description: "interface §6.2." })

/** A subscriber's own header (interface §6.5); `custom-headers.ts` refuses what breaks its rules. */
export const customHeader = z
  .object({
    name: z.string().meta({
      description:
        "1 to 64 letters, digits and hyphens; not beginning with X-Svc-; not Content-Type, Content-Length, Host, User-Agent or Transfer-Encoding (any case).",
    }),
    value: z.string().meta({ description: "1 to 256 characters, no CR or LF." }),
  })
  .meta({ description: "interface §6.5." })
export type CustomHeader = z.infer<typeof customHeader>

/** VAT of a price: percent, and whether the price has it inside. */
export const vat = z.strictObject({ rate: z.number().min(0).max(100), included: z.boolean() })

/** interface §2.6; `VideoOrientation` is not shown, so it is any word. */
export const apiLiveEventV1 = z
  .object({
    id: z.string(),
    event: z.object({
      id: z.string(),
      campaignId: z.string(),
      eventName: z.string(),
      eventNameShort: z.string(),
      description: z.string(),
      eventStartTimestamp: ms,
      liveStartTime: z
        .number()
        .meta({ description: "Actual start; 0 until the broadcast starts." }),
      liveEndTime: z.number().meta({ description: "Actual end; 0 until the broadcast ends." }),
      currentStatus: z.enum(EVENT_STATUSES),
      isPublished: z.boolean(),
      coverPhotoPath: z.string(),
      coverPhotoPortraitModePath: z.string(),
      liveVideoCover: z.string(),
      cdnMp4VideoUrl: z.string().meta({ description: "Empty until VOD processing completes." }),
      videoMetaData: z
        .object({
          width: z.number(),
          height: z.number(),
          orientation: z
            .string()
            .meta(undocumented("-", "Values of VideoOrientation are not shown.")),
        })
        .optional(),
      animation: z.string(),
      tags: z.array(z.string()),
      category: z.string(),
      shoppableGroups: z.array(z.string()),
    }),
    campaign: z.object({ deadline: ms }),
  })
  .meta({ description: "interface §2.6." })
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
export const apiLiveEventProductV1 = z
  .object({
    id: z.string(),
    uid: z.string(),
    sku: z.string(),
    externalId: z.string().meta({ description: "The shop's product id." }),
    campaignUid: z.string(),
    price: z.number().meta({ description: "The campaign's, not the catalog's." }),
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
  .meta({ description: "interface §2.7." })
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

/** A delivery's body as this topic has it (interface §2.5, §6.2). */
export function envelopeOf(topic: Topic) {
  const isTest = topic === TEST_TOPIC
  const data = topic.includes("_product.") ? apiLiveEventProductV1 : apiLiveEventV1
  return envelope.extend({
    version: z.literal(ENVELOPE_VERSION),
    topic: z.literal(topic),
    metadata: isTest
      ? metadata.meta(undocumented("16", "Which ids a test delivery bears is not shown."))
      : metadata,
    data: isTest ? z.object({ test: z.literal(true) }) : data,
  })
}
