import { z } from "zod"
import { canonicalHash, isObject } from "./json"

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

/** Texts of an envelope; bounded, because they end up in columns and lists. */
const id = z.string().min(1).max(500)
/** Milliseconds since the epoch, up to the year 9999, as far as databases store dates. */
const moment = z.number().int().nonnegative().max(253_402_300_799_999)

/**
 * The envelope (interface §2.5). The fields that order and name a change are optional here: a delivery without them
 * is stored and shown (gap 19). It must not be refused, because the service never sends a refused one again
 * (interface §7).
 */
const envelope = z.looseObject({
  version: id,
  topic: id,
  occurredAt: moment.nullish(),
  deliveryUid: id.nullish(),
  deliveryAt: moment.nullish(),
  metadata: z.looseObject({
    pageUid: id,
    subscriberUid: id.nullish(),
    eventUid: id.nullish(),
  }),
  data: z.record(z.string(), z.unknown()),
})

/** The test delivery, whose body is not shown: everything is optional (gap 16). */
const testEnvelope = z.looseObject({
  occurredAt: moment.nullish().catch(null),
  deliveryUid: id.nullish().catch(null),
  deliveryAt: moment.nullish().catch(null),
  metadata: z
    .looseObject({ pageUid: id.nullish().catch(null), eventUid: id.nullish().catch(null) })
    .nullish()
    .catch(null),
})

/** What every kind of delivery is kept with. Times in ms since the epoch; null where the body has none. */
type Named = {
  topic: string
  pageUid: string | null
  eventUid: string | null
  deliveryUid: string | null
  occurredAt: number | null
  deliveryAt: number | null
}
export type DeliveryReading =
  | (Named & { kind: "change"; parts: TopicParts; pageUid: string; data: Record<string, unknown> })
  | (Named & { kind: "test" })
  | (Named & { kind: "unknown"; problem: string })
  | { kind: "invalid"; problem: string }

const named = (topic: string, body: z.infer<typeof testEnvelope>): Named => ({
  topic,
  pageUid: body.metadata?.pageUid ?? null,
  eventUid: body.metadata?.eventUid ?? null,
  deliveryUid: body.deliveryUid ?? null,
  occurredAt: body.occurredAt ?? null,
  deliveryAt: body.deliveryAt ?? null,
})

/**
 * Reads the body of a verified delivery.
 *
 * @param hintedTopic `X-Svc-Topic`; unsigned, so it counts only where the body of a test names no topic
 */
export function readDelivery(body: unknown, hintedTopic?: string): DeliveryReading {
  if (!isObject(body)) return { kind: "invalid", problem: "The body is not a JSON object." }

  const topic = typeof body.topic === "string" ? body.topic : undefined
  if (topic === TEST_TOPIC || (topic === undefined && hintedTopic === TEST_TOPIC)) {
    return { kind: "test", ...named(TEST_TOPIC, testEnvelope.parse(body)) }
  }
  if (typeof body.version === "string" && body.version !== ENVELOPE_VERSION) {
    // Another version may have another envelope: what can be read of it is kept (gap 14, interface §9).
    return {
      kind: "unknown",
      problem: `Version "${excerpt(body.version)}" is not known; this plugin reads ${ENVELOPE_VERSION}.`,
      ...named(excerpt(topic ?? "unknown"), testEnvelope.parse(body)),
    }
  }
  const parsed = envelope.safeParse(body)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)
    return { kind: "invalid", problem: `Not an envelope (${problems.join("; ")}).` }
  }
  const read = parsed.data
  const parts = parseTopic(read.topic)
  const names = named(read.topic, read)
  if (!parts) {
    return {
      kind: "unknown",
      problem: `Topic "${excerpt(read.topic)}" is not known to this version of the plugin.`,
      ...names,
    }
  }
  return { kind: "change", ...names, pageUid: read.metadata.pageUid, parts, data: read.data }
}

const excerpt = (text: string): string => text.slice(0, 100)

/**
 * Tells events apart (gap 1): page, topic, eventUid, occurredAt and the data. Not the subscriber, not the
 * delivery: those differ between attempts. It holds whether `eventUid` names the emission or the record.
 */
export const deduplicationKey = (delivery: {
  topic: string
  pageUid: string
  eventUid: string | null
  occurredAt: number | null
  data: unknown
}): string =>
  canonicalHash([
    delivery.pageUid,
    delivery.topic,
    delivery.eventUid,
    delivery.occurredAt,
    canonicalHash(delivery.data),
  ])
