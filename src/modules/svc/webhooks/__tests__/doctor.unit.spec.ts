/** Findings of the doctor, from the evidence that leads to them; others: `integration-tests/http/webhooks/evidence.ts`. */
import type { Subscriber } from "../../../../contract"
import { reasonFor } from "../../shared/reason"
import { diagnose, type Evidence } from "../doctor"
import { DELIVERY_REFUSALS, isLoss, type RefusalReason } from "../reasons"

const NOW = 1_800_000_000_000
const URL = "https://shop.example.com/hooks/svc/c1"
const HOUR = 3_600_000
const ago = (ms: number) => new Date(NOW - ms)

const subscriber = (changes: Partial<Subscriber> = {}): Subscriber => ({
  webhookUid: "w1",
  name: "Shop",
  url: URL,
  topics: ["live_event.created", "live_event.updated"],
  state: "active",
  ...changes,
})
const well: Evidence = {
  now: NOW,
  url: URL,
  allowInsecure: false,
  isPrivate: false,
  pageUid: "page",
  maxBytes: 1_000,
  problems: [],
  webhook: {
    webhookUid: "w1",
    keyIsReadable: true,
    lastDeliveryAt: ago(HOUR),
    keyUpdatedAt: ago(72 * HOUR),
  },
  subscribers: [subscriber()],
  refusals: [],
  probes: { small: { kind: "accepted" }, large: { kind: "accepted", bytes: 900 } },
}
const webhook = (changes: Partial<NonNullable<Evidence["webhook"]>>) => ({
  webhookUid: "w1",
  keyIsReadable: true,
  lastDeliveryAt: ago(HOUR),
  keyUpdatedAt: ago(72 * HOUR),
  ...changes,
})
const refused = (reason: Evidence["refusals"][number]["reason"], ms = 60_000) => ({
  reason,
  count: 3,
  last_at: ago(ms),
  off_ms: null,
})
type Probe = NonNullable<Evidence["probes"]>["small"]
/** What the small and the large probe came to. */
const probed = (small: Probe, large = small): Partial<Evidence> => ({
  probes: { small, large: { ...large, bytes: 900 } },
})
const health = (severity: "critical" | "warning", code: Parameters<typeof reasonFor>[0]) => ({
  problems: [{ severity, reason: reasonFor(code) }],
})
const ACCEPTED = { kind: "accepted" } as const
const LOSSES = (Object.keys(DELIVERY_REFUSALS) as RefusalReason[]).filter(isLoss)

describe("the doctor for deliveries", () => {
  it("finds that all is well, and nothing else", () => {
    const [finding, ...more] = diagnose(well)
    expect(more).toEqual([])
    expect(finding).toMatchObject({
      code: "well",
      severity: "info",
      message: `Deliveries arrive and are verified; the last one at ${ago(HOUR).toISOString()}.`,
    })
  })

  it.each(
    Object.entries<[Partial<Evidence>, string[]]>({
      "no address, which health says too": [
        {
          url: null,
          probes: null,
          webhook: null,
          subscribers: [],
          ...health("warning", "backend_url_missing"),
        },
        ["backend_url_missing"],
      ],
      "what health says of the webhook": [
        health("critical", "webhook_disabled"),
        ["webhook_disabled"],
      ],
      "silence in a show, once": [
        {
          webhook: webhook({ lastDeliveryAt: null }),
          ...health("critical", "webhook_never_heard"),
        },
        ["webhook_never_heard"],
      ],
      "a name that does not resolve": [{ isPrivate: null }, ["well"]],
      "a private address that is meant": [{ isPrivate: true, allowInsecure: true }, ["well"]],
      "a key that cannot be read": [
        { webhook: webhook({ keyIsReadable: false }) },
        ["key_unreadable"],
      ],
      "a service that does not answer": [
        { subscribers: { problem: "no answer" } },
        ["service_unreachable", "well"],
      ],
      "one with our address that we do not know": [
        { subscribers: [subscriber({ webhookUid: "w9" })] },
        ["well"],
      ],
      "a second one with our address, left behind by whoever was killed while it registered": [
        { subscribers: [subscriber(), subscriber({ webhookUid: "w2" })] },
        ["other_subscribers", "well"],
      ],
      "a body that was changed": [probed({ kind: "not_verified" }), ["body_changed"]],
      "a store that is not ready": [probed({ kind: "not_ready" }), ["store_overloaded", "well"]],
      "a limit in front of us": [
        probed(ACCEPTED, { kind: "foreign", status: 413 }),
        ["body_limit", "well"],
      ],
      "a large body that does not get through": [
        probed(ACCEPTED, { kind: "unreachable", problem: "reset" }),
        ["body_limit", "well"],
      ],
      "no signatures": [{ refusals: [refused("signature_missing")] }, ["signature_stripped"]],
      "a wrong key": [{ refusals: [refused("wrong_key")] }, ["wrong_key"]],
      "another page": [{ refusals: [refused("wrong_page")] }, ["wrong_page"]],
      "a key that another process could not read": [
        { refusals: [refused("key_unreadable")] },
        ["key_unreadable"],
      ],
      "a key that no process can read, once": [
        {
          webhook: webhook({ keyIsReadable: false }),
          refusals: [refused("key_unreadable")],
        },
        ["key_unreadable"],
      ],
      "a key that the service did not tell": [
        {
          webhook: webhook({ keyIsReadable: null }),
          refusals: [refused("key_unreadable")],
          ...health("critical", "webhook_key_unknown"),
        },
        ["webhook_key_unknown"],
      ],
      "another type": [{ refusals: [refused("not_plain_json")] }, ["wrong_type", "well"]],
      "a limit that is too low, although it was long ago": [
        { refusals: [refused("too_large", 2 * HOUR)] },
        ["too_large", "well"],
      ],
      "no room": [{ refusals: [refused("no_room")] }, ["store_overloaded", "well"]],
      "slow bodies": [{ refusals: [refused("too_slow")] }, ["store_overloaded", "well"]],
      "what passes by itself": [{ refusals: [refused("rotating"), refused("too_many")] }, ["well"]],
      "what was a day ago": [{ refusals: [refused("wrong_key", 25 * HOUR)] }, ["well"]],
      "what was before the last good delivery": [
        { refusals: [refused("wrong_key", 2 * HOUR)] },
        ["well"],
      ],
      "what another key refused": [
        {
          webhook: webhook({ keyUpdatedAt: ago(HOUR), lastDeliveryAt: ago(3 * HOUR) }),
          refusals: [refused("wrong_key", 2 * HOUR)],
        },
        ["well"],
      ],
      "a clock that no other key mends": [
        {
          webhook: webhook({ keyUpdatedAt: ago(HOUR), lastDeliveryAt: ago(3 * HOUR) }),
          refusals: [refused("too_old", 2 * HOUR)],
        },
        ["clock"],
      ],
      "an overload that may come again": [
        { refusals: [refused("database", 2 * HOUR)] },
        ["store_overloaded", "well"],
      ],
      "silence for a day": [
        { webhook: webhook({ lastDeliveryAt: ago(24 * HOUR + 1) }) },
        ["silent"],
      ],
    }),
  )("finds %s", (_, [changes, expected]) => {
    const found = diagnose({ ...well, ...changes })
    expect(found.map(({ code }) => code)).toEqual(expected)
    // Every sentence has its values.
    for (const { message, fix } of found) expect(`${message} ${fix}`).not.toMatch(/\{\w+\}/)
  })

  it.each(LOSSES)("says what was refused where health calls it critical: %s", (reason) => {
    const [first] = diagnose({
      ...well,
      ...health("critical", "deliveries_refused"),
      refusals: [refused(reason)],
    })
    expect(first?.severity).toBe("critical")
  })

  it("says the worst first", () => {
    const severities = diagnose({
      ...well,
      isPrivate: true,
      problems: [{ severity: "warning", reason: reasonFor("webhook_warning") }],
      subscribers: [subscriber(), subscriber({ webhookUid: "w2", url: "x" })],
    }).map(({ severity }) => severity)
    expect(severities).toEqual(["critical", "warning", "info"])
  })

  it("adds up what is one finding, and tells the latest", () => {
    const [finding] = diagnose({
      ...well,
      refusals: [refused("signature_missing", 50_000), refused("signature_malformed", 10_000)],
    })
    expect(finding?.evidence).toEqual({
      count: 6,
      last_at: ago(10_000).toISOString(),
    })
  })

  it("gives bare values with its findings: the words are each language's own", () => {
    const evidence = [
      { webhook: webhook({ lastDeliveryAt: null }) },
      { webhook: webhook({ lastDeliveryAt: ago(25 * HOUR) }) },
      { refusals: [refused("wrong_key"), refused("too_large")] },
      { subscribers: [subscriber({}), subscriber({ webhookUid: "w2", url: "https://x" })] },
      {},
    ].flatMap((changes) => diagnose({ ...well, ...changes }).map((finding) => finding.evidence))
    const values = evidence.flatMap((params) => Object.values(params)).flat()
    expect(values.length).toBeGreaterThan(8)
    // Only the name that a subscriber bears at the service has a blank before its address.
    const texts = values.filter((value) => typeof value === "string" && / /.test(value))
    expect(texts).toEqual(["Shop (https://x)"])
  })
})
