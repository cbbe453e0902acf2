import { SvcError } from "../../../../client"
import { afterFailedReport } from "../after-report"

const verdictOn = (
  error: ConstructorParameters<typeof SvcError>[0],
  mayHaveTold: boolean,
  attempts = 1,
) => {
  const verdict = afterFailedReport({
    error: new SvcError(error),
    mayHaveTold,
    attempts,
    random: 0.5,
  })
  return verdict.kind === "reported" ? "reported" : [verdict.kind, verdict.reason.code]
}
const conflict = {
  code: "svc_rejected",
  failure: "dead",
  status: 409,
  message: "refused",
} as const

describe("a report that failed", () => {
  it("is a conflict for a person, unless an earlier call may have told the number", () => {
    expect(verdictOn(conflict, false)).toEqual(["failed", "order_conflict"])
    expect(verdictOn(conflict, true)).toBe("reported")
  })

  it("is tried again where the service may take it later, and given up where it never will", () => {
    const down = { code: "svc_unavailable", failure: "retry", status: 503, message: "" } as const
    expect(verdictOn(down, true)).toEqual(["retry", "svc_unavailable"])
    // Two days of it, say.
    expect(verdictOn(down, true, 500)).toEqual(["retry", "svc_unavailable"])
    const refused = { ...conflict, status: 422 }
    expect(verdictOn(refused, true)).toEqual(["failed", "svc_rejected"])
  })
})
