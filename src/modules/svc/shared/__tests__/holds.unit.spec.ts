import { errorForStatus, SvcError } from "../../../../client"
import { holdMs } from "../holds"

const answered = (status: number, retryAfterMs: number | null = null) =>
  errorForStatus(status, { what: "report an order", excerpt: null, retryAfterMs })
const silent = new SvcError({ code: "svc_timeout", failure: "retry", message: "It is silent." })
const times = [1, 2, 3, 4, 5, 6, 7, 20]

describe("for how long an endpoint is left alone after a failed call", () => {
  it("is not at all until five in a row have failed, then 30 s each", () => {
    for (const error of [silent, answered(503), answered(302)]) {
      expect(times.map((failures) => holdMs(error, failures))).toEqual([
        ...[null, null, null, null],
        ...[30_000, 30_000, 30_000, 30_000],
      ])
    }
  })

  it("is as long as the service asks, however few have failed, and an hour at most", () => {
    expect(holdMs(answered(503, 90_000), 1)).toBe(90_000)
    expect(holdMs(answered(429, 2_000), 9)).toBe(2_000)
    expect(holdMs(answered(403, 3_600_000), 1)).toBe(3_600_000)
    expect(holdMs(answered(503, 1_000), 5)).toBe(30_000)
  })

  it("grows where the service says no more than that it is too much", () => {
    expect(times.map((failures) => holdMs(answered(429), failures))).toEqual([
      ...[1_000, 2_000, 4_000, 8_000, 16_000, 32_000],
      ...[45_000, 45_000],
    ])
  })

  it("grows up to a quarter of an hour where the endpoint is not open to us", () => {
    for (const status of [402, 403, 404, 405, 406, 410, 415, 451]) {
      expect(times.map((failures) => holdMs(answered(status), failures))).toEqual([
        ...[30_000, 60_000, 120_000, 240_000, 480_000],
        ...[900_000, 900_000, 900_000],
      ])
    }
  })

  it("is the same for a refused token, and nothing for what is wrong with one thing", () => {
    for (const failures of times) {
      expect(holdMs(answered(401), failures)).toBe(45_000)
      for (const status of [400, 409, 413, 422]) {
        expect(holdMs(answered(status), failures)).toBeNull()
      }
    }
  })
})
