import { judgeReport, type OrderFacts, WAIT_DAYS } from "../judge-report"
import type { ReportSettings } from "../report-settings"

const PLACED_AT = new Date("2026-11-21T20:00:00Z")
const later = (minutes: number) => new Date(PLACED_AT.getTime() + minutes * 60_000)
const facts = (changes: Partial<OrderFacts> = {}): OrderFacts => ({
  placedAt: PLACED_AT,
  canceledAt: null,
  email: "karen@example.test",
  isTest: false,
  isAdmitted: false,
  hasConsent: false,
  payment: "authorised",
  ...changes,
})
const judge = (
  some: Partial<OrderFacts>,
  settings: ReportSettings = {},
  more: {
    forced?: boolean
    mayHaveTold?: boolean
    pageIsLeft?: boolean
    excludeEmails?: string[]
    unreadable?: string
    now?: Date
  } = {},
) => {
  const verdict = judgeReport({
    facts: facts(some),
    forced: false,
    mayHaveTold: false,
    pageIsLeft: false,
    settings,
    unreadable: null,
    excludeEmails: [],
    now: later(1),
    ...more,
  })
  return verdict.kind === "report" ? "report" : [verdict.kind, verdict.reason.code]
}

describe("whether an order is reported now", () => {
  it.each([
    ["an authorised payment", {}, {}, "report"],
    ["nothing to pay", { payment: "nothing_due" }, {}, "report"],
    ["to be paid later", { payment: "deferred" }, {}, ["wait", "payment_not_authorised"]],
    ["nobody paid", { payment: "unpaid" }, {}, ["wait", "payment_not_authorised"]],
    ["not captured", {}, { report_on: "payment_captured" }, ["wait", "payment_not_captured"]],
    ["captured", { payment: "captured" }, { report_on: "payment_captured" }, "report"],
    ["nothing to capture", { payment: "nothing_due" }, { report_on: "payment_captured" }, "report"],
    ["no consent", {}, { needs_consent: true }, ["wait", "consent_missing"]],
    ["consent", { hasConsent: true }, { needs_consent: true }, "report"],
    ["cancelled", { canceledAt: later(0) }, {}, ["exclude", "order_cancelled"]],
    ["a test", { isTest: true }, {}, ["exclude", "test_order"]],
    ["a test that a person counts", { isTest: true, isAdmitted: true }, {}, "report"],
  ] as const)("%s", (_name, some, settings, expected) => {
    expect(judge(some, settings)).toEqual(expected)
  })

  it("is told to no other page than its own, also where a person asks; a cancelled one is cancelled", () => {
    const pageIsLeft = true
    expect(judge({}, {}, { pageIsLeft })).toEqual(["exclude", "page_left"])
    expect(judge({}, {}, { pageIsLeft, forced: true })).toEqual(["exclude", "page_left"])
    const cancelled = { canceledAt: later(0) }
    expect(judge(cancelled, {}, { pageIsLeft })).toEqual(["exclude", "order_cancelled"])
  })

  it("waits where a setting cannot be read, whatever the others say", () => {
    const unreadable = "report_settings.needs_consent"
    expect(judge({ hasConsent: true }, {}, { unreadable })).toEqual(["wait", "setting_unreadable"])
    expect(judge({ isTest: true }, {}, { unreadable })).toEqual(["exclude", "test_order"])
    expect(judge({}, {}, { unreadable, forced: true })).toBe("report")
  })

  it("leaves out the addresses of staff, and no other", () => {
    const staff = { email: "Karen@Example.test" }
    expect(judge(staff, {}, { excludeEmails: ["*@example.test"] })).toEqual([
      "exclude",
      "email_excluded",
    ])
    const others = { excludeEmails: ["*@example.tes", "karen@example.testing", "."] }
    expect(judge({}, {}, others)).toBe("report")
  })

  it.each([
    ["karen*", true],
    ["*@example.*", true],
    ["k*n@*.test", true],
    ["karen@example.test*", true],
    ["karen", false],
    ["*karen@example.test.dk", false],
    ["kar*ren@example.test", false],
    ["*a*a*a*", false],
  ])("reads the pattern %s piece by piece", (pattern, isLeftOut) => {
    const verdict = judge({}, {}, { excludeEmails: [pattern] })
    expect(verdict !== "report").toBe(isLeftOut)
  })

  it("reads a pattern of many stars at once", () => {
    const email = `${"a".repeat(200)}@example.test`
    expect(judge({ email }, {}, { excludeEmails: [`${"*a".repeat(60)}*!`] })).toBe("report")
  })

  it("is settled for one that waited for a month", () => {
    const now = later(WAIT_DAYS * 24 * 60 + 1)
    expect(judge({ payment: "unpaid" }, {}, { now })).toEqual(["exclude", "waited_too_long"])
    expect(judge({}, {}, { now })).toBe("report")
  })

  it("says of an order that is cancelled, left out or waited too long that the service may have it, where a call has no known end", () => {
    const maybe = { mayHaveTold: true }
    expect(judge({ canceledAt: later(0) }, {}, maybe)).toEqual([
      "exclude",
      "order_cancelled_maybe_told",
    ])
    // A person can report these all the same.
    const leftOut = ["exclude", "left_out_maybe_told"]
    expect(judge({ isTest: true }, {}, maybe)).toEqual(leftOut)
    const now = later(WAIT_DAYS * 24 * 60 + 1)
    expect(judge({ payment: "unpaid" }, {}, { ...maybe, now })).toEqual(leftOut)
    expect(judge({}, {}, maybe)).toBe("report")
  })

  it("is a person's to say, except for an order that does not stand", () => {
    const forced = { forced: true }
    expect(judge({ payment: "unpaid", isTest: true }, { needs_consent: true }, forced)).toBe(
      "report",
    )
    expect(judge({ canceledAt: later(0) }, {}, forced)).toEqual(["exclude", "order_cancelled"])
    expect(judge({ canceledAt: later(0) }, {}, { ...forced, mayHaveTold: true })).toEqual([
      "exclude",
      "order_cancelled_maybe_told",
    ])
  })
})
