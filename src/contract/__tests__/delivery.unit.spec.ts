import {
  canonicalJson,
  deduplicationKey,
  parseJson,
  parseTopic,
  readDelivery,
  readListing,
  readSignatureKey,
  readSubscriber,
  TOPICS,
} from ".."

const delivery = (changes: Record<string, unknown> = {}) => ({
  version: "v1",
  topic: "live_event.created",
  occurredAt: 1_700_000_000_000,
  deliveryUid: "d1",
  deliveryAt: 1_700_000_000_500,
  metadata: { pageUid: "page", subscriberUid: "sub", eventUid: "evt" },
  data: { a: 1 },
  ...changes,
})

describe("topics (interface §6.2)", () => {
  it("takes all twelve topics of changes apart, and no other", () => {
    expect(TOPICS.filter((topic) => parseTopic(topic) !== null)).toHaveLength(12)
    expect(parseTopic("shoppable_event_product.deleted")).toEqual({
      family: "shoppable",
      entity: "event_product",
      change: "deleted",
    })
    for (const topic of ["svc.test", "live_event", "live_event.moved", "xlive_event.created", ""]) {
      expect(parseTopic(topic)).toBeNull()
    }
  })
})

describe("reading a verified body (interface §2.5)", () => {
  it("reads a change", () => {
    expect(readDelivery(delivery())).toMatchObject({
      kind: "change",
      pageUid: "page",
      eventUid: "evt",
      occurredAt: 1_700_000_000_000,
    })
  })

  it.each([
    ["an array", []],
    ["text", "hello"],
    ["nothing", null],
    ["no topic", delivery({ topic: undefined })],
    ["no version", delivery({ version: undefined })],
    ["no page", delivery({ metadata: {} })],
    ["data that is a list", delivery({ data: [] })],
    ["a time in words", delivery({ occurredAt: "yesterday" })],
    ["a time past year 9999", delivery({ occurredAt: 9e15 })],
  ])("refuses %s", (_what, body) => {
    expect(readDelivery(body).kind).toBe("invalid")
  })

  it("keeps a change whose time or event id is missing, for the inbox to judge", () => {
    expect(
      readDelivery(delivery({ occurredAt: undefined, metadata: { pageUid: "page" } })),
    ).toMatchObject({ kind: "change", occurredAt: null, eventUid: null })
  })

  it("keeps an unknown topic and an unknown version (gap 14)", () => {
    expect(readDelivery(delivery({ topic: "live_event.moved" })).kind).toBe("unknown")
    expect(readDelivery({ version: "v2", topic: "anything", payload: [] })).toMatchObject({
      kind: "unknown",
      topic: "anything",
      pageUid: null,
    })
  })

  it.each([
    ["full", delivery({ topic: "svc.test", data: { test: true } }), undefined],
    [
      "without ids",
      { version: "v1", topic: "svc.test", metadata: {}, data: { test: true } },
      undefined,
    ],
    ["bare", { test: true }, "svc.test"],
    ["odd", { topic: "svc.test", metadata: 7, deliveryUid: {}, occurredAt: "now" }, undefined],
  ])("reads a test delivery, %s (gap 16)", (_what, body, hint) => {
    expect(readDelivery(body, hint).kind).toBe("test")
  })

  it("does not take a change for a test because a header says so", () => {
    expect(readDelivery(delivery(), "svc.test").kind).toBe("change")
  })
})

describe("telling deliveries apart (gap 1)", () => {
  const key = (changes: Record<string, unknown> = {}) =>
    deduplicationKey({
      topic: "live_event.created",
      pageUid: "page",
      eventUid: "evt",
      occurredAt: 1,
      data: { a: 1, b: { c: [1, 2], d: "x" } },
      ...changes,
    })

  it("does not mind the order of keys", () => {
    expect(key({ data: { b: { d: "x", c: [1, 2] }, a: 1 } })).toBe(key())
  })

  it("minds everything that makes another event of it", () => {
    const others = [
      key({ topic: "live_event.updated" }),
      key({ pageUid: "other" }),
      key({ eventUid: "other" }),
      key({ eventUid: null }),
      key({ occurredAt: 2 }),
      key({ data: { a: 1, b: { c: [2, 1], d: "x" } } }),
      key({ data: { a: "1", b: { c: [1, 2], d: "x" } } }),
    ]
    expect(new Set([key(), ...others]).size).toBe(others.length + 1)
  })

  it("spells equal JSON in one way", () => {
    const text = '{"b":[1,{"z":null,"y":"é\\n"}],"a":1.50}'
    expect(canonicalJson(JSON.parse(text))).toBe('{"a":1.5,"b":[1,{"y":"é\\n","z":null}]}')
  })
})

describe("parsing bytes", () => {
  it("takes UTF-8 JSON, with a byte order mark or without", () => {
    expect(parseJson(Buffer.from('{"a":"ø"}'))).toEqual({ a: "ø" })
    expect(parseJson(Buffer.from('\ufeff{"a":1}'))).toEqual({ a: 1 })
  })

  it.each([
    ["broken UTF-8", Buffer.from([0x7b, 0x22, 0xc3, 0x22, 0x3a, 0x31, 0x7d])],
    ["broken JSON", Buffer.from('{"a":1')],
    ["two values", Buffer.from("{}{}")],
    ["nothing", Buffer.alloc(0)],
    ["a nest without end", Buffer.from("[".repeat(300_000) + "]".repeat(300_000))],
  ])("refuses %s", (_what, bytes) => {
    expect(parseJson(bytes)).toBeUndefined()
  })
})

describe("answers whose shape is not shown", () => {
  it.each([
    ["data", { data: [1], count: 5 }, 5],
    ["bare", [1], null],
    ["items", { items: [1], total: 3 }, 3],
    ["named", { liveEvents: [1] }, null],
  ])("reads a listing as %s (gap 20)", (_what, body, count) => {
    expect(readListing(body)).toEqual({ entries: [1], count })
  })

  it("takes no other answer for an empty listing", () => {
    for (const body of [null, "x", {}, { data: {} }, { error: "no" }]) {
      expect(readListing(body)).toBeNull()
    }
  })

  it.each([
    ["flat", { webhookUid: "w1", url: "https://a.test", signatureKey: " k " }],
    ["wrapped", { webhook: { webhookUid: "w1", url: "https://a.test", signatureKey: "k" } }],
    ["snake case", { webhook_uid: "w1", url: "https://a.test", signature_key: "k" }],
  ])("reads a subscriber and its key, %s (gap 13)", (_what, body) => {
    expect(readSubscriber(body)).toMatchObject({ webhookUid: "w1", url: "https://a.test" })
    expect(readSignatureKey(body)).toBe("k")
  })
})
