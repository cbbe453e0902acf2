/**
 * The sandbox's clock against a receiver's: a receiver that refuses old and early timestamps (gap 7)
 * must see deliveries of its own time, however far the sandbox's clock was turned.
 */

import { Box, envelopeOf, isSignedWith, type Received, Receiver, type WebhookView } from "./harness"

const box = Box.forAll()
const receiver = Receiver.forAll()
let webhook: WebhookView

const WINDOW_MS = 300_000

/** What a correct receiver does, on the real clock. */
function isFresh({ headers }: Received): boolean {
  return Math.abs(Date.now() - Number(headers["x-svc-timestamp"])) <= WINDOW_MS
}

beforeEach(async () => {
  await box.clock({ run: true })
  webhook = await box.subscribe(receiver.url, ["live_event.created", "live_event.updated"])
})

test("§4.7 a receiver with a window of 300 s takes deliveries after the clock was turned", async () => {
  receiver.answer((request, response) => {
    response.statusCode = isFresh(request) ? 200 : 401
    response.end()
  })
  for (let press = 0; press < 3; press++) {
    await box.clock({ advance: "13m" })
    await box.emitted()
  }
  expect((await box.deliveries()).map(({ state }) => state)).toEqual(Array(3).fill("delivered"))
  expect((await box.subscriber(webhook.webhookUid)).state).toBe("active")
})

test("§2.5 occurredAt is of the same time as deliveryAt, and tells which change came later", async () => {
  const seen: number[] = []
  for (let i = 0; i < 5; i++) {
    await box.emit("live_event.updated", { i })
    await box.clock({ advance: "10h" })
  }
  for (const request of receiver.requests) {
    const { occurredAt, deliveryAt } = envelopeOf(request)
    expect(Math.abs(Date.now() - occurredAt)).toBeLessThan(WINDOW_MS)
    expect(occurredAt).toBeLessThanOrEqual(deliveryAt)
    expect(isSignedWith(webhook.signatureKey ?? "", request)).toBe(true)
    seen.push(occurredAt)
  }
  expect(seen.length).toBe(5)
  expect(new Set(seen).size).toBe(5)
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
})

test("§6.6 an answer after 1.5 s is an answer, also while the clock is turned", async () => {
  receiver.answer((_request, response) => {
    setTimeout(() => response.end("ok"), 1500)
  })
  await box.emit()
  // As a person or a test asks for it: without a word about patience.
  await box.control("POST", "/clock", { advance: "1m" })
  expect(await box.onlyDelivery()).toMatchObject({
    state: "delivered",
    attempts: [{ status: 200, error: null }],
  })
})

test("§6.6 each attempt has its own ten seconds, also one that waited for a free socket", async () => {
  await box.clock({ stop: true })
  const waiting: (() => void)[] = []
  receiver.answer((_request, response) => waiting.push(() => response.end("ok")))
  const answerAll = () => {
    for (const answer of waiting.splice(0)) answer()
  }
  // Sixty-four go out at a time.
  await Promise.all(Array.from({ length: 70 }, (_, i) => box.emit("live_event.updated", { i })))
  await receiver.until(({ requests }) => requests.length === 64)
  await box.clock({ advance: "6s", grace_ms: 50 })
  answerAll()
  await receiver.until(({ requests }) => requests.length === 70)
  // Together longer than ten seconds, each by itself not.
  await box.clock({ advance: "6s", grace_ms: 50 })
  answerAll()
  await box.settle()
  const ends = (await box.deliveries()).map(({ attempts }) =>
    attempts.map(({ error, status }) => error ?? status).join(),
  )
  expect(ends.filter((end) => end !== "200")).toEqual([])
})

test.each([
  ["a reset", () => box.control("POST", "/reset")],
  [
    "going back to the receiver's time",
    () => box.control("POST", "/profiles", { timestamps: "receiver" }),
  ],
])(
  "§2.5 timestamps: clock stamps with the sandbox's time, and after %s changes bear it no more",
  async (_what, end) => {
    await box.control("POST", "/profiles", { timestamps: "clock" })
    await box.clock({ advance: "10h" })
    await box.emitted()
    expect(isFresh(receiver.only())).toBe(false)
    expect(envelopeOf(receiver.only()).occurredAt - Date.now()).toBeGreaterThan(9 * 3_600_000)
    await end()
    await box.subscribe(receiver.url, ["live_event.updated"])
    receiver.answer(200)
    await box.emitted()
    for (const { occurredAt } of receiver.envelopes()) {
      expect(Math.abs(occurredAt - Date.now())).toBeLessThan(WINDOW_MS)
    }
    expect(receiver.requests.length).toBeGreaterThan(0)
  },
)
