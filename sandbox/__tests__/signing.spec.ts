/** The signature of deliveries (interface §5 rule 3), against vectors made by another signer. */

import { readFileSync } from "node:fs"
import path from "node:path"
import { sign } from "../webhooks/signing"
import { Box, isSignedWith, Receiver, type WebhookView } from "./harness"

type Vector = {
  name: string
  key: string
  timestamp: string
  body_base64: string
  signature: string
}

const vectors = JSON.parse(
  readFileSync(path.join(__dirname, "../../src/testing/vectors.json"), "utf8"),
) as Vector[]

test("there are at least 80 golden vectors, all different", () => {
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length)
  expect(vectors.length).toBeGreaterThanOrEqual(80)
  expect(new Set(vectors.map(({ signature }) => signature)).size).toBe(vectors.length)
})

test("§5 rule 3: base64 of HMAC-SHA256 over timestamp, dot and raw body, for every vector", () => {
  for (const { name, key, timestamp, body_base64, signature } of vectors) {
    const made = sign(key, timestamp, Buffer.from(body_base64, "base64"))
    expect([name, made]).toEqual([name, signature])
  }
})

describe("over the wire", () => {
  const box = Box.forAll()
  const receiver = Receiver.forAll()
  let webhook: WebhookView

  beforeEach(async () => {
    webhook = await box.subscribe(receiver.url, ["live_event.updated"])
  })

  test("§5 rule 3: the timestamp in X-Svc-Timestamp is deliveryAt as a numeric string", async () => {
    await box.emitted()
    const { headers, body } = receiver.only()
    expect(headers["x-svc-timestamp"]).toMatch(/^\d+$/)
    expect(Number(headers["x-svc-timestamp"])).toBe(JSON.parse(body.toString()).deliveryAt)
  })

  test("§5 rule 3: the signature is over the bytes exactly as they arrive", async () => {
    const data = { text: 'Æ 🎥 \u2028 \r\n \\ "', big: 1e21, nested: [{}, [], null] }
    for (const format of ["compact", "pretty", "escaped", "spaced"]) {
      receiver.answer(200)
      await box.control("POST", "/profiles", { body_format: format })
      await box.emitted("live_event.updated", data)
      const request = receiver.only()
      const key = webhook.signatureKey ?? ""
      expect([format, isSignedWith(key, request)]).toEqual([format, true])
      expect(JSON.parse(request.body.toString("utf8")).data).toEqual(data)

      const again = Buffer.from(JSON.stringify(JSON.parse(request.body.toString("utf8")), null, 1))
      expect(isSignedWith(key, { ...request, body: again })).toBe(false)
      const longer = Buffer.concat([request.body, Buffer.from(" ")])
      expect(isSignedWith(key, { ...request, body: longer })).toBe(false)
    }
  })

  test("§5 rule 3: another key, timestamp or subscriber gives another signature", async () => {
    const other = await box.subscribe(receiver.url, ["live_event.updated"])
    await box.emitted()
    const [first, second] = receiver.requests
    if (!first || !second) throw new Error("two were expected")
    expect(isSignedWith(webhook.signatureKey ?? "", first)).toBe(true)
    expect(isSignedWith(other.signatureKey ?? "", second)).toBe(true)
    expect(isSignedWith(other.signatureKey ?? "", first)).toBe(false)
    const headers = { ...first.headers, "x-svc-timestamp": "1" }
    expect(isSignedWith(webhook.signatureKey ?? "", { ...first, headers })).toBe(false)
  })
})
