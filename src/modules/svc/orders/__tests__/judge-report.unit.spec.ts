import { judgeReport, mayBeTaken, type OrderFacts, WAIT_DAYS } from "../judge-report"
import type { ReportSettings } from "../report-settings"

const PLACED_AT = new Date("2026-11-21T20:00:00Z")
const later = (minutes: number) => new Date(PLACED_AT.getTime() + minutes * 60_000)
const facts = (changes: Partial<OrderFacts> = {}): OrderFacts => ({
  orderId: "order",
  placedAt: PLACED_AT,
  canceledAt: null,
  email: "karen@example.test",
  salesChannelId: "sc_1",
  isDraft: false,
  isTest: false,
  hasConsent: false,
  payment: "authorised",
  ...changes,
})
const SETTINGS: ReportSettings = {
  reportOn: "order_placed",
  reportNeedsConsent: false,
  reportWithoutShowLines: true,
  excludeEmails: [],
  excludeSalesChannels: [],
  excludeDraftOrders: true,
  excludeTestOrders: true,
}
const judge = (
  some: Partial<OrderFacts> | null,
  settings: Partial<ReportSettings> = {},
  more: { forced?: boolean; hasShowLines?: boolean; now?: Date } = {},
) => {
  const verdict = judgeReport({
    facts: some && facts(some),
    hasShowLines: true,
    forced: false,
    settings: { ...SETTINGS, ...settings },
    now: later(1),
    ...more,
  })
  return verdict.kind === "report" ? "report" : [verdict.kind, verdict.reason.code]
}

describe("whether an order is reported now", () => {
  it.each([
    ["an authorised payment", {}, {}, "report"],
    ["nothing to pay", { payment: "nothing_due" }, {}, "report"],
    ["nobody paid", { payment: "unpaid" }, {}, ["wait", "payment_not_authorised"]],
    ["not captured", {}, { reportOn: "payment_captured" }, ["wait", "payment_not_captured"]],
    ["captured", { payment: "captured" }, { reportOn: "payment_captured" }, "report"],
    ["nothing to capture", { payment: "nothing_due" }, { reportOn: "payment_captured" }, "report"],
    ["no consent", {}, { reportNeedsConsent: true }, ["wait", "consent_missing"]],
    ["consent", { hasConsent: true }, { reportNeedsConsent: true }, "report"],
    ["cancelled", { canceledAt: later(0) }, {}, ["exclude", "order_cancelled"]],
    ["a draft", { isDraft: true }, {}, ["exclude", "draft_order"]],
    ["a draft that counts", { isDraft: true }, { excludeDraftOrders: false }, "report"],
    ["a test", { isTest: true }, {}, ["exclude", "test_order"]],
    [
      "staff",
      { email: "Karen@Example.test" },
      { excludeEmails: ["*@example.test"] },
      ["exclude", "email_excluded"],
    ],
    ["no staff", {}, { excludeEmails: ["*@example.tes", "karen@example.testing", "."] }, "report"],
    ["a channel", {}, { excludeSalesChannels: ["sc_1"] }, ["exclude", "sales_channel_excluded"]],
  ] as const)("%s", (_name, some, settings, expected) => {
    expect(judge(some, settings as Partial<ReportSettings>)).toEqual(expected)
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
    const verdict = judge({}, { excludeEmails: [pattern] })
    expect(verdict !== "report").toBe(isLeftOut)
  })

  it("reads a pattern of many stars at once", () => {
    const email = `${"a".repeat(200)}@example.test`
    expect(judge({ email }, { excludeEmails: [`${"*a".repeat(60)}*!`] })).toBe("report")
  })

  it("is settled for an order that is gone, and for one that waited for a month", () => {
    expect(judge(null)).toEqual(["exclude", "order_deleted"])
    const now = later(WAIT_DAYS * 24 * 60 + 1)
    expect(judge({ payment: "unpaid" }, {}, { now })).toEqual(["exclude", "waited_too_long"])
    expect(judge({}, {}, { now })).toBe("report")
  })

  it("asks for a show's lines only where the settings do", () => {
    const none = { hasShowLines: false }
    expect(judge({}, {}, none)).toBe("report")
    expect(judge({}, { reportWithoutShowLines: false }, none)).toEqual(["exclude", "no_show_lines"])
  })

  it("is a person's to say, except for an order that does not stand", () => {
    const forced = { forced: true }
    expect(judge({ payment: "unpaid", isTest: true }, { reportNeedsConsent: true }, forced)).toBe(
      "report",
    )
    expect(judge({ canceledAt: later(0) }, {}, forced)).toEqual(["exclude", "order_cancelled"])
  })
})

describe("whether an order is written down", () => {
  it("at once where nothing is owed or the payment stands, else after ten minutes", () => {
    for (const payment of ["nothing_due", "authorised", "captured"] as const) {
      expect(mayBeTaken(facts({ payment }), later(0))).toBe(true)
    }
    expect(mayBeTaken(facts({ payment: "unpaid" }), later(9.9))).toBe(false)
    expect(mayBeTaken(facts({ payment: "unpaid" }), later(10))).toBe(true)
  })
})
