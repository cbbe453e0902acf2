import { errorForStatus, SvcError } from "../../../../client"
import {
  addJudged,
  holdMs,
  holdReason,
  judgeFailure,
  probeSize,
  refusesMost,
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
    expect(holdMs(answer(429, 1_800_000), 0, 0.5)).toBe(1_800_000)
    expect(holdMs(answer(503, 90_000), 0, 0.5)).toBe(90_000)
  })

  it("doubles from 2 s, and never beyond what is noticed within a minute", () => {
    const waits = Array.from({ length: 40 }, (_, holds) => holdMs(answer(503), holds, 1))
    expect(waits.slice(0, 5)).toEqual([2_000, 4_000, 8_000, 16_000, 32_000])
    for (const error of [answer(404), answer(401), answer(429), lost, noToken]) {
      for (let holds = 0; holds < 40; holds++) {
        expect(holdMs(error, holds, 0.999)).toBeLessThanOrEqual(45_000)
        expect(holdMs(error, holds, 0)).toBeGreaterThanOrEqual(1_000)
      }
    }
  })

  it("tries again with fewer products each time", () => {
    expect([0, 1, 2, 7, 40].map((holds) => probeSize(100, holds))).toEqual([100, 50, 25, 1, 1])
  })
})

describe("the reason that a connection gives", () => {
  it("tells an address that takes no products from a service that is down", () => {
    expect(holdReason(answer(404))).toMatchObject({
      code: "endpoint_refuses",
      params: { status: "404", answer: "no" },
    })
    expect(holdReason(answer(503)).code).toBe("service_fails")
    expect(holdReason(answer(429)).code).toBe("slow_down")
    expect(holdReason(lost).code).toBe("service_fails")
  })
})

describe("a service that refuses most", () => {
  it("is one that refuses four of five, and at least fifty", () => {
    expect(refusesMost({ accepted: 0, refused: 49 })).toBe(false)
    expect(refusesMost({ accepted: 0, refused: 50 })).toBe(true)
    expect(refusesMost({ accepted: 100, refused: 300 })).toBe(false)
    expect(refusesMost({ accepted: 20, refused: 80 })).toBe(true)
  })

  it("is judged by what it did of late", () => {
    let counts = { accepted: 0, refused: 0 }
    counts = addJudged(counts, { accepted: 100_000, refused: 0 })
    expect(counts.accepted).toBeLessThanOrEqual(1_000)
    for (let call = 0; call < 60; call++) counts = addJudged(counts, { accepted: 0, refused: 100 })
    expect(refusesMost(counts)).toBe(true)
  })
})
