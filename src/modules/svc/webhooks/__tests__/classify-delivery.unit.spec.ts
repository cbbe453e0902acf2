/** What a verified delivery is kept as. */
import { readDelivery } from "../../../../contract"
import { classifyDelivery } from "../classify-delivery"

const SENT = 1_800_000_000_000

const classified = (body: Record<string, unknown>, sentAt = SENT) => {
  const reading = readDelivery({ version: "v1", data: {}, ...body })
  if (reading.kind === "invalid") throw new Error(reading.problem)
  return classifyDelivery(reading, sentAt)
}
const CHANGE = { topic: "live_event.created", occurredAt: SENT }

describe("a verified delivery", () => {
  it("is received where it can be put in order", () => {
    expect(classified(CHANGE)).toEqual({ outcome: "received", reason: null })
    expect(classified({ ...CHANGE, occurredAt: SENT - 86_400_000 })).toEqual({
      outcome: "received",
      reason: null,
    })
  })

  it("is a test", () => {
    expect(classified({ topic: "svc.test" })).toEqual({ outcome: "test", reason: null })
  })

  it("is unknown by its topic or its version, and says which, cut to what a person reads", () => {
    expect(classified({ topic: "live_event.moved" })).toEqual({
      outcome: "unknown",
      reason: expect.objectContaining({
        code: "unknown_topic",
        message: expect.stringContaining("live_event.moved"),
      }),
    })
    expect(classified({ ...CHANGE, version: "v2" })).toEqual({
      outcome: "unknown",
      reason: expect.objectContaining({
        code: "unknown_version",
        message: expect.stringContaining("v2"),
      }),
    })
    const long = classified({ topic: `${"x".repeat(100)}yyy` }).reason?.message ?? ""
    expect(long).toContain("x".repeat(100))
    expect(long).not.toContain("y".repeat(3))
    // Half of a character would not be stored.
    const cut = classified({ topic: `${"x".repeat(99)}\ud83d\ude00` }).reason?.message ?? ""
    expect(cut).not.toMatch(/[\ud800-\udfff]/)
  })

  it("is quarantined without a time", () => {
    expect(classified({ ...CHANGE, occurredAt: undefined })).toEqual({
      outcome: "quarantined",
      reason: expect.objectContaining({ code: "no_time" }),
    })
  })

  it("is quarantined from five minutes after it was sent on, which it names", () => {
    expect(classified({ ...CHANGE, occurredAt: SENT + 300_000 }).outcome).toBe("received")
    expect(classified({ ...CHANGE, occurredAt: SENT + 300_001 })).toEqual({
      outcome: "quarantined",
      reason: expect.objectContaining({
        code: "from_the_future",
        message: expect.stringContaining(new Date(SENT + 300_001).toISOString()),
      }),
    })
  })
})
