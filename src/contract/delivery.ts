import { z } from "zod"

/** Topics of version `v1` (interface §6.2). */
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
export const TEST_TOPIC = "svc.test"

export const ENVELOPE_VERSION = "v1"

/** Two families of topics with identical data shapes (interface §6.2 rule 1, gap 6). */
export type Family = "live" | "shoppable"
export type Change = "created" | "updated" | "deleted"
export type TopicParts = { entity: "event" | "event_product"; family: Family; change: Change }

const TOPIC = /^(live|shoppable)_event(_product)?\.(created|updated|deleted)$/

/** Takes a topic apart; `null` for `svc.test` and for topics that we do not know (gap 14). */
export function parseTopic(topic: string): TopicParts | null {
  const match = TOPIC.exec(topic)
  if (!match) return null
  return {
    family: match[1] as Family,
    entity: match[2] ? "event_product" : "event",
    change: match[3] as Change,
  }
}

/** Headers of a delivery (interface §6.4), lower case as Node gives them. */
export const HEADERS = {
  pageUid: "x-svc-page-uid",
  subscriberUid: "x-svc-subscriber-uid",
  topic: "x-svc-topic",
  deliveryUid: "x-svc-delivery-uid",
  timestamp: "x-svc-timestamp",
  signature: "x-svc-signature",
  eventUid: "x-svc-event-uid",
} as const

/**
 * The envelope (interface §2.5). `metadata.eventUid` and the other ids are optional here because the test
 * delivery's body is not shown (gap 16); `requireEventUid` says where they must be.
 */
export const envelope = z.looseObject({
  version: z.string().min(1),
  topic: z.string().min(1),
  occurredAt: z.number().int().nonnegative().optional(),
  deliveryUid: z.string().min(1).optional(),
  deliveryAt: z.number().int().nonnegative().optional(),
  metadata: z.looseObject({
    pageUid: z.string().min(1),
    subscriberUid: z.string().optional(),
    eventUid: z.string().min(1).optional(),
  }),
  data: z.record(z.string(), z.unknown()),
})
export type Envelope = z.infer<typeof envelope>
