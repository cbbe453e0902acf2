import { readReportSettings, reportSettings } from "../report-settings"

describe("the report settings of a connection's row", () => {
  it("are none where nothing is said", () => {
    for (const nothing of [null, undefined, {}]) {
      expect(readReportSettings(nothing)).toEqual({ settings: {}, unreadable: null })
    }
  })

  it("keep what they say beside a key of another version", () => {
    const said = { report_on: "payment_captured", needs_consent: true }
    expect(readReportSettings({ ...said, exclude_emails: ["*"] })).toEqual({
      settings: said,
      unreadable: null,
    })
  })

  it.each<[string, unknown]>([
    ["needs_consent", "yes"],
    ["needs_consent", null],
    ["report_on", "shipped"],
  ])("name the one that cannot be read, and keep the other: %s %j", (name, value) => {
    const said = { report_on: "payment_captured", needs_consent: true, [name]: value }
    const { settings, unreadable } = readReportSettings(said)
    expect(unreadable).toBe(`report_settings.${name}`)
    expect(settings).toEqual({ ...said, [name]: undefined })
  })

  it.each(["yes", 5, [], true])("that are no settings at all are named: %j", (stored) => {
    expect(readReportSettings(stored).unreadable).toBe("report_settings")
  })

  it("are refused where they are none", () => {
    expect(reportSettings.safeParse({ report_on: "never" }).success).toBe(false)
  })
})
