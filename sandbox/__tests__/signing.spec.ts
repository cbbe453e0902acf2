/** The signature of deliveries (interface §5 rule 3), against vectors made by another signer. */

import { readFileSync } from "node:fs"
import path from "node:path"
import { signDelivery } from "../index"
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

  test("§5 rule 3: the signature is over the bytes exactly as they arrive, in whatever format", async () => {
    const data = { text: 'Æ 🎥 \u2028 \r\n \\ "', big: 1e21, nested: [{}, [], null] }
    const formats: [string, RegExp][] = [
      ["compact", /^\{"version":"v1",.*"text":"Æ 🎥 /],
      ["pretty", /^\{\n {2}"version": "v1",\n/],
      ["escaped", /"text":"\\u00c6 \\ud83c\\udfa5 /],
      ["spaced", /^\{ "version": "v1", .*\}\r\n$/s],
    ]
    for (const [body_format, form] of formats) {
      receiver.answer(200)
      await box.control("POST", "/profiles", { body_format })
      await box.emitted("live_event.updated", data)
      const request = receiver.only()
      const text = request.body.toString("utf8")
      const key = webhook.signatureKey ?? ""
      expect([body_format, isSignedWith(key, request)]).toEqual([body_format, true])
      expect(text).toMatch(form)
      expect(JSON.parse(text).data).toEqual(data)

      const again = Buffer.from(JSON.stringify(JSON.parse(text), null, 1))
      expect(isSignedWith(key, { ...request, body: again })).toBe(false)
      const longer = Buffer.concat([request.body, Buffer.from(" ")])
      expect(isSignedWith(key, { ...request, body: longer })).toBe(false)
    }
  })

  test("§5 rule 3: signDelivery makes the headers that a receiver accepts", async () => {
    const key = "the key as shown"
    const body = '{"version":"v1","æ":"🎥"}'
    for (const sent of [body, Buffer.from(body)]) {
      receiver.answer(200)
      const headers = signDelivery({ key, body: sent })
      await fetch(receiver.url, { method: "POST", headers, body: sent })
      expect(isSignedWith(key, receiver.only())).toBe(true)
      expect(isSignedWith("another key", receiver.only())).toBe(false)
      const age = Date.now() - Number(receiver.only().headers["x-svc-timestamp"])
      expect(age).toBeGreaterThanOrEqual(0)
      expect(age).toBeLessThan(300_000)
    }
    expect(signDelivery({ key, body, timestamp: 5 })["X-Svc-Timestamp"]).toBe("5")
  })
})
