/**
 * What gets in and what does not, with keys and an inbox in memory: what takes a hanging database, a full memory or a race
 * to see. What each kind of request is answered: `integration-tests/http/webhooks/receiving.ts`, `evidence.ts`, `keys.ts`.
 */
import crypto from "node:crypto"
import fc from "fast-check"
import { envelope, liveEvent, sign } from "../../../../../integration-tests/setup/deliveries"
import { runs } from "../../../../../integration-tests/setup/generated"
import {
  Admission,
  type AdmissionLimits,
  type Admitted,
  type IncomingRequest,
  PROBE_TOPIC,
} from "../admission"
import type { Kept, NewDelivery } from "../delivery-writer"
import { DELIVERY_REFUSALS, type RefusalReason } from "../reasons"
import type { RefusalCount } from "../receiver-notes"
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
  subscriberUid: null,
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
    /** The row; what was read of it last is in memory. */
    row: changes.keys === undefined ? known() : changes.keys,
    memory: null as { keys: KnownKeys | null; readAt: number } | null,
    reads: 0,
    kept: [] as NewDelivery[],
    refused: [] as RefusalCount[],
    said: [] as string[],
    keep: async (delivery: NewDelivery): Promise<Kept | null> => {
      if (state.row?.version !== delivery.key_version) return null
      state.kept.push(delivery)
      return { outcome: delivery.outcome, isNew: true, at: new Date(NOW) }
    },
    promote: async (): Promise<void> => undefined,
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
        refused: async (counts) => void state.refused.push(...counts),
        heard: async () => undefined,
      },
      promote: () => state.promote(),
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

/** How a request is answered that is refused for a reason. */
const refusal = (reason: RefusalReason, more: { waitMs?: number } = {}) => ({
  kind: "refused",
  reason,
  status: DELIVERY_REFUSALS[reason].status,
  ...more,
})
/** In one word. */
const wordOf = (admitted: Admitted) =>
  admitted.kind === "refused" ? admitted.reason : admitted.kind

const reasons = async ({ admission, state }: ReturnType<typeof receiver>) => {
  await admission.writeNotes()
  return state.refused.map(({ reason, count }) => [reason, count])
}

describe("a request at the receiver", () => {
  it("costs no look at the database but the insert, once its keys are known", async () => {
    const { admission, state } = receiver()
    for (let times = 0; times < 3; times += 1) await admission.receive(request())
    expect([state.reads, state.kept.length]).toEqual([1, 3])
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
        status: 400,
        problem: expect.stringMatching(/\.$/),
      })
    }
    expect(await reasons(running)).toEqual([["not_an_envelope", 5]])
    expect(running.state.said).toHaveLength(5)
    for (const said of running.state.said) {
      expect(said).toMatch(/^svc: a signed delivery for c1 was refused: The body .+\.$/)
    }
  })

  it("tells tests that were fired at different times apart, and repeats of one not", async () => {
    const { admission, state } = receiver()
    const body = { topic: "svc.test" }
    await admission.receive(request({ body }))
    await admission.receive(request({ body }))
    await admission.receive(request({ body, timestamp: NOW + 1 }))
    expect(new Set(state.kept.map(({ dedup_key }) => dedup_key)).size).toBe(2)
  })

  it("of the doctor is verified and kept nowhere", async () => {
    const { admission, state } = receiver()
    const body = { version: "v1", topic: PROBE_TOPIC, metadata: { pageUid: PAGE }, data: {} }
    expect(await admission.receive(request({ body }))).toEqual({ kind: "probe" })
    expect(await admission.receive(request({ body, key: "x" }))).toEqual(refusal("wrong_key"))
    expect(state.kept).toEqual([])
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
  it("are asked for again where they change twice while a delivery is verified: 503, not 401", async () => {
    const running = receiver()
    running.state.keep = async () => null
    expect(await running.admission.receive(request())).toEqual(refusal("rotating"))
    expect(await reasons(running)).toEqual([["rotating", 1]])
  })

  it("keep the delivery whose promotion fails, or waits for somebody who has the row", async () => {
    const { admission, state } = receiver({
      keys: known({ keys: [{ key: "new", candidate: "encrypted", fingerprint: "n" }] }),
    })
    state.promote = async () => {
      throw new Error("update svc_webhook set signature_key = 'encrypted' - no connection")
    }
    expect(wordOf(await admission.receive(request({ key: "new" })))).toBe("kept")
    expect(state.said).toEqual([expect.stringContaining("no connection")])
    expect(state.said).toEqual([expect.not.stringContaining("encrypted")])
    state.promote = () => new Promise(() => undefined)
    expect(wordOf(await admission.receive(request({ key: "new" })))).toBe("kept")
  })
})

describe("requests that were not verified", () => {
  it("are looked at over the limit, too: the key may have changed just now", async () => {
    const { admission, state } = receiver({ limits: { failures: 1 } })
    const guess = () => admission.receive(request({ key: "pasted" }))
    await guess()
    expect(wordOf(await guess())).toBe("too_many")
    state.row = known({ version: 2, keys: [{ key: "pasted", candidate: null, fingerprint: "p" }] })
    expect(wordOf(await guess())).toBe("kept")
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
    ["that are too slow", { reading: async () => ({ ok: false, reason: "too_slow" }) }],
  ])("are asked to wait: %s", async (_, sending) => {
    const admission = await over(receiver())
    const waiting = refusal("too_many", { waitMs: 60_000 })
    expect(await admission.receive(request(sending))).toEqual(waiting)
  })

  it("are answered for what they are where they are the service's", async () => {
    const admission = await over(receiver())
    const old = request({ timestamp: NOW - 300_001 })
    expect(await admission.receive(old)).toEqual(refusal("too_old"))
    expect(await admission.receive(request({ body: "{}" }))).toMatchObject({ status: 400 })
    expect(await admission.receive(request())).toMatchObject({ kind: "kept" })
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
      expect(await admission.receive(request())).toEqual(refusal("database"))
    }
    state.keep = keep
    expect(await admission.receive(request({ key: "x" }))).toEqual(refusal("wrong_key"))
  })

  const forever = () => new Promise<never>(() => undefined)

  it("is given up in time, with 503, and nothing is held any more", async () => {
    const running = receiver()
    running.state.keep = forever
    expect(await running.admission.receive(request())).toEqual(refusal("database"))
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
    expect(await running.admission.receive(request())).toEqual(refusal("database"))
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
})

describe("room for bodies", () => {
  /** What is there by now has been looked at. */
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  it("is refused at the door where everything in it is there already", async () => {
    const running = receiver({ limits: { roomBytes: 20_000 } })
    running.state.keep = () => new Promise(() => undefined)
    void running.admission.receive(request())
    await turn()
    expect(running.admission.heldBytes).toBeGreaterThan(16_000)
    const reading = jest.fn()
    expect(await running.admission.receive(request({ reading }))).toEqual(refusal("no_room"))
    expect(reading).not.toHaveBeenCalled()
    expect(await reasons(running)).toEqual([["no_room", 1]])
  })
})

describe("what is noted of a request that is refused", () => {
  it.each<[string, Sending, number | null]>([
    ["its time, of what is too old", { timestamp: NOW - 300_007 }, 300_007],
    ["nothing else", { timestamp: NOW - 7, key: "another" }, null],
  ])("is how far its time was off, where that is why: %s", async (_, sending, offMs) => {
    const running = receiver()
    await running.admission.receive(request(sending))
    await running.admission.writeNotes()
    expect(running.state.refused).toMatchObject([{ offMs }])
  })

  it.each([
    ["the webhook's id", "sub-1", "wrong_key"],
    ["the id that deliveries name, which may be another", "sub-9", "wrong_key"],
    ["an id of nobody", "sub-2", "stranger"],
  ])("is whether it names us: by %s", async (_, subscriberUid, noted) => {
    const running = receiver({ keys: known({ subscriberUid: "sub-9" }) })
    const headers = { "x-svc-page-uid": PAGE, "x-svc-subscriber-uid": subscriberUid }
    await running.admission.receive(request({ key: "another", headers }))
    await running.admission.writeNotes()
    expect(await reasons(running)).toEqual([[noted, 1]])
  })

  it("is not what strangers call a connection or themselves, which may be of any length", async () => {
    const running = receiver()
    for (const odd of ["x".repeat(15_000), "y".repeat(15_000)]) {
      await running.admission.receive(request({ key: "x", connectionId: odd, address: odd }))
    }
    await running.admission.writeNotes()
    expect(running.state.refused.map(({ connectionId }) => connectionId)).toEqual(["odd"])
    expect(running.state.refused[0]).toMatchObject({ count: 2 })
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
    expect(await admission.receive(of(PAGE))).toEqual(refusal("wrong_page"))
    state.row = known()
    const reads = state.reads
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
    return state.kept[0]?.dedup_key
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
          const word = wordOf(answer)
          const gotIn = running.state.kept.length > 0 || word === "not_an_envelope"
          if (gotIn) taken.verified += 1
          else taken.others += 1
          expect(["database", "no_room", "gone"]).not.toContain(word)
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
