/** What gets in and what does not, decided with keys and an inbox in memory. */
import crypto from "node:crypto"
import fc from "fast-check"
import { envelope, liveEvent, sign } from "../../../../../integration-tests/setup/deliveries"
import { runs } from "../../../../../integration-tests/setup/generated"
import { Admission, type AdmissionLimits, type IncomingRequest, PROBE_TOPIC } from "../admission"
import type { Kept, NewDelivery } from "../delivery-writer"
import type { Heard, RefusalCount } from "../receiver-notes"
import type { KnownKeys } from "../verification-keys"

const FUZZED = Number(process.env.RECEIVER_FUZZED ?? 3_000)

const NOW = 1_800_000_000_000
const KEY = "the key"
const PAGE = "demo-page"
const known = (changes: Partial<KnownKeys> = {}): KnownKeys => ({
  connectionId: "c1",
  pageUid: PAGE,
  webhookId: "w1",
  webhookUid: "sub-1",
  version: 1,
  keys: [{ key: KEY, candidate: null, fingerprint: "print" }],
  unreadable: false,
  rotating: false,
  ...changes,
})
const CHANGE_KEY = "e6e3a2a109f4e03bbe3938bb670daf061b528539141ce94053fa0cab1a97bccd"
const UNKNOWN_KEY = "ac31a6fb5f47ef80944ef6c5122661c3769adacd741e7593c31263b8400c9eee"
const TEST_KEY = "781aca546fdb3377a6403338bb3137c8860a0885dde3c09b356ed91479385d4d"
const MIB = 1024 * 1024
const KEPT_AT = new Date("2026-01-02T03:04:05Z")
const LIMITS: AdmissionLimits = {
  roomBytes: 4 * MIB,
  failures: 3,
  maxBytes: MIB,
  toleranceMs: 300_000,
  readTimeoutMs: 1_000,
  keepTimeoutMs: 200,
  promoteTimeoutMs: 20,
}

function receiver(changes: { keys?: KnownKeys | null; limits?: Partial<AdmissionLimits> } = {}) {
  const state = {
    now: NOW,
    /** The row; what was read of it last is in memory, until that is a second old. */
    row: changes.keys === undefined ? known() : changes.keys,
    memory: null as { keys: KnownKeys | null; readAt: number } | null,
    reads: 0,
    heard: [] as Heard[],
    kept: [] as NewDelivery[],
    promoted: [] as string[],
    refused: [] as RefusalCount[],
    said: [] as string[],
    keep: async (delivery: NewDelivery): Promise<Kept | null> => {
      if (state.row?.version !== delivery.verifiedBy.version) return null
      state.kept.push(delivery)
      return { outcome: delivery.outcome, isNew: true, at: KEPT_AT }
    },
    addRefusals: async (counts: RefusalCount[]): Promise<void> => {
      state.refused.push(...counts)
    },
    promote: async (): Promise<boolean> => true,
  }
  const log = (text: string) => state.said.push(text)
  const limits = { ...LIMITS, ...changes.limits }
  const admission = new Admission(
    {
      keys: {
        of: async (_, since = Number.NEGATIVE_INFINITY) => {
          if (!state.memory || state.memory.readAt < since) {
            state.reads += 1
            state.memory = { keys: state.row, readAt: performance.now() }
          }
          return state.memory.keys
        },
      },
      writer: { keep: (delivery) => state.keep(delivery) },
      notes: {
        refused: (counts) => state.addRefusals(counts),
        heard: async (heard) => void state.heard.push(heard),
      },
      promote: async (webhookId, candidate, key) => {
        state.promoted.push(`${webhookId} ${candidate} ${key}`)
        return state.promote()
      },
      logger: {
        warn: log,
        error: log,
      } as unknown as ConstructorParameters<typeof Admission>[0]["logger"],
      now: () => state.now,
    },
    () => limits,
  )
  return { admission, state }
}

type Sending = {
  body?: unknown
  key?: string
  timestamp?: number | string
  signature?: string
  address?: string
  headers?: Record<string, string | string[] | undefined>
  isPlainJson?: boolean
  connectionId?: string
  reading?: IncomingRequest["readBody"]
}

function request(sending: Sending = {}): IncomingRequest {
  const { body = { ...envelope("live_event.created", liveEvent("e1")), deliveryAt: NOW } } = sending
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === "string" ? body : JSON.stringify(body))
  const timestamp = sending.timestamp ?? NOW
  return {
    connectionId: sending.connectionId ?? "c1",
    address: sending.address ?? "192.0.2.1",
    isPlainJson: sending.isPlainJson ?? true,
    headers: {
      "content-type": "application/json",
      "x-svc-page-uid": PAGE,
      "x-svc-subscriber-uid": "sub-1",
      "x-svc-timestamp": String(timestamp),
      "x-svc-signature": sending.signature ?? sign(sending.key ?? KEY, timestamp, bytes),
      ...sending.headers,
    },
    readBody:
      sending.reading ??
      (async ({ take, maxBytes }) => {
        if (bytes.length > maxBytes) return { ok: false, reason: "too_large" }
        return take(bytes.length) ? { ok: true, bytes } : { ok: false, reason: "no_room" }
      }),
  }
}

const reasons = async ({ admission, state }: ReturnType<typeof receiver>) => {
  await admission.writeNotes()
  return state.refused.map(({ reason, count }) => [reason, count])
}

describe("a request at the receiver", () => {
  it("is kept when it verifies, with what proves it", async () => {
    const { admission, state } = receiver()
    const body = envelope("live_event.created", liveEvent("e1"), { occurredAt: NOW - 5 })
    expect(await admission.receive(request({ body }))).toEqual({
      kind: "kept",
      outcome: "received",
      promoted: false,
      late: false,
    })
    const text = JSON.stringify(body)
    expect(state.kept).toEqual([
      {
        connectionId: "c1",
        verifiedBy: {
          pageUid: PAGE,
          webhookId: "w1",
          version: 1,
          isCandidate: false,
          fingerprint: "print",
        },
        dedupKey: expect.stringMatching(/^[0-9a-f]+$/),
        topic: "live_event.created",
        eventUid: body.metadata.eventUid,
        deliveryUid: body.deliveryUid,
        occurredAt: NOW - 5,
        outcome: "received",
        reason: null,
        body: Buffer.from(text),
        bodyHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        headers: {
          "content-type": "application/json",
          "x-svc-page-uid": PAGE,
          "x-svc-subscriber-uid": "sub-1",
          "x-svc-timestamp": String(NOW),
          "x-svc-signature": sign(KEY, NOW, text),
        },
      },
    ])
    expect(admission.heldBytes).toBe(0)
    await admission.writeNotes()
    expect(state.heard).toEqual([
      {
        connectionId: "c1",
        // By the database's clock: two servers' may differ.
        at: KEPT_AT,
        skewMs: 0,
        subscriberUid: "subscriber-1",
      },
    ])
  })

  it("names the webhook that it is of, if that can be asked for", async () => {
    const { admission, state } = receiver()
    for (const subscriberUid of ["webhook-1", undefined, "../x"]) {
      const body = envelope("live_event.created", liveEvent("e1"))
      const metadata = { ...body.metadata, subscriberUid }
      await admission.receive(request({ body: { ...body, deliveryAt: NOW, metadata } }))
    }
    await admission.writeNotes()
    expect(state.heard).toMatchObject([{ subscriberUid: "webhook-1" }])
    await admission.receive(request({ key: "not ours" }))
    await admission.writeNotes()
    expect(state.heard).toHaveLength(1)
  })

  it("costs no look at the database but the insert, once its keys are known", async () => {
    const { admission, state } = receiver()
    for (let times = 0; times < 3; times += 1) await admission.receive(request())
    expect([state.reads, state.kept.length]).toEqual([1, 3])
  })

  it("is verified anew when the keys changed since they were read", async () => {
    const { admission, state } = receiver()
    await admission.receive(request())
    state.row = known({ version: 2, keys: [{ key: "new", candidate: null, fingerprint: "n" }] })
    // What is in memory still verifies it: the row has the last word.
    expect(await admission.receive(request())).toEqual({ kind: "refused" })
    expect(await admission.receive(request({ key: "new" }))).toMatchObject({ kind: "kept" })
  })

  it.each<[string, Sending, string]>([
    // gap 9
    ["no signature", { headers: { "x-svc-signature": undefined } }, "signature_missing"],
    ["no time", { headers: { "x-svc-timestamp": undefined } }, "signature_missing"],
    ["a signature that is none", { signature: "abc" }, "signature_malformed"],
    ["another key", { key: "another" }, "wrong_key"],
    ["an old time", { timestamp: NOW - 300_001 }, "too_old"],
    ["a time ahead", { timestamp: NOW + 300_001 }, "too_old"],
    [
      // gap 11
      "another page",
      { body: envelope("live_event.created", liveEvent("e1"), { pageUid: "other" }) },
      "wrong_page",
    ],
  ])(
    "is refused with one answer for all, and its reason is noted: %s",
    async (_, sending, reason) => {
      const running = receiver()
      expect(await running.admission.receive(request(sending))).toEqual({ kind: "refused" })
      expect(await reasons(running)).toEqual([[reason, 1]])
      expect(running.state.kept).toEqual([])
    },
  )

  it("is refused the same where there is no such connection, after the same work", async () => {
    const running = receiver({ keys: null })
    expect(await running.admission.receive(request())).toEqual({ kind: "refused" })
    expect(running.state.reads).toBe(1)
    expect(await reasons(running)).toEqual([["stranger", 1]])
  })

  it.each<[string, Sending, string]>([
    ["another content type", { isPlainJson: false }, "not_plain_json"],
    ["too many bytes", { body: "x".repeat(MIB + 1) }, "too_large"],
    ["too many bytes announced", { headers: { "content-length": String(MIB + 1) } }, "too_large"],
    ["too slow", { reading: async () => ({ ok: false, reason: "too_slow" }) }, "too_slow"],
  ])("is answered for what it is: %s", async (_, sending, kind) => {
    const running = receiver()
    expect(await running.admission.receive(request(sending))).toEqual({ kind })
    expect(await reasons(running)).toEqual([[kind, 1]])
  })

  it("is not waited for, nor its keys looked at, without a signature", async () => {
    const running = receiver()
    const reading = jest.fn()
    await running.admission.receive(request({ reading, headers: { "x-svc-signature": undefined } }))
    expect(reading).not.toHaveBeenCalled()
    expect(running.state.reads).toBe(0)
  })

  it("is nobody's when its sender is gone", async () => {
    const running = receiver()
    const reading = async () => ({ ok: false, reason: "aborted" }) as const
    expect(await running.admission.receive(request({ reading }))).toEqual({ kind: "gone" })
    expect(await reasons(running)).toEqual([])
  })

  it("is 400 where it is signed and no delivery", async () => {
    const running = receiver({ limits: { failures: 99 } })
    for (const body of [
      "",
      "[]",
      "{}",
      '{"topic":"live_event.created"}',
      Buffer.from([0x7b, 0xff]),
    ]) {
      expect(await running.admission.receive(request({ body }))).toMatchObject({
        kind: "not_an_envelope",
        problem: expect.stringMatching(/\.$/),
      })
    }
    expect(await reasons(running)).toEqual([["not_an_envelope", 5]])
    expect(running.state.said).toHaveLength(5)
    for (const said of running.state.said) {
      expect(said).toMatch(/^svc: a signed delivery for c1 was refused: The body .+\.$/)
    }
    const problemOf = async (body: unknown) => running.admission.receive(request({ body }))
    expect(await problemOf(Buffer.from([0x7b, 0xff]))).toMatchObject({
      problem: "The body is not UTF-8.",
    })
    expect(await problemOf("{}")).toMatchObject({ problem: "The body names no topic." })
  })

  it("is kept and answered 422 where its topic or version is unknown", async () => {
    const { admission, state } = receiver()
    const odd = envelope("live_event.moved", liveEvent("e1"))
    expect(await admission.receive(request({ body: odd }))).toEqual({
      kind: "unknown",
      problem: expect.stringContaining("live_event.moved"),
    })
    const later = { ...envelope("live_event.created", {}), version: "v2" }
    await admission.receive(request({ body: later }))
    // Its attempts differ in what an attempt is called: they are one delivery all the same.
    await admission.receive(request({ body: { ...later, deliveryUid: "x", deliveryAt: 5 } }))
    expect(state.kept.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown", "unknown"])
    expect(new Set(state.kept.map(({ dedupKey }) => dedupKey)).size).toBe(2)
  })

  it("tells tests that were fired at different times apart, and repeats of one not", async () => {
    const { admission, state } = receiver()
    const body = { topic: "svc.test" }
    await admission.receive(request({ body }))
    await admission.receive(request({ body }))
    await admission.receive(request({ body, timestamp: NOW + 1 }))
    expect(new Set(state.kept.map(({ dedupKey }) => dedupKey)).size).toBe(2)
  })

  it("of the doctor is verified and kept nowhere", async () => {
    const { admission, state } = receiver()
    const body = { version: "v1", topic: PROBE_TOPIC, metadata: { pageUid: PAGE }, data: {} }
    expect(await admission.receive(request({ body }))).toEqual({ kind: "probe" })
    expect(await admission.receive(request({ body, key: "x" }))).toEqual({ kind: "refused" })
    expect(state.kept).toEqual([])
  })

  it("may have as many bytes as are allowed", async () => {
    const { admission } = receiver()
    const headers = { "content-length": String(MIB) }
    expect(await admission.receive(request({ headers }))).toMatchObject({ kind: "kept" })
  })

  it("costs the same where there is no such connection as where its key is another", async () => {
    const made = async (keys: KnownKeys | null) => {
      const { admission } = receiver({ keys })
      const sent = request({ key: "x" })
      const hmacs = jest.spyOn(crypto, "createHmac")
      await admission.receive(sent)
      const { length } = hmacs.mock.calls
      hmacs.mockRestore()
      return length
    }
    const [known_, unknown_] = [await made(known()), await made(null)]
    expect(known_).toBe(2)
    expect(unknown_).toBe(2)
  })

  it("is no sign of missed ones where it has no time or is a test", async () => {
    const { admission, state } = receiver()
    const { occurredAt, ...timeless } = envelope("live_event.created", liveEvent("e1"))
    expect(await admission.receive(request({ body: timeless }))).toMatchObject({
      outcome: "quarantined",
      late: false,
    })
    const test = { topic: "svc.test", occurredAt: 1 }
    expect(await admission.receive(request({ body: test }))).toMatchObject({
      outcome: "test",
      late: false,
    })
    const unknown = { ...envelope("live_event.moved", {}), occurredAt: 1 }
    expect(await admission.receive(request({ body: unknown }))).toMatchObject({ kind: "unknown" })
    expect(state.kept).toHaveLength(3)
  })

  it("is late from ten minutes on, as the last attempt is", async () => {
    const { admission } = receiver()
    const sentAfter = (ms: number) =>
      admission.receive(
        request({
          body: envelope("live_event.created", liveEvent("e1"), { occurredAt: NOW - ms }),
        }),
      )
    expect(await sentAfter(599_999)).toMatchObject({ late: false })
    expect(await sentAfter(600_000)).toMatchObject({ late: true })
  })

  it("is a duplicate where the inbox has it", async () => {
    const { admission, state } = receiver()
    state.keep = async () => ({ outcome: "applied", isNew: false, at: KEPT_AT })
    expect(await admission.receive(request())).toMatchObject({ kind: "kept", outcome: "duplicate" })
  })

  it("is kept without the headers that the interface does not name, and those that it names are cut", async () => {
    const { admission, state } = receiver()
    await admission.receive(
      request({
        headers: {
          "x-gateway": "a secret",
          "user-agent": `\0${"x".repeat(600)}`,
          "x-svc-page-uid": ["demo-page", "second"],
        },
      }),
    )
    expect(state.kept[0]?.headers).toMatchObject({
      "user-agent": "x".repeat(499),
      "x-svc-page-uid": "demo-page",
    })
    expect(state.kept[0]?.headers).not.toHaveProperty("x-gateway")
  })

  it("is believed by its body, and a header that differs is said", async () => {
    const { admission, state } = receiver()
    await admission.receive(request({ headers: { "x-svc-topic": "live_event.deleted" } }))
    expect(state.kept[0]?.topic).toBe("live_event.created")
    expect(state.said).toEqual([expect.stringContaining("x-svc-topic")])
    const body = { topic: "svc.test", metadata: { eventUid: "a" }, deliveryAt: NOW }
    await admission.receive(request({ body, headers: { "x-svc-event-uid": "b" } }))
    expect(state.said).toHaveLength(1)
  })

  it("names each header that differs", async () => {
    const { admission, state } = receiver()
    const body = { ...envelope("live_event.created", liveEvent("e1")), deliveryAt: NOW + 1 }
    await admission.receive(
      request({
        body,
        headers: {
          "x-svc-topic": "a",
          "x-svc-delivery-uid": "b",
          "x-svc-event-uid": "c",
          "x-svc-page-uid": "d",
        },
      }),
    )
    expect(state.said).toEqual([
      "svc: a delivery for c1 differs from its body in x-svc-page-uid, x-svc-topic, x-svc-delivery-uid, x-svc-event-uid, x-svc-timestamp; the body counts.",
    ])
    // What the body does not say differs from nothing.
    const silent = { version: "v1", topic: "live_event.created", occurredAt: NOW, data: {} }
    await admission.receive(
      request({ body: silent, headers: { "x-svc-delivery-uid": "b", "x-svc-page-uid": "d" } }),
    )
    expect(state.said).toHaveLength(1)
  })
})

describe("keys that change", () => {
  it("make a mismatch 503 while they may have changed without us", async () => {
    const running = receiver({ keys: known({ rotating: true }) })
    expect(await running.admission.receive(request({ key: "x" }))).toEqual({ kind: "try_again" })
    expect(await reasons(running)).toEqual([["rotating", 1]])
  })

  it("are asked for again where they change twice while a delivery is verified: 503, not 401", async () => {
    const running = receiver()
    running.state.keep = async () => null
    expect(await running.admission.receive(request())).toEqual({ kind: "try_again" })
    expect(await reasons(running)).toEqual([["rotating", 1]])
  })

  it("are not said to be wrong because a stranger guesses at them", async () => {
    const guessed = async (headers: Record<string, string>, keys = known()) => {
      const running = receiver({ keys })
      const answer = await running.admission.receive(request({ key: "x", headers }))
      return [answer.kind, ...(await reasons(running)).map(([reason]) => reason)]
    }
    expect(await guessed({})).toEqual(["refused", "wrong_key"])
    expect(await guessed({ "x-svc-subscriber-uid": "other" })).toEqual(["refused", "stranger"])
    expect(await guessed({ "x-svc-page-uid": "other" })).toEqual(["refused", "stranger"])
    // A key that was pasted came without the subscriber's id.
    const pasted = known({ webhookUid: null })
    expect(await guessed({ "x-svc-subscriber-uid": "any" }, pasted)).toEqual([
      "refused",
      "wrong_key",
    ])
    const unreadable = known({ keys: [], unreadable: true })
    expect(await guessed({ "x-svc-page-uid": "other" }, unreadable)).toEqual([
      "try_again",
      "stranger",
    ])
  })

  it("make a mismatch 503 where ours cannot be read", async () => {
    const running = receiver({ keys: known({ keys: [], unreadable: true }) })
    expect(await running.admission.receive(request())).toEqual({ kind: "try_again" })
    expect(await reasons(running)).toEqual([["key_unreadable", 1]])
  })

  it("have their candidate promoted by the first delivery that it verifies", async () => {
    const { admission, state } = receiver({
      keys: known({
        keys: [
          { key: "new", candidate: "encrypted", fingerprint: "new print" },
          { key: KEY, candidate: null, fingerprint: "print" },
        ],
      }),
    })
    expect(await admission.receive(request())).toMatchObject({ promoted: false })
    expect(await admission.receive(request({ key: "new" }))).toMatchObject({ promoted: true })
    expect(state.promoted).toEqual(["w1 encrypted new"])
    expect(state.kept[1]?.verifiedBy).toMatchObject({ isCandidate: true, fingerprint: "new print" })
  })

  it("keep the delivery whose promotion fails", async () => {
    const { admission, state } = receiver({
      keys: known({ keys: [{ key: "new", candidate: "encrypted", fingerprint: "n" }] }),
    })
    state.promote = async () => {
      throw new Error("update svc_webhook set signature_key = 'encrypted' - no connection")
    }
    expect(await admission.receive(request({ key: "new" }))).toMatchObject({
      kind: "kept",
      promoted: false,
    })
    expect(state.said).toEqual([expect.stringContaining("no connection")])
    expect(state.said).toEqual([expect.not.stringContaining("encrypted")])
  })

  it("keep the delivery whose promotion waits for somebody who has the row", async () => {
    const { admission, state } = receiver({
      keys: known({ keys: [{ key: "new", candidate: "encrypted", fingerprint: "n" }] }),
    })
    state.promote = () => new Promise(() => undefined)
    expect(await admission.receive(request({ key: "new" }))).toMatchObject({
      kind: "kept",
      promoted: false,
    })
  })
})

describe("requests that were not verified", () => {
  it("are held back by address until the minute is over; verified ones never", async () => {
    const running = receiver()
    const { admission, state } = running
    const guess = (address: string) => admission.receive(request({ key: "x", address }))
    for (let times = 0; times < 3; times += 1)
      expect((await guess("192.0.2.11")).kind).toBe("refused")
    const { reads } = state
    expect(await guess("192.0.2.11")).toEqual({ kind: "too_many", waitMs: 60_000 })
    // Not even a look at the keys: those of the last second are good enough.
    expect(state.reads).toBe(reads)
    expect((await guess("192.0.2.12")).kind).toBe("refused")
    expect(await admission.receive(request({ address: "192.0.2.11" }))).toMatchObject({
      kind: "kept",
    })
    expect(await reasons(running)).toEqual([
      ["wrong_key", 4],
      ["too_many", 1],
    ])
    state.now += 60_000
    expect((await guess("192.0.2.11")).kind).toBe("refused")
  })

  it("are looked at once a second over the limit: the key may have changed", async () => {
    const { admission, state } = receiver({ limits: { failures: 1 } })
    const guess = () => admission.receive(request({ key: "pasted" }))
    await guess()
    expect((await guess()).kind).toBe("too_many")
    state.row = known({ version: 2, keys: [{ key: "pasted", candidate: null, fingerprint: "p" }] })
    state.memory = null
    expect((await guess()).kind).toBe("kept")
  })

  it("are counted while a key rotates as well, but not for a fault of ours", async () => {
    const { admission, state } = receiver({ keys: known({ rotating: true }) })
    const guess = () => admission.receive(request({ key: "x" }))
    for (let times = 0; times < 3; times += 1) expect((await guess()).kind).toBe("try_again")
    expect((await guess()).kind).toBe("too_many")
    const unreadable = receiver({ keys: known({ keys: [], unreadable: true }) })
    for (let times = 0; times < 9; times += 1) {
      expect((await unreadable.admission.receive(request())).kind).toBe("try_again")
    }
    expect(state.kept).toEqual([])
  })
})

describe("requests over the limit", () => {
  const over = async (limited: ReturnType<typeof receiver>) => {
    for (let times = 0; times < 3; times += 1) {
      await limited.admission.receive(request({ key: "x" }))
    }
    return limited.admission
  }

  it.each<[string, Sending]>([
    ["without a signature", { headers: { "x-svc-signature": undefined } }],
    ["with a signature that is none", { signature: "abc" }],
    ["with another key", { key: "x" }],
    ["of another type", { isPlainJson: false }],
    ["that are too large", { body: "x".repeat(MIB + 1) }],
  ])("are asked to wait: %s", async (_, sending) => {
    const admission = await over(receiver())
    expect(await admission.receive(request(sending))).toEqual({ kind: "too_many", waitMs: 60_000 })
  })

  it("are answered for what they are where they are the service's", async () => {
    const admission = await over(receiver())
    const old = request({ timestamp: NOW - 300_001 })
    expect(await admission.receive(old)).toEqual({ kind: "refused" })
    const slow = request({ reading: async () => ({ ok: false, reason: "too_slow" }) })
    expect(await admission.receive(slow)).toEqual({ kind: "too_slow" })
    expect(await admission.receive(request())).toMatchObject({ kind: "kept" })
  })
})

describe("room that there is not", () => {
  it("counts against nobody", async () => {
    const { admission } = receiver()
    const reading = async () => ({ ok: false, reason: "no_room" }) as const
    for (let times = 0; times < 9; times += 1) {
      expect(await admission.receive(request({ reading }))).toEqual({ kind: "try_again" })
    }
    expect(await admission.receive(request({ key: "x" }))).toEqual({ kind: "refused" })
  })
})

describe("a database that does not answer", () => {
  it("counts against nobody", async () => {
    const { admission, state } = receiver()
    const { keep } = state
    state.keep = async () => {
      throw new Error("no database")
    }
    for (let times = 0; times < 9; times += 1) {
      expect(await admission.receive(request())).toEqual({ kind: "try_again" })
    }
    state.keep = keep
    expect(await admission.receive(request({ key: "x" }))).toEqual({ kind: "refused" })
  })

  const forever = () => new Promise<never>(() => undefined)

  it("is given up in time, with 503, and nothing is held any more", async () => {
    const running = receiver()
    running.state.keep = forever
    expect(await running.admission.receive(request())).toEqual({ kind: "try_again" })
    expect(running.admission.heldBytes).toBe(0)
    expect(await reasons(running)).toEqual([["database", 1]])
    expect(running.state.said).toHaveLength(1)
  })

  it("is asked once more where it was this process that stood still, and not twice", async () => {
    const running = receiver()
    const { state } = running
    const { keep } = state
    state.keep = async () => {
      state.now += 6_000
      state.keep = keep
      return forever()
    }
    expect(await running.admission.receive(request())).toMatchObject({ kind: "kept" })
    expect(state.said).toEqual([])
    state.keep = async () => {
      state.now += 6_000
      return forever()
    }
    expect(await running.admission.receive(request())).toEqual({ kind: "try_again" })
  })

  it("is said once in ten seconds", async () => {
    const running = receiver()
    running.state.keep = async () => {
      // As a socket's error comes.
      throw Object.assign(new Error("statement - connect ECONNREFUSED"), { code: "ECONNREFUSED" })
    }
    await running.admission.receive(request())
    await running.admission.receive(request())
    expect(running.state.said).toEqual(["svc: deliveries cannot be taken: connect ECONNREFUSED"])
    running.state.now += 10_000
    await running.admission.receive(request())
    expect(running.state.said).toHaveLength(2)
  })

  it("takes its refusals later", async () => {
    const running = receiver()
    running.state.addRefusals = async () => {
      throw new Error("no database")
    }
    await running.admission.receive(request({ key: "x" }))
    await running.admission.writeNotes()
    running.state.addRefusals = async (counts) => {
      running.state.refused.push(...counts)
    }
    await running.admission.receive(request({ key: "x" }))
    expect(await reasons(running)).toEqual([["wrong_key", 2]])
    await running.admission.writeNotes()
    expect(running.state.refused).toHaveLength(1)
  })
})

describe("room for bodies", () => {
  /** What is there by now has been looked at. */
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const slow = (bytes: number, address: string) =>
    request({
      address,
      reading: ({ take, giveUp }) =>
        new Promise((resolve) => {
          const end = () => resolve({ ok: false, reason: "no_room" })
          if (!take(bytes)) end()
          giveUp.addEventListener("abort", end)
        }),
    })

  it("is taken from what is on its way for longest, and never from what is there", async () => {
    const running = receiver({ limits: { roomBytes: 100_000 } })
    const { admission, state } = running
    let release: () => void = () => undefined
    const kept = new Promise<void>((resolve) => (release = resolve))
    state.keep = async (delivery) => {
      await kept
      return { outcome: delivery.outcome, isNew: true, at: KEPT_AT }
    }
    const verified = admission.receive(request())
    await turn()
    const first = admission.receive(slow(20_000, "192.0.2.1"))
    const second = admission.receive(slow(20_000, "192.0.2.2"))
    const third = admission.receive(slow(20_000, "192.0.2.3"))
    expect(await first).toEqual({ kind: "try_again" })
    release()
    expect(await verified).toMatchObject({ kind: "kept" })
    const fourth = admission.receive(slow(40_000, "192.0.2.2"))
    expect(await second).toEqual({ kind: "try_again" })
    expect(await reasons(running)).toEqual([["no_room", 2]])
    void third
    void fourth
  })

  it("is refused at the door where everything in it is there already", async () => {
    const running = receiver({ limits: { roomBytes: 20_000 } })
    running.state.keep = () => new Promise(() => undefined)
    void running.admission.receive(request())
    await turn()
    expect(running.admission.heldBytes).toBeGreaterThan(16_000)
    const reading = jest.fn()
    expect(await running.admission.receive(request({ reading }))).toEqual({ kind: "try_again" })
    expect(reading).not.toHaveBeenCalled()
    expect(await reasons(running)).toEqual([["no_room", 1]])
  })
})

describe("what is noted of a request that is refused", () => {
  const noted = async (sending: Sending) => {
    const running = receiver()
    await running.admission.receive(request(sending))
    await running.admission.writeNotes()
    return running.state.refused[0]?.sample
  }

  it("is who sent it, when and what, and how far its time was off", async () => {
    const sample = await noted({
      key: "another",
      body: "12345",
      timestamp: NOW - 7,
      address: "2001:db8::1",
      headers: { "user-agent": "u".repeat(101), "content-type": "t".repeat(101) },
    })
    expect(sample).toEqual({
      address: "2001:db8:0:0::/64",
      user_agent: "u".repeat(100),
      content_type: "t".repeat(100),
      bytes: 5,
      off_ms: 7,
    })
  })

  it("is nothing where nothing was said", async () => {
    const sample = await noted({
      headers: {
        "x-svc-signature": undefined,
        "x-svc-timestamp": undefined,
        "content-type": undefined,
      },
    })
    expect(sample).toMatchObject({
      user_agent: null,
      content_type: null,
      bytes: null,
      off_ms: null,
    })
  })

  it.each([
    ["12", 12],
    ["1".repeat(15), Number("1".repeat(15))],
    ["1".repeat(16), null],
    ["x12", null],
    ["12x", null],
    ["", null],
  ])("is the length that was announced, where it is one: %s", async (length, bytes) => {
    const sample = await noted({
      headers: { "x-svc-signature": undefined, "content-length": length },
    })
    expect(sample?.bytes).toBe(bytes)
  })

  it.each([
    [String(NOW - 12), 12],
    ["1".repeat(16), null],
    ["x12", null],
    ["12x", null],
    ["", null],
  ])("is how far its time was off, where it is one: %s", async (timestamp, off) => {
    const sample = await noted({ timestamp, signature: "none" })
    expect(sample?.off_ms).toBe(off)
  })

  it("is not what strangers call a connection or themselves, which may be of any length", async () => {
    const running = receiver()
    for (const odd of ["x".repeat(15_000), "y".repeat(15_000)]) {
      await running.admission.receive(request({ key: "x", connectionId: odd, address: odd }))
    }
    await running.admission.writeNotes()
    expect(running.state.refused.map(({ connectionId }) => connectionId)).toEqual(["odd"])
    expect(running.state.refused[0]).toMatchObject({ count: 2, sample: { address: "odd" } })
  })

  it("is written within a second or so, once for all", async () => {
    const { admission, state } = receiver()
    const written: number[] = []
    state.addRefusals = async (counts) => {
      written.push(counts.length)
    }
    await admission.writeNotes()
    await admission.receive(request({ key: "x" }))
    await admission.receive(request({ signature: "none" }))
    expect(written).toEqual([])
    await new Promise((resolve) => setTimeout(resolve, 1_300))
    expect(written).toEqual([2])
    await admission.receive(request({ key: "x" }))
    await new Promise((resolve) => setTimeout(resolve, 1_300))
    expect(written).toEqual([2, 1])
  })
})

describe("which page a delivery is of", () => {
  const of = (pageUid: string) =>
    request({
      body: { ...envelope("live_event.created", liveEvent("e1"), { pageUid }), deliveryAt: NOW },
    })

  it("is asked of the row once more before it is refused: a page can be corrected as a key can", async () => {
    const running = receiver({ keys: known({ pageUid: "mistyped" }) })
    const { admission, state } = running
    expect(await admission.receive(of(PAGE))).toEqual({ kind: "refused" })
    state.row = known()
    const reads = state.reads
    expect(await admission.receive(of(PAGE))).toMatchObject({ kind: "kept" })
    expect(state.reads).toBe(reads + 1)
    // Known from here on.
    expect(await admission.receive(of(PAGE))).toMatchObject({ kind: "kept" })
    expect(state.reads).toBe(reads + 1)
    expect(await reasons(running)).toEqual([["wrong_page", 1]])
    expect(state.said).toEqual([
      "svc: a signed delivery for c1 names another page and was refused.",
    ])
  })
})

describe("what a delivery is known by", () => {
  const keyOf = async (body: unknown, timestamp = NOW) => {
    const { admission, state } = receiver()
    await admission.receive(request({ body, timestamp }))
    return state.kept[0]?.dedupKey
  }
  const change = {
    version: "v1",
    topic: "live_event.created",
    occurredAt: 5,
    deliveryUid: "a",
    deliveryAt: NOW,
    metadata: { pageUid: PAGE, eventUid: "e" },
    data: { id: "1" },
  }

  it("stays the same in later versions, because rows of earlier ones are compared with", async () => {
    expect(await keyOf(change)).toBe(CHANGE_KEY)
    expect(await keyOf({ ...change, topic: "odd.topic" })).toBe(UNKNOWN_KEY)
    expect(await keyOf({ topic: "svc.test" })).toBe(TEST_KEY)
  })

  it("is not its attempt", async () => {
    for (const [topic, key] of [
      ["live_event.created", CHANGE_KEY],
      ["odd.topic", UNKNOWN_KEY],
    ]) {
      expect(await keyOf({ ...change, topic, deliveryUid: "b", deliveryAt: NOW + 9 })).toBe(key)
    }
    expect(await keyOf({ ...change, metadata: { ...change.metadata, subscriberUid: "s" } })).toBe(
      CHANGE_KEY,
    )
  })
})

describe("fuzzed requests", () => {
  const chars = fc.string({ unit: "binary", maxLength: 80 })
  const odd = fc.oneof(
    chars,
    fc.base64String({ minLength: 44, maxLength: 44 }),
    fc.constantFrom("", "0", "-1", "1e3", "0x10", " ", "\0", "NaN", String(NOW), String(2 ** 53)),
    fc.integer().map(String),
  )
  const good = envelope("live_event.created", liveEvent("e1"))
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .tuple(fc.constantFrom(...Object.keys(good), "metadata.pageUid"), fc.jsonValue())
      .map(([name, value]) =>
        Buffer.from(
          JSON.stringify(
            name === "metadata.pageUid"
              ? { ...good, metadata: { ...good.metadata, pageUid: value } }
              : { ...good, [name]: value },
          ),
        ),
      ),
    fc.jsonValue().map((data) => Buffer.from(JSON.stringify({ ...good, data }))),
    fc.constant(Buffer.from(JSON.stringify(good))),
  )

  it(`are taken only with a true signature that is fresh, and always answered (${FUZZED})`, async () => {
    const taken = { verified: 0, others: 0 }
    await fc.assert(
      fc.asyncProperty(
        body,
        fc.record({
          signed: fc.boolean(),
          timestamp: fc.oneof(fc.constant(String(NOW)), odd),
          signature: fc.option(odd),
          other: fc.dictionary(
            fc.constantFrom("x-svc-topic", "x-svc-page-uid", "content-length"),
            odd,
          ),
          flip: fc.option(fc.nat()),
        }),
        async (bytes, { signed, timestamp, signature, other, flip }) => {
          const running = receiver({ limits: { failures: 9 } })
          const { "content-length": length, ...hints } = other
          const given = signed ? sign(KEY, timestamp, bytes) : (signature ?? undefined)
          const sent = Buffer.from(bytes)
          const changed = flip !== null && sent.length > 0
          if (changed) {
            const at = flip % sent.length
            sent.writeUInt8(sent.readUInt8(at) ^ 1, at)
          }
          const answer = await running.admission.receive(
            request({
              body: sent,
              timestamp,
              signature: given ?? "",
              headers: { ...hints, ...(length === undefined ? {} : { "content-length": length }) },
            }),
          )
          const isTrue =
            given === sign(KEY, timestamp, sent) &&
            /^\d+$/.test(timestamp) &&
            Math.abs(NOW - Number(timestamp)) <= 300_000
          const gotIn = running.state.kept.length > 0 || answer.kind === "not_an_envelope"
          if (gotIn) taken.verified += 1
          else taken.others += 1
          expect(["try_again", "gone"]).not.toContain(answer.kind)
          if (gotIn) expect(isTrue).toBe(true)
        },
      ),
      { ...runs(FUZZED), interruptAfterTimeLimit: 600_000 },
    )
    // Neither answer is the only one that was seen.
    expect(taken.verified).toBeGreaterThan(FUZZED / 50)
    expect(taken.others).toBeGreaterThan(FUZZED / 50)
  }, 700_000)
})
