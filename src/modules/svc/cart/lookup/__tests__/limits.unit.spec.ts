/** What keeps a crowd or a flood of lookups fair: no clock and no timer but those that a test gives. */
import { setTimeout as sleep } from "node:timers/promises"
import fc from "fast-check"
import { runs } from "../../../../../../integration-tests/setup/generated"
import { ShortMemory } from "../../../shared/short-memory"
import { Gate } from "../gate"
import { LookupBreaker } from "../lookup-breaker"
import { TokenBuckets } from "../token-buckets"

describe("token buckets", () => {
  it("give so many at once, then as they come back, to each key its own", () => {
    const buckets = new TokenBuckets(3, 1)
    expect([1, 2, 3, 4].map(() => buckets.take("a", 0))).toEqual([0, 0, 0, 1])
    expect(buckets.take("b", 0)).toBe(0)
    expect([buckets.take("a", 999), buckets.take("a", 1000)]).toEqual([1, 0])
  })

  it("let nobody wait for ever who asks for more than the bucket holds", () => {
    const buckets = new TokenBuckets(3, 1)
    expect([0, 0, 3000].map((now) => buckets.take("a", now, 10))).toEqual([0, 3, 0])
  })

  it("limit nothing where the limit is off, and nothing by a clock that goes back", () => {
    expect(new TokenBuckets(0, 0).take("a", 0, 1_000_000)).toBe(0)
    const buckets = new TokenBuckets(1, 1)
    expect([buckets.take("a", 5_000), buckets.take("a", 0)]).toEqual([0, 1])
  })

  it("never give more than the bucket and what came back in the time", () => {
    const asked = fc.array(
      fc.record({ after: fc.nat(3_000), count: fc.integer({ min: 1, max: 4 }) }),
    )
    fc.assert(
      fc.property(asked, (calls) => {
        const buckets = new TokenBuckets(4, 2)
        let now = 0
        let given = 0
        for (const { after, count } of calls) {
          now += after
          if (buckets.take("a", now, count) === 0) given += count
        }
        expect(given).toBeLessThanOrEqual(4 + (now / 1000) * 2 + 1e-6)
      }),
      runs(2_000),
    )
  })
})

describe("the gate of lookups", () => {
  it("lets those who wait through in the order in which they came", async () => {
    const gate = new Gate(1)
    await gate.enter(1000)
    const turns: string[] = []
    const wait = (who: string) =>
      gate.enter(5_000).then((entered) => {
        if (entered) turns.push(who)
      })
    const all = ["a", "b", "c"].map(wait)
    for (let n = 0; n < 3; n++) {
      gate.leave()
      await sleep(0)
    }
    await Promise.all(all)
    expect(turns).toEqual(["a", "b", "c"])
  })

  it("sends those away whose turn does not come in time, and stays whole", async () => {
    const gate = new Gate(1)
    expect(await gate.enter(1000)).toBe(true)
    expect(await gate.enter(10)).toBe(false)
    gate.leave()
    expect(await gate.enter(10)).toBe(true)
    gate.leave()
  })
})

describe("the breaker of lookups", () => {
  it("opens after five failures in a row, says so as long as they go on, and lets one probe through after a pause", () => {
    const breaker = new LookupBreaker()
    expect([1, 2, 3, 4].map(() => breaker.failed(0))).toEqual([false, false, false, false])
    breaker.succeeded()
    expect([1, 2, 3, 4].map(() => breaker.failed(0))).toEqual([false, false, false, false])
    expect([breaker.failed(0), breaker.failed(0)]).toEqual([true, true])
    expect([breaker.admits(4_999), breaker.admits(5_001), breaker.admits(5_001)]).toEqual([
      false,
      true,
      false,
    ])
    expect(breaker.failed(5_002)).toBe(true)
    breaker.succeeded()
    expect([breaker.admits(5_003), breaker.failed(5_003)]).toEqual([true, false])
  })
})

describe("the short memory", () => {
  it("forgets in time, and the oldest first where it is full", () => {
    const memory = new ShortMemory<number>(2)
    memory.set("a", 1, 100)
    expect([memory.get("a", 99), memory.get("a", 100)]).toEqual([1, undefined])
    memory.set("b", 2, 1000)
    memory.set("c", 3, 1000)
    expect([memory.get("a", 0), memory.get("b", 0), memory.get("c", 0)]).toEqual([undefined, 2, 3])
    memory.deleteWhere((key) => key === "b")
    expect(memory.get("b", 0)).toBeUndefined()
  })
})
