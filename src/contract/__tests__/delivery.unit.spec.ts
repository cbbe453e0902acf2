import {
  canonicalHash,
  canonicalJson,
  decodeUtf8,
  deduplicationKey,
  isNamed,
  mayBeNamed,
  parseJson,
  parseTopic,
  readDelivery,
  readListing,
  readSignatureKey,
  readSubscriber,
  readSubscribers,
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
    expect(parseTopic("live_event.updated")).toEqual({
      family: "live",
      entity: "event",
      change: "updated",
    })
    for (const topic of [
      "svc.test",
      "live_event",
      "live_event.moved",
      "xlive_event.created",
      "live_event.createdx",
      "",
    ]) {
      expect(parseTopic(topic)).toBeNull()
    }
  })
})

describe("reading a verified body (interface §2.5)", () => {
  it.each([
    ["no object", [], "The body is not a JSON object."],
    ["no topic", delivery({ topic: null }), "The body names no topic."],
    ["no data", delivery({ data: "none" }), "The body has no data object."],
  ])("says what is wrong with one that is no envelope: %s", (_what, body, problem) => {
    expect(readDelivery(body)).toEqual({ kind: "invalid", problem })
  })

  it.each([
    ["text", "hello"],
    ["nothing", null],
    ["a topic that is none", delivery({ topic: {} })],
    ["a topic longer than an index takes", delivery({ topic: "t".repeat(501) })],
    ["data that is a list", delivery({ data: [] })],
  ])("refuses %s: it can never be placed", (_what, body) => {
    expect(readDelivery(body).kind).toBe("invalid")
  })

  it.each([
    ["all of it", {}, { pageUid: "page", eventUid: "evt", occurredAt: 1_700_000_000_000 }],
    ["a numeric deliveryUid", { deliveryUid: 12345 }, { deliveryUid: "12345" }],
    ["a deliveryUid that is none", { deliveryUid: {} }, { deliveryUid: null }],
    ["a text deliveryAt", { deliveryAt: "1700000000500" }, { deliveryAt: 1_700_000_000_500 }],
    ["a text occurredAt", { occurredAt: "1700000000000" }, { occurredAt: 1_700_000_000_000 }],
    ["a time in words", { occurredAt: "yesterday" }, { occurredAt: null }],
    ["a version that is none", { version: [] }, {}],
    ["metadata that is a list", { metadata: [1] }, { pageUid: null, eventUid: null }],
    ["numeric ids", { metadata: { pageUid: 1, eventUid: 2 } }, { pageUid: "1", eventUid: "2" }],
    [
      "an id longer than an index takes",
      { metadata: { eventUid: "x".repeat(501) } },
      { eventUid: null },
    ],
  ])("keeps a change with %s, for the inbox to judge", (_what, changes, expected) => {
    expect(readDelivery(delivery(changes))).toMatchObject({
      kind: "change",
      topic: "live_event.created",
      data: { a: 1 },
      ...expected,
    })
  })

  it("keeps an unknown topic and an unknown version (gap 14)", () => {
    expect(readDelivery(delivery({ topic: "live_event.moved" })).kind).toBe("unknown")
    expect(readDelivery({ version: "v2", topic: "anything", payload: [] })).toMatchObject({
      kind: "unknown",
      topic: "anything",
      pageUid: null,
    })
    expect(readDelivery({ version: "v2" })).toMatchObject({ kind: "unknown", topic: "unknown" })
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
      dataHash: canonicalHash({ a: 1, b: { c: [1, 2], d: "x" } }),
      ...changes,
    })

  it("does not mind the order of keys", () => {
    expect(key({ dataHash: canonicalHash({ b: { d: "x", c: [1, 2] }, a: 1 }) })).toBe(key())
  })

  it("minds everything that makes another event of it", () => {
    const others = [
      key({ topic: "live_event.updated" }),
      key({ pageUid: "other" }),
      key({ eventUid: "other" }),
      key({ eventUid: null }),
      key({ occurredAt: 2 }),
      key({ dataHash: canonicalHash({ a: 1, b: { c: [2, 1], d: "x" } }) }),
      key({ dataHash: canonicalHash({ a: "1", b: { c: [1, 2], d: "x" } }) }),
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
    expect(parseJson('{"a":"ø"}')).toEqual({ a: "ø" })
    expect(parseJson('\ufeff{"a":1}')).toEqual({ a: 1 })
  })

  it.each([
    ["broken JSON", '{"a":1'],
    ["two values", "{}{}"],
    ["nothing", ""],
    ["two byte order marks", "\ufeff\ufeff{}"],
    ["a nest without end", "[".repeat(300_000) + "]".repeat(300_000)],
    ["one level more than 64", `${"[".repeat(65)}${"]".repeat(65)}`],
  ])("refuses %s", (_what, text) => {
    expect(parseJson(text)).toBeUndefined()
  })

  it("takes 64 levels", () => {
    expect(parseJson(`${"[".repeat(64)}${"]".repeat(64)}`)).toBeDefined()
  })

  it("gives text that is the same bytes again, and nothing for bytes that are no text", () => {
    for (const text of ['{"a":"ø"}', '\ufeff{"a":1}', "", "🎉\r\n"]) {
      const bytes = Buffer.from(text, "utf8")
      expect(Buffer.from(decodeUtf8(bytes) ?? "nothing", "utf8")).toEqual(bytes)
    }
    for (const bytes of [
      [0xff],
      [0xc3, 0x22],
      [0xed, 0xa0, 0x80],
      [0xc0, 0x80],
      [0xf5, 0x80, 0x80, 0x80],
    ]) {
      expect(decodeUtf8(Buffer.from(bytes))).toBeUndefined()
    }
  })

  it("replaces characters that no database takes, in keys too", () => {
    expect(parseJson('{"a\\u0000":"x\\ud800y","b":"\\\\u0000"}')).toEqual({
      "a\ufffd": "x\ufffdy",
      b: "\\u0000",
    })
  })
})

describe("answers whose shape is not shown", () => {
  it.each([
    ["data", { data: [1], count: 5 }, 5],
    ["bare", [1], null],
    ["items", { items: [1], total: 3 }, 3],
    ["named", { liveEvents: [1] }, null],
    ["wrapped", { data: { items: [1], total: 3 } }, 3],
    ["counted as text", { data: [1], count: "57" }, 57],
    ["counted beside the page's own count", { data: [1], count: 1, meta: { total: 57 } }, 57],
    ["counted in meta", { data: [1], meta: { total: 57 } }, 57],
    ["counted in a wrapped pageInfo", { data: { items: [1], pageInfo: { totalCount: 57 } } }, 57],
  ])("reads a listing as %s (gap 20)", (_what, body, count) => {
    expect(readListing(body)).toEqual({ entries: [1], count, more: null })
  })

  it.each([
    [{ data: [1], hasMore: true }, true],
    [{ data: [1], hasMore: "true", nextCursor: "a" }, true],
    [{ data: [1], pagination: { has_more: 1 } }, true],
    [{ items: [1], pageInfo: { hasNextPage: false, endCursor: "a" } }, false],
    [{ data: [1], nextCursor: "a" }, true],
    [{ data: [1], links: { next: "https://svc.test/api/v1/liveEvents?page=2" } }, true],
    [{ data: [1], nextCursor: null, next: "" }, null],
    [{ items: [1], total: 1 }, false],
    [{ items: [1], total: 1, next: "b" }, true],
    [{ items: [1], total: 2 }, null],
  ])("reads whether there is more than %j (gap 20)", (body, more) => {
    expect(readListing(body)).toMatchObject({ entries: [1], more })
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
    [
      "wrapped twice, with nothing said inside",
      {
        data: { webhook: { uid: "w1", url: "https://a.test", signatureKey: "" } },
        signatureKey: "k",
      },
    ],
  ])("reads a subscriber and its key, %s (gap 13)", (_what, body) => {
    expect(readSubscriber(body)).toMatchObject({ webhookUid: "w1", url: "https://a.test/" })
    expect(readSignatureKey(body)).toBe("k")
  })

  it.each([
    ["data", { data: [{ id: "w1", url: "https://a.test" }], count: 1 }],
    ["bare", [{ id: "w1", url: "https://a.test" }]],
    ["items", { items: [{ id: "w1", url: "https://a.test" }], total: 1 }],
    ["results", { results: [{ id: "w1", url: "https://a.test" }] }],
    ["named", { webhooks: [{ id: "w1", url: "https://a.test" }] }],
    ["wrapped", { data: { items: [{ id: "w1", url: "https://a.test" }] } }],
  ])("reads the list of subscribers as %s (gap 13)", (_what, body) => {
    const subscribers = [expect.objectContaining({ webhookUid: "w1" })]
    expect(readSubscribers(body)).toEqual({ subscribers, unreadable: [] })
    expect(readSubscribers({ items: [] })).toEqual({ subscribers: [], unreadable: [] })
    expect(readSubscribers({ error: "no" })).toBeNull()
  })

  it("counts the subscribers of a list that it cannot read (gap 13)", () => {
    const list = { data: [{ id: "w1", url: "https://a.test" }, { id: "w2", address: "b" }, "w3"] }
    expect(readSubscribers(list)).toEqual({
      subscribers: [expect.objectContaining({ webhookUid: "w1" })],
      unreadable: [{ id: "w2", address: "b" }, "w3"],
    })
  })

  it.each<[unknown, string | null, boolean]>([
    ["w", "w1", true],
    [{ address: "a" }, "w1", true],
    [{ id: "w1" }, "w1", true],
    [{ id: "w2" }, "w1", false],
    [{ id: "w2" }, null, true],
  ])("takes %j for the subscriber %j, perhaps: %s", (entry, uid, may) => {
    expect(mayBeNamed(entry, uid)).toBe(may)
  })

  it.each([
    ["targetUrl", { targetUrl: "https://a.test" }],
    ["callback_url", { callback_url: "https://a.test" }],
    ["endpoint", { endpoint: "https://a.test" }],
  ])("reads a subscriber's address from %s (gap 13)", (_what, fields) => {
    expect(readSubscriber({ id: "w1", ...fields })?.url).toBe("https://a.test/")
  })

  it.each([
    ["state", { state: "active" }, "active"],
    ["status", { status: "disabled" }, "disabled"],
    ["another case", { status: "DISABLED" }, "disabled"],
    ["a state that nobody knows", { state: "Paused" }, "Paused"],
    ["the status of the answer around it", { status: "success" }, null],
  ])("reads a subscriber's state from %s (gap 13)", (_what, fields, state) => {
    expect(readSubscriber({ id: "w1", url: "https://a.test", ...fields })?.state ?? null).toBe(
      state,
    )
  })

  it("knows a subscriber by each id that it names (gap 13)", () => {
    const named = readSubscriber({ id: 7, subscriberUid: "sub_9", url: "https://a.test" })
    const ids = ["7", "sub_9", "w", null]
    expect(named?.webhookUid).toBe("7")
    expect(ids.map((id) => named && isNamed(named, id))).toEqual([true, true, false, false])
  })

  it.each([
    { success: false, error: "db down", data: { items: [], total: 0 } },
    { status: "error", items: [] },
    { success: false, data: [] },
  ])("takes a refusal in a 2xx for no list: %j", (body) => {
    expect([readListing(body), readSubscribers(body)]).toEqual([null, null])
  })
})
