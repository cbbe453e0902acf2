import fc from "fast-check"
import { runs } from "../../../../../integration-tests/setup/generated"
import { SvcError } from "../../../../client"
import { afterFailure, backoffMs } from "../backoff"
import { reasonOf } from "../reason"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const error = (changes: Partial<ConstructorParameters<typeof SvcError>[0]> = {}) =>
  new SvcError({
    code: "svc_unavailable",
    failure: "retry",
    message: "It answered 503.",
    ...changes,
  })
const refusedToken = error({ code: "svc_unauthorized", failure: "broken" })
const refusedRequest = error({ code: "svc_rejected", failure: "dead" })

/** What `Math.random` gives. */
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

const verdictOf = (changes: Partial<Parameters<typeof afterFailure>[0]> = {}) =>
  afterFailure({ error: error(), attempts: 1, failingForMs: 0, random: 0.5, ...changes })

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
    expect(verdictOf({ error: error({ retryAfterMs: HOUR }) })).toMatchObject({
      kind: "retry",
      inMs: HOUR,
    })
    expect(verdictOf({ error: error({ retryAfterMs: 1 }), attempts: 5 })).toMatchObject({
      inMs: 16_000,
    })
    expect(verdictOf({ error: error({ retryAfterMs: 0 }), random: 0 })).toMatchObject({ inMs: 0 })
  })
})

describe("what becomes of work that failed (gap 53)", () => {
  it("is tried for a day, then waits for a person who is told how to go on", () => {
    expect(verdictOf({ failingForMs: DAY - 1 }).kind).toBe("retry")
    const verdict = verdictOf({ failingForMs: DAY })
    expect(verdict.kind).toBe("dead")
    // Not the code of the last failure: what to do about that one is to wait.
    expect(verdict.reason.code).toBe("given_up")
    expect(verdict.reason.message).toMatch(/24 hours/)
    expect(verdict.reason.fix).toMatch(/Report again/)
  })

  it("is given up at once where the service refuses it as it is", () => {
    expect(verdictOf({ error: refusedRequest, failingForMs: 0 }).kind).toBe("dead")
  })

  it("waits for a person where the token is refused, however long, and is never given up", () => {
    for (const failingForMs of [0, DAY, 30 * DAY]) {
      const verdict = verdictOf({ error: refusedToken, failingForMs, attempts: 500 })
      expect(verdict).toMatchObject({ kind: "retry", inMs: MINUTE })
      expect(verdict.reason.fix).toMatch(/API token/)
    }
  })

  it("always has a code, a sentence and what to do, with the service's own words where it gave some", () => {
    const reason = reasonOf(error({ excerpt: "no such sku" }))
    expect(reason).toEqual({
      code: "svc_unavailable",
      message: "It answered 503. Answer: no such sku",
      fix: expect.stringMatching(/.{20}/),
      params: { answer: "no such sku" },
    })
  })
})
