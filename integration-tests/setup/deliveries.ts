/** Deliveries as the service sends them (interface §2.5, §5 rule 3, §6.4), signed by code of the tests' own. */
import { createHmac, randomUUID } from "node:crypto"
import { request } from "node:http"

export type Answer = {
  status: number
  body: Record<string, unknown>
  headers: Record<string, string | string[] | undefined>
}

export function envelope(
  topic: string,
  data: unknown,
  changes: { occurredAt?: number; eventUid?: string; pageUid?: string } = {},
) {
  const now = Date.now()
  return {
    version: "v1",
    topic,
    occurredAt: changes.occurredAt ?? now,
    deliveryUid: randomUUID(),
    deliveryAt: now,
    metadata: {
      pageUid: changes.pageUid ?? "demo-page",
      subscriberUid: "subscriber-1",
      eventUid: changes.eventUid ?? randomUUID(),
    },
    data,
  }
}

export const liveEvent = (id: string, changes: Record<string, unknown> = {}, deadline = 0) => ({
  id,
  event: {
    id,
    campaignId: `campaign-${id}`,
    eventName: `Show ${id}`,
    eventStartTimestamp: 1_900_000_000_000,
    liveStartTime: 0,
    liveEndTime: 0,
    currentStatus: "planned",
    isPublished: true,
    ...changes,
  },
  campaign: { deadline },
})

export const eventProduct = (
  uid: string,
  campaignUid: string,
  changes: Record<string, unknown> = {},
) => ({
  id: uid,
  uid,
  sku: `sku-${uid}`,
  externalId: `prod_${uid}`,
  campaignUid,
  price: 79.5,
  suggestedRetailPrice: 99,
  available: true,
  isVirtualProduct: false,
  brand: "Havn",
  url: "https://shop.test/p",
  name: `Product ${uid}`,
  sorting: 1,
  ...changes,
})

export const sign = (key: string, timestamp: number | string, body: string | Buffer): string =>
  createHmac("sha256", key).update(`${timestamp}.`).update(body).digest("base64")

export type Sending = {
  url: string
  key: string
  /** Sent as it is; anything but text and bytes is written as JSON first. */
  body: unknown
  timestamp?: number | string
  signature?: string | null
  headers?: Record<string, string>
  chunked?: boolean
}

/** Sends one delivery over a connection of its own. */
export function deliver(sending: Sending): Promise<Answer> {
  const { body } = sending
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === "string" ? body : JSON.stringify(body))
  const timestamp = sending.timestamp ?? Date.now()
  const signature =
    sending.signature === undefined ? sign(sending.key, timestamp, bytes) : sending.signature
  return new Promise((resolve, reject) => {
    const call = request(
      sending.url,
      {
        method: "POST",
        agent: false,
        headers: {
          "content-type": "application/json",
          "user-agent": "Svc-Webhooks/1",
          "x-svc-timestamp": String(timestamp),
          ...(signature === null ? {} : { "x-svc-signature": signature }),
          ...(sending.chunked ? {} : { "content-length": String(bytes.length) }),
          ...sending.headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: JSON.parse(Buffer.concat(chunks).toString() || "{}"),
          }),
        )
      },
    )
    call.on("error", reject)
    call.end(bytes)
  })
}
