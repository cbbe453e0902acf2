import fc from "fast-check"
import { runs } from "../../../../../integration-tests/setup/generated"
import { SvcError } from "../../../../client"
import { backoffMs, retryInMs } from "../backoff"
import { reasonOf } from "../reason"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const error = (changes: Partial<ConstructorParameters<typeof SvcError>[0]> = {}) =>
  new SvcError({
    code: "svc_unavailable",
    failure: "retry",
    message: "It answered 503.",
    ...changes,
  })
const refusedToken = error({ code: "svc_unauthorized", failure: "broken" })
const closedEndpoint = error({ code: "svc_forbidden", failure: "endpoint" })

/** What `Math.random` gives. */
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

describe("the wait before another attempt", () => {
  it("is anything up to a bound that doubles from 2 s to 15 min", () => {
    const bounds = [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900].map((seconds) => seconds * 1000)
    for (const [index, bound] of bounds.entries()) {
      expect(backoffMs(index + 1, 0)).toBe(0)
      expect(backoffMs(index + 1, 0.5)).toBe(bound / 2)
      expect(backoffMs(index + 1, 1 - Number.EPSILON)).toBe(bound - 1)
    }
  })

  it("stays a whole number of milliseconds within 15 min, after however many attempts", () => {
    fc.assert(
      fc.property(fc.nat({ max: 10 ** 9 }), fraction, (attempts, random) => {
        const wait = backoffMs(attempts, random)
        expect(Number.isInteger(wait) && wait >= 0 && wait <= 15 * MINUTE).toBe(true)
      }),
      runs(5_000),
    )
  })

  it("is never shorter than the service asks for", () => {
    expect(retryInMs(error({ retryAfterMs: HOUR }), 1, 0.5)).toBe(HOUR)
    expect(retryInMs(error({ retryAfterMs: 1 }), 5, 0.5)).toBe(16_000)
    expect(retryInMs(error({ retryAfterMs: 0 }), 1, 0)).toBe(0)
  })
})

describe("what becomes of work that failed (gap 53)", () => {
  it("waits a minute at least where the token is refused, however often it was tried", () => {
    for (const attempts of [1, 500]) {
      expect(retryInMs(refusedToken, attempts, 0.5)).toBe(MINUTE)
      expect(reasonOf(refusedToken).fix).toMatch(/API token/)
    }
  })

  it("lets others go first where the endpoint does not take it, more and more often", () => {
    expect(retryInMs(closedEndpoint, 1, 0.5)).toBe(MINUTE)
    expect(retryInMs(closedEndpoint, 500, 0.5)).toBe(7.5 * MINUTE)
  })

  it("always has a code, a sentence and what to do, with the service's own words where it gave some", () => {
    const reason = reasonOf(error({ excerpt: "no such sku" }))
    expect(reason).toEqual({
      code: "svc_unavailable",
      message: "It answered 503. Answer: no such sku",
      fix: expect.stringMatching(/.{20}/),
      params: { answer: "It answered 503. Answer: no such sku" },
    })
  })
})
