import { sign } from "../../../integration-tests/setup/deliveries"
import { verifyDelivery } from "../../contract"
import { createDelivery, GOLDEN_VECTORS, signDelivery } from ".."

describe("the public signer", () => {
  it("agrees with its golden vectors, which openssl made", () => {
    expect(GOLDEN_VECTORS.length).toBeGreaterThanOrEqual(30)
    for (const vector of GOLDEN_VECTORS) {
      const headers = signDelivery({
        key: vector.key,
        body: Buffer.from(vector.body_base64, "base64"),
        timestamp: Number(vector.timestamp),
      })
      expect([vector.name, headers]).toEqual([
        vector.name,
        {
          "content-type": "application/json",
          "x-svc-timestamp": vector.timestamp,
          "x-svc-signature": vector.signature,
        },
      ])
    }
  })

  it("makes a delivery that verifies, with every header of the service's", () => {
    const input = {
      key: "a key, with ø",
      topic: "live_event.updated",
      data: { event: { id: "e1", campaignId: "c1" } },
      pageUid: "page",
      sentAt: 1_700_000_000_000,
      eventUid: "e",
    }
    const { body, headers } = createDelivery(input)
    expect(headers["x-svc-signature"]).toBe(sign(input.key, input.sentAt, body))
    expect(
      verifyDelivery({
        keys: [input.key],
        timestamp: headers["x-svc-timestamp"],
        signature: headers["x-svc-signature"],
        rawBody: Buffer.from(body),
        now: input.sentAt,
        toleranceMs: 1,
      }).ok,
    ).toBe(true)
    const envelope = JSON.parse(body)
    expect(envelope).toMatchObject({
      version: "v1",
      topic: input.topic,
      occurredAt: input.sentAt,
      deliveryAt: input.sentAt,
      metadata: { pageUid: "page", eventUid: "e" },
      data: input.data,
    })
    expect(headers).toMatchObject({
      "x-svc-topic": input.topic,
      "x-svc-page-uid": "page",
      "x-svc-event-uid": "e",
      "x-svc-delivery-uid": envelope.deliveryUid,
    })
    expect(createDelivery({ ...input, topic: "svc.test" }).headers).not.toHaveProperty(
      "x-svc-event-uid",
    )
  })
})
