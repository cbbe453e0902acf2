import fc from "fast-check"
import { runs } from "../../../../../integration-tests/setup/generated"
import { SvcError } from "../../../../client"
import { admit, afterFailedCall, type Breaker, CLOSED } from "../breaker"

const MINUTE = 60_000

const error = (changes: Partial<ConstructorParameters<typeof SvcError>[0]> = {}) =>
  new SvcError({
    code: "svc_unavailable",
    failure: "retry",
    message: "It answered 503.",
    ...changes,
  })
const refusedToken = error({ code: "svc_unauthorized", failure: "broken" })
const refusedRequest = error({ code: "svc_rejected", failure: "dead" })
const rateLimited = error({ code: "svc_rate_limited", retryAfterMs: 1_000 })

describe("the breaker", () => {
  const NOW = Date.UTC(2026, 10, 20)
  const failing = (times: number, cause = error()): Breaker => {
    let breaker = CLOSED
    for (let i = 0; i < times; i++) breaker = afterFailedCall(breaker, cause, NOW)
    return breaker
  }

  it("lets calls through until five in a row have failed, then holds back for 30 s", () => {
    for (let times = 0; times < 5; times++) expect(admit(failing(times), NOW)).toBe("call")
    expect(admit(failing(5), NOW)).toEqual({ waitMs: 30_000 })
    expect(admit(failing(5), NOW + 29_999)).toEqual({ waitMs: 1 })
  })

  it("then lets one probe through; a failed one opens it again at once", () => {
    const open = failing(5)
    expect(admit(open, NOW + 30_000)).toBe("probe")
    const again = afterFailedCall(open, error(), NOW + 31_000)
    expect(admit(again, NOW + 60_999)).toEqual({ waitMs: 1 })
    expect(admit(again, NOW + 61_000)).toBe("probe")
  })

  it("is closed by an answer, even one that refuses the request: the service is well", () => {
    for (const answer of [refusedRequest, rateLimited]) {
      expect(afterFailedCall(failing(4), answer, NOW)).toEqual(CLOSED)
      expect(afterFailedCall(failing(9), answer, NOW)).toEqual(CLOSED)
    }
  })

  it("opens at the first refused token, and asks again within a minute", () => {
    const open = afterFailedCall(CLOSED, refusedToken, NOW)
    expect(admit(open, NOW)).toEqual({ waitMs: 45_000 })
    expect(admit(open, NOW + 45_000)).toBe("probe")
  })

  it("whatever happens: it waits a positive time, and no more than a minute", () => {
    const cause = fc.oneof(
      { weight: 3, arbitrary: fc.constant(error()) },
      { weight: 4, arbitrary: fc.constantFrom(refusedToken, refusedRequest, rateLimited, null) },
    )
    const calls = fc.array(fc.record({ pauseMs: fc.nat({ max: 40_000 }), cause }), {
      minLength: 50,
      maxLength: 200,
    })
    let held = 0
    fc.assert(
      fc.property(calls, (all) => {
        let breaker = CLOSED
        let now = NOW
        for (const { pauseMs, cause } of all) {
          now += pauseMs
          const verdict = admit(breaker, now)
          if (typeof verdict !== "object") {
            breaker = cause ? afterFailedCall(breaker, cause, now) : CLOSED
            continue
          }
          held += 1
          expect(verdict.waitMs).toBeGreaterThan(0)
          expect(verdict.waitMs).toBeLessThanOrEqual(MINUTE)
          expect(breaker.failures).toBeGreaterThanOrEqual(5)
        }
      }),
      runs(300),
    )
    expect(held).toBeGreaterThan(1_000)
  })
})
