/**
 * For the tests of merchants and storefronts: deliveries signed as the service signs them, and golden signatures. Uses
 * nothing of Medusa.
 */
import { randomUUID } from "node:crypto"
import { HEADERS, signDelivery as signature, TEST_TOPIC } from "../contract"

export { GOLDEN_VECTORS, type GoldenVector } from "./vectors"

export type SignedHeaders = Record<string, string>

/**
 * The headers that make a body acceptable to the receiver (interface §5 rule 3). Send exactly the bytes that were
 * signed: `JSON.stringify` it once, not twice.
 *
 * @param input.key the subscriber's signature key, as the service shows it
 * @param input.timestamp ms since the epoch; now unless told
 */
export function signDelivery(input: {
  key: string
  body: string | Buffer
  timestamp?: number
}): SignedHeaders {
  const timestamp = String(input.timestamp ?? Date.now())
  return {
    "content-type": "application/json",
    [HEADERS.timestamp]: timestamp,
    [HEADERS.signature]: signature(input.key, timestamp, input.body),
  }
}

export type DeliveryInput = {
  key: string
  /** One of the topics of interface §6.2, such as `live_event.updated`. */
  topic: string
  /** An ApiLiveEventV1 or ApiLiveEventProductV1 (interface §2.6 and §2.7), by the topic. */
  data: unknown
  /** The page of the connection: a delivery of another page is refused. */
  pageUid: string
  /** When the change happened, in ms since the epoch; now unless told. */
  occurredAt?: number
  /** The same for a repeat of one change; a new one unless told. */
  eventUid?: string
  subscriberUid?: string
  /** When the attempt is sent, in ms since the epoch; now unless told. */
  sentAt?: number
}

/** A whole delivery, as the service sends it: the envelope of interface §2.5 and the headers of §6.4. */
export function createDelivery(input: DeliveryInput): { body: string; headers: SignedHeaders } {
  const sentAt = input.sentAt ?? Date.now()
  const deliveryUid = randomUUID()
  const metadata = {
    pageUid: input.pageUid,
    subscriberUid: input.subscriberUid ?? "subscriber",
    eventUid: input.eventUid ?? randomUUID(),
  }
  const body = JSON.stringify({
    version: "v1",
    topic: input.topic,
    occurredAt: input.occurredAt ?? sentAt,
    deliveryUid,
    deliveryAt: sentAt,
    metadata,
    data: input.data,
  })
  return {
    body,
    headers: {
      ...signDelivery({ key: input.key, body, timestamp: sentAt }),
      "user-agent": "Svc-Webhooks/1",
      [HEADERS.pageUid]: metadata.pageUid,
      [HEADERS.subscriberUid]: metadata.subscriberUid,
      [HEADERS.topic]: input.topic,
      [HEADERS.deliveryUid]: deliveryUid,
      // A test delivery carries every header but this one (interface §6.2 rule 4).
      ...(input.topic === TEST_TOPIC ? {} : { [HEADERS.eventUid]: metadata.eventUid }),
    },
  }
}
