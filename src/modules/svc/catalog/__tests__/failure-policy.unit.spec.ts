import { errorForStatus, SvcError } from "../../../../client"
import {
  attemptsForHalf,
  backoffAloneMs,
  halved,
  holdReason,
  judgeFailure,
  productsHoldMs,
} from "../failure-policy"

const answer = (status: number, retryAfterMs: number | null = null) =>
  errorForStatus(status, { what: "send products", excerpt: "no", retryAfterMs })
const lost = new SvcError({ code: "svc_unreachable", failure: "retry", message: "gone" })
const noToken = new SvcError({ code: "svc_unauthorized", failure: "broken", message: "no token" })

describe("what a failed call says", () => {
  it.each([
    [400, "content"],
    [422, "content"],
    [413, "too_large"],
    [429, "slow_down"],
    [401, "token"],
    [402, "unclear"],
    [403, "unclear"],
    [404, "unclear"],
    [405, "unclear"],
    [408, "unclear"],
    [409, "unclear"],
    [410, "unclear"],
    [415, "unclear"],
    [451, "unclear"],
    [302, "unclear"],
    [500, "unclear"],
    [503, "unclear"],
  ] as const)("%i is %s", (status, verdict) => {
    expect(judgeFailure(answer(status))).toBe(verdict)
  })

  it("is unclear without an answer, and the token's fault where there is none to send", () => {
    expect(judgeFailure(lost)).toBe("unclear")
    expect(judgeFailure(noToken)).toBe("token")
  })
})

describe("how long a connection is left alone", () => {
  it("is as long as the service asks for", () => {
    expect(productsHoldMs(answer(429, 1_800_000), 0, 0.5)).toBe(1_800_000)
    expect(productsHoldMs(answer(503, 90_000), 0, 0.5)).toBe(90_000)
  })

  it("is no shorter where the service asks for patience and names none", () => {
    for (const holds of [0, 3]) {
      expect(productsHoldMs(answer(429, 0), holds, 0.5)).toBe(
        productsHoldMs(answer(429), holds, 0.5),
      )
    }
  })

  it("doubles from 2 s, and never beyond what is noticed within a minute", () => {
    const waits = Array.from({ length: 40 }, (_, holds) => productsHoldMs(answer(503), holds, 1))
    expect(waits.slice(0, 5)).toEqual([2_000, 4_000, 8_000, 16_000, 32_000])
    for (const error of [answer(404), answer(401), answer(429), lost, noToken]) {
      for (let holds = 0; holds < 40; holds++) {
        expect(productsHoldMs(error, holds, 0.999)).toBeLessThanOrEqual(45_000)
        expect(productsHoldMs(error, holds, 0)).toBeGreaterThanOrEqual(1_000)
      }
    }
  })
})

describe("products of a call that failed", () => {
  it("go with half as many others each time, until each stands alone", () => {
    for (let batchSize = 1; batchSize <= 100; batchSize++) {
      let calls = 0
      let attempts = 0
      for (let count = batchSize; count > 1; count = halved(batchSize, attempts)) {
        const next = attemptsForHalf(batchSize, attempts, count)
        expect(halved(batchSize, next)).toBeLessThanOrEqual(Math.ceil(count / 2))
        expect(next).toBeGreaterThan(attempts)
        attempts = next
        calls += 1
      }
      expect(calls).toBeLessThanOrEqual(Math.ceil(Math.log2(batchSize)))
    }
  })

  it("stand alone at once where there were only two of them", () => {
    expect(halved(100, attemptsForHalf(100, 0, 2))).toBe(1)
  })

  it("wait from when they stood alone first: soon, then less and less often", () => {
    const alone = attemptsForHalf(100, 0, 1)
    expect([alone, alone + 1, alone + 2].map((n) => backoffAloneMs(100, n, 0.5))).toEqual([
      1_000, 1_000, 2_000,
    ])
  })
})

describe("the reason that a connection gives", () => {
  it("tells an address that takes no products from a service that is down", () => {
    expect(holdReason(answer(404))).toMatchObject({
      code: "endpoint_refuses",
      params: { status: "404", answer: "no" },
    })
    const codes = [402, 403, 404, 405, 408, 409, 410, 415, 425, 451, 503].map(
      (status) => [status, holdReason(answer(status)).code] as const,
    )
    expect(codes.filter(([, code]) => code !== "endpoint_refuses")).toEqual([
      [403, "service_fails"],
      [408, "service_fails"],
      [425, "service_fails"],
      [503, "service_fails"],
    ])
    expect(holdReason(answer(429)).code).toBe("slow_down")
    expect(holdReason(lost).code).toBe("service_fails")
  })
})
