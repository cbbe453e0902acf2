/** What gets in and what does not, decided with keys and an inbox in memory. */
import fc from "fast-check"
import { envelope, liveEvent, sign } from "../../../../../integration-tests/setup/deliveries"
import { runs } from "../../../../../integration-tests/setup/generated"
import { Admission, type AdmissionLimits, type IncomingRequest, PROBE_TOPIC } from "../admission"
import type { Kept, NewDelivery } from "../delivery-writer"
import type { RefusalCount } from "../refusal-log"
import type { KnownKeys } from "../verification-keys"

const FUZZED = Number(process.env.SVC_FUZZED ?? 3_000)

const NOW = 1_800_000_000_000
const KEY = "the key"
const PAGE = "demo-page"
const known = (changes: Partial<KnownKeys> = {}): KnownKeys => ({
  connectionId: "c1",
  pageUid: PAGE,
  webhookId: "w1",
  version: 1,
  keys: [{ key: KEY, candidate: null, fingerprint: "print" }],
  unreadable: false,
  rotating: false,
  ...changes,
})
const MIB = 1024 * 1024
const LIMITS: AdmissionLimits = {
  budget: { total: 4 * MIB, perAddress: 2 * MIB, perRequest: 1024 },
  failures: { perAddress: 3, perConnection: 5 },
  maxBytes: MIB,
  toleranceMs: 300_000,
  readTimeoutMs: 1_000,
  keepTimeoutMs: 200,
}

function receiver(changes: { keys?: KnownKeys | null; limits?: Partial<AdmissionLimits> } = {}) {
  const state = {
    now: NOW,
    /** The row; what is in memory is `cached`. */
    row: changes.keys === undefined ? known() : changes.keys,
    cached: undefined as KnownKeys | undefined,
    reads: 0,
    readAt: Number.NEGATIVE_INFINITY,
    kept: [] as NewDelivery[],
    promoted: [] as string[],
    refused: [] as RefusalCount[],
    said: [] as string[],
    keep: async (delivery: NewDelivery): Promise<Kept> => {
      if (state.row?.version !== delivery.verifiedBy.version) return { kind: "keys_changed" }
      state.kept.push(delivery)
      return { kind: "kept", outcome: delivery.outcome, isNew: true }
    },
    read: async (): Promise<KnownKeys | null> => state.row,
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
        cached: () => state.cached,
        read: async () => {
          state.reads += 1
          const row = await state.read()
          state.readAt = state.now
          state.cached = row ?? undefined
          return row
        },
        forget: () => {
          state.cached = undefined
        },
        wasReadWithin: (_, ms, now) => now - state.readAt < ms,
      },
      writer: { keep: (delivery) => state.keep(delivery) },
      refusals: { add: (counts) => state.addRefusals(counts) },
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
  await admission.writeRefusals()
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
        verifiedBy: { pageUid: PAGE, version: 1, isCandidate: false, fingerprint: "print" },
        dedupKey: expect.stringMatching(/^[0-9a-f]+$/),
        topic: "live_event.created",
        eventUid: body.metadata.eventUid,
        deliveryUid: body.deliveryUid,
        occurredAt: NOW - 5,
        outcome: "received",
        reason: null,
        body: text,
        bodyHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        bytes: Buffer.byteLength(text),
        headers: {
          "content-type": "application/json",
          "x-svc-timestamp": String(NOW),
          "x-svc-signature": sign(KEY, NOW, text),
        },
        skewMs: 0,
      },
    ])
    expect(admission.heldBytes).toBe(0)
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
    ["no signature", { headers: { "x-svc-signature": undefined } }, "signature_missing"],
    ["no time", { headers: { "x-svc-timestamp": undefined } }, "signature_missing"],
    ["a signature that is none", { signature: "abc" }, "signature_malformed"],
    ["another key", { key: "another" }, "wrong_key"],
    ["an old time", { timestamp: NOW - 300_001 }, "too_old"],
    ["a time ahead", { timestamp: NOW + 300_001 }, "too_old"],
    [
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
    expect(await reasons(running)).toEqual([["wrong_key", 1]])
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
    const running = receiver({ limits: { failures: { perAddress: 99, perConnection: 99 } } })
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
    state.keep = async () => ({ kind: "kept", outcome: "applied", isNew: false })
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
})

describe("keys that change", () => {
  it("make a mismatch 503 while they may have changed without us", async () => {
    const running = receiver({ keys: known({ rotating: true }) })
    expect(await running.admission.receive(request({ key: "x" }))).toEqual({ kind: "try_again" })
    expect(await reasons(running)).toEqual([["rotating", 1]])
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
    expect(state.cached).toBeUndefined()
    expect(state.kept[1]?.verifiedBy).toMatchObject({ isCandidate: true, fingerprint: "new print" })
  })

  it("keep the delivery whose promotion fails", async () => {
    const { admission, state } = receiver({
      keys: known({ keys: [{ key: "new", candidate: "encrypted", fingerprint: "n" }] }),
    })
    state.promote = async () => {
      throw new Error("no database")
    }
    expect(await admission.receive(request({ key: "new" }))).toMatchObject({
      kind: "kept",
      promoted: false,
    })
    expect(state.said).toEqual([expect.stringContaining("no database")])
  })
})

describe("requests that were not verified", () => {
  it("are held back by address, then by connection, until the minute is over; verified ones never", async () => {
    const running = receiver()
    const { admission, state } = running
    const guess = (address: string) => admission.receive(request({ key: "x", address }))
    for (let times = 0; times < 3; times += 1) expect((await guess("a")).kind).toBe("refused")
    expect(await guess("a")).toEqual({ kind: "too_many", waitMs: 60_000 })
    expect((await guess("b")).kind).toBe("refused")
    // Five of the connection by now, from whatever address.
    expect((await guess("c")).kind).toBe("too_many")
    const reads = state.reads
    expect((await guess("d")).kind).toBe("too_many")
    expect(state.reads).toBe(reads)
    expect(await admission.receive(request({ address: "a" }))).toMatchObject({ kind: "kept" })
    expect(await reasons(running)).toEqual([
      ["wrong_key", 4],
      ["too_many", 3],
    ])
    state.now += 60_000
    expect((await guess("a")).kind).toBe("refused")
  })

  it("are looked at once a second over the limit: the key may have changed", async () => {
    const { admission, state } = receiver({
      limits: { failures: { perAddress: 1, perConnection: 9 } },
    })
    const guess = () => admission.receive(request({ key: "pasted" }))
    await guess()
    await guess()
    const reads = state.reads
    state.now += 1_001
    state.row = known({ version: 2, keys: [{ key: "pasted", candidate: null, fingerprint: "p" }] })
    // Signed a second ago by now.
    expect((await guess()).kind).toBe("kept")
    expect(state.reads).toBe(reads + 1)
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

describe("a database that does not answer", () => {
  const forever = () => new Promise<never>(() => undefined)

  it("is given up in time, with 503, and nothing is held any more", async () => {
    const running = receiver()
    running.state.keep = forever
    expect(await running.admission.receive(request())).toEqual({ kind: "try_again" })
    expect(running.admission.heldBytes).toBe(0)
    expect(await reasons(running)).toEqual([["database", 1]])
    expect(running.state.said).toHaveLength(1)
  })

  it("is said once in ten seconds", async () => {
    const running = receiver()
    running.state.keep = async () => {
      throw new Error("statement - connect ECONNREFUSED")
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
    await running.admission.writeRefusals()
    running.state.addRefusals = async (counts) => {
      running.state.refused.push(...counts)
    }
    await running.admission.receive(request({ key: "x" }))
    expect(await reasons(running)).toEqual([["wrong_key", 2]])
    await running.admission.writeRefusals()
    expect(running.state.refused).toHaveLength(1)
  })
})

describe("room for bodies", () => {
  it("gives way to others where there is no more, but never where it is verified", async () => {
    const running = receiver({
      limits: { budget: { total: 3_000, perAddress: 2_500, perRequest: 100 } },
    })
    const { admission, state } = running
    let release: () => void = () => undefined
    const kept = new Promise<void>((resolve) => (release = resolve))
    state.keep = async (delivery) => {
      await kept
      return { kind: "kept", outcome: delivery.outcome, isNew: true }
    }
    state.cached = known()
    const verified = admission.receive(request({ address: "svc" }))
    const slow = (address: string, bytes: number) =>
      admission.receive(
        request({
          address,
          reading: ({ take, giveUp }) =>
            new Promise((resolve) => {
              const end = () => resolve({ ok: false, reason: "no_room" })
              if (!take(bytes)) end()
              giveUp.addEventListener("abort", end)
            }),
        }),
      )
    const first = slow("a", 1_200)
    const second = slow("b", 1_000)
    // 512 or so are verified; the largest of the rest gives way.
    const third = slow("c", 600)
    expect(await first).toEqual({ kind: "try_again" })
    release()
    expect(await verified).toMatchObject({ kind: "kept" })
    const fourth = slow("b", 1_450)
    expect(await fourth).toEqual({ kind: "try_again" })
    expect(await reasons(running)).toEqual([["no_room", 2]])
    void second
    void third
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
          const running = receiver({ limits: { failures: { perAddress: 9, perConnection: 9 } } })
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
