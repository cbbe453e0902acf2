import { FieldReader, readId, readMoment, readText } from "./fields"
import { canonicalHash, isObject, type Json } from "./json"

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

const ENVELOPE_VERSION = "v1"

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

/** What every kind of delivery is kept with. Times in ms since the epoch; null where the body has none. */
type Named = {
  topic: string
  pageUid: string | null
  /** The service's id of the webhook that it was delivered to. */
  subscriberUid: string | null
  eventUid: string | null
  deliveryUid: string | null
  occurredAt: number | null
  deliveryAt: number | null
}
export type DeliveryReading =
  | (Named & { kind: "change"; parts: TopicParts; data: Json })
  | (Named & { kind: "test" })
  | (Named & { kind: "unknown"; version: string | null })
  | { kind: "invalid"; problem: string }

/**
 * Reads the body of a verified delivery (interface §2.5), each field on its own. Whoever sent it knows our key, so a
 * field of the wrong type must not lose it: the inbox judges what is missing (gap 19). Only what can never be placed
 * is invalid: no object, no topic, no data.
 *
 * @param hintedTopic `X-Svc-Topic`; not signed, so it counts only where the body names no topic
 */
export function readDelivery(body: unknown, hintedTopic?: string): DeliveryReading {
  if (!isObject(body)) return { kind: "invalid", problem: "The body is not a JSON object." }

  const envelope = new FieldReader(body)
  const metadata = envelope.inside("metadata")
  const topic = envelope.get("topic", readId)
  const named = (known: string): Named => ({
    topic: known,
    pageUid: metadata.get("pageUid", readId),
    subscriberUid: metadata.get("subscriberUid", readId),
    eventUid: metadata.get("eventUid", readId),
    deliveryUid: envelope.get("deliveryUid", readId),
    occurredAt: envelope.get("occurredAt", readMoment),
    deliveryAt: envelope.get("deliveryAt", readMoment),
  })
  if (topic === TEST_TOPIC || (topic === null && hintedTopic === TEST_TOPIC)) {
    // Its body is not shown: nothing else is asked of it (gap 16).
    return { kind: "test", ...named(TEST_TOPIC) }
  }
  const version = envelope.get("version", readText)
  if (version !== null && version !== ENVELOPE_VERSION) {
    // Another version may have another envelope: kept as far as it can be read (gap 14, interface §9).
    return { kind: "unknown", version, ...named(topic ?? "unknown") }
  }
  if (topic === null) return { kind: "invalid", problem: "The body names no topic." }
  if (!isObject(body.data)) return { kind: "invalid", problem: "The body has no data object." }
  const parts = parseTopic(topic)
  if (!parts) return { kind: "unknown", version: null, ...named(topic) }
  return { kind: "change", ...named(topic), parts, data: body.data }
}

/**
 * Tells events apart (gap 1): page, topic, eventUid, occurredAt and the data. Not the subscriber, not the
 * delivery: those differ between attempts. It holds whether `eventUid` names the emission or the record.
 *
 * @param dataHash `canonicalHash` of the data
 */
export const deduplicationKey = (delivery: {
  topic: string
  pageUid: string
  eventUid: string | null
  occurredAt: number | null
  dataHash: string
}): string =>
  canonicalHash([
    delivery.pageUid,
    delivery.topic,
    delivery.eventUid,
    delivery.occurredAt,
    delivery.dataHash,
  ])
