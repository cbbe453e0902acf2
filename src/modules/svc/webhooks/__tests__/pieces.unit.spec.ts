/** The parts that the admission is put together from. */
import { BodyBudget } from "../body-budget"
import { FailureMeter } from "../failure-meter"
import { KEPT_SAMPLES, RefusalLog, type RefusalSample } from "../refusal-log"

const sample = (n: number): RefusalSample => ({
  at: new Date(n).toISOString(),
  address: "a",
  user_agent: null,
  content_type: null,
  bytes: n,
  off_ms: null,
})

describe("room for bodies", () => {
  const limits = { total: 1_000, perAddress: 600, perRequest: 10 }
  const entered = (budget: BodyBudget, address: string, bytes = 0) => {
    const gaveWay = jest.fn()
    const room = budget.enter(address, gaveWay)
    if (!room) throw new Error("There was no room.")
    if (bytes > 0) room.take(bytes)
    return { ...room, gaveWay }
  }
  const times = (...rooms: { gaveWay: jest.Mock }[]) =>
    rooms.map(({ gaveWay }) => gaveWay.mock.calls.length)

  it("counts what came, not what is announced, and nothing once it is left", () => {
    const budget = new BodyBudget(limits)
    const one = entered(budget, "a")
    expect(budget.bytes).toBe(10)
    expect(one.take(100)).toBe(true)
    expect(budget.bytes).toBe(110)
    one.leave()
    one.leave()
    expect(budget.bytes).toBe(0)
    expect(one.take(5)).toBe(false)
    expect(budget.bytes).toBe(0)
  })

  it("is full at its limits and not before", () => {
    const budget = new BodyBudget(limits)
    const one = entered(budget, "a")
    expect(one.take(590)).toBe(true)
    expect(times(one)).toEqual([0])
    expect(one.take(1)).toBe(false)
    expect(times(one)).toEqual([1])
    expect(budget.bytes).toBe(0)
    const [two, three] = [entered(budget, "a"), entered(budget, "b")]
    expect(two.take(590)).toBe(true)
    expect(three.take(390)).toBe(true)
    expect(budget.bytes).toBe(1_000)
    expect(times(two, three)).toEqual([0, 0])
  })

  it("is taken from the body that has been on its way for longest, of the address that has too much", () => {
    const budget = new BodyBudget(limits)
    const other = entered(budget, "other", 100)
    const [first, second] = [entered(budget, "a", 100), entered(budget, "a", 300)]
    const last = entered(budget, "a")
    expect(last.take(160)).toBe(true)
    expect(last.take(11)).toBe(true)
    expect(times(other, first, second, last)).toEqual([0, 1, 0, 0])
    expect(first.take(1)).toBe(false)
    // What gave way leaves as every request does, and gives nothing back twice.
    first.leave()
    first.whole()
    first.verified()
    expect(budget.bytes).toBe(110 + 310 + 181)
  })

  it("is taken from the oldest of all where all together have too much", () => {
    const budget = new BodyBudget(limits)
    const rooms = ["a", "b", "c"].map((address) => entered(budget, address, 300))
    expect(times(...rooms)).toEqual([0, 0, 0])
    entered(budget, "d", 61)
    expect(times(...rooms)).toEqual([1, 0, 0])
  })

  it("is taken from as many as it needs, and from no more", () => {
    const budget = new BodyBudget(limits)
    const four = [1, 2, 3, 4].map(() => entered(budget, "a", 140))
    expect(entered(budget, "a").take(200)).toBe(true)
    expect(times(...four)).toEqual([1, 1, 0, 0])
    const others = ["b", "c", "d"].map((address) => entered(budget, address, 150))
    expect(times(...four, ...others)).toEqual([1, 1, 0, 0, 0, 0, 0])
    expect(entered(budget, "e", 400).take(1)).toBe(true)
    expect(times(...four, ...others)).toEqual([1, 1, 1, 1, 0, 0, 0])
  })

  it("is counted on an address until its last request is over, and not for longer", () => {
    const budget = new BodyBudget(limits)
    const [one, two] = [entered(budget, "a", 200), entered(budget, "a", 200)]
    entered(budget, "b").verified()
    expect(budget.addresses).toBe(1)
    one.leave()
    const three = entered(budget, "a")
    expect(three.take(391)).toBe(true)
    expect(times(two, three)).toEqual([1, 0])
    expect(budget.addresses).toBe(1)
    three.leave()
    expect(budget.addresses).toBe(0)
  })

  it("cannot be kept from a body that comes quickly by any number that drip, with its address or others", () => {
    for (const addressOf of [() => "proxy", (n: number) => `a${n}`]) {
      const budget = new BodyBudget(limits)
      for (let n = 0; n < 200; n += 1) budget.enter(addressOf(n), () => undefined)?.take(1)
      const real = entered(budget, "proxy")
      expect(real.take(400)).toBe(true)
      real.whole()
      for (let n = 0; n < 200; n += 1) budget.enter(addressOf(n), () => undefined)?.take(1)
      expect(times(real)).toEqual([0])
    }
  })

  it("is never taken from a body that is there, and the next one is refused meanwhile", () => {
    const budget = new BodyBudget(limits)
    const there = entered(budget, "a", 580)
    there.whole()
    there.whole()
    expect(there.take(1)).toBe(false)
    expect(budget.enter("a", () => undefined)).not.toBeNull()
    expect(budget.enter("a", () => undefined)).not.toBeNull()
    expect(times(there)).toEqual([0])
    expect(budget.bytes).toBe(600)
    there.leave()
    expect(budget.bytes).toBe(10)
  })

  it("is never taken from what is verified, and there is none for another one meanwhile", () => {
    const budget = new BodyBudget({ total: 1_000, perAddress: 2_000, perRequest: 10 })
    const verified = entered(budget, "svc", 980)
    verified.whole()
    verified.verified()
    verified.verified()
    expect(budget.bytes).toBe(990)
    const slow = entered(budget, "b")
    expect(times(slow)).toEqual([0])
    expect(budget.enter("c", () => undefined)).not.toBeNull()
    expect(times(slow, verified)).toEqual([1, 0])
    verified.leave()
    expect(budget.bytes).toBe(10)

    const full = new BodyBudget({ total: 1_000, perAddress: 2_000, perRequest: 10 })
    const all = entered(full, "svc", 990)
    all.verified()
    const told = jest.fn()
    expect(full.enter("c", told)).toBeNull()
    expect(told).toHaveBeenCalledTimes(1)
    expect(full.bytes).toBe(1_000)
  })

  it("is not counted on an address for what is verified", () => {
    const budget = new BodyBudget(limits)
    entered(budget, "a", 500).verified()
    const next = entered(budget, "a", 480)
    expect(times(next)).toEqual([0])
    expect(budget.bytes).toBe(1_000)
  })

  it("is not held by what was verified after it had left or given way", () => {
    const budget = new BodyBudget(limits)
    const one = entered(budget, "a")
    one.leave()
    one.verified()
    one.whole()
    expect(budget.bytes).toBe(0)
    const two = entered(budget, "a")
    two.take(1_000)
    two.leave()
    two.verified()
    expect(budget.bytes).toBe(0)
    // The address is forgotten with its last request, and has its whole room again.
    expect(entered(budget, "a").take(590)).toBe(true)
  })
})

describe("counting failures", () => {
  it("waits from the limit on, for the rest of the minute, by address or connection", () => {
    const meter = new FailureMeter({ perAddress: 2, perConnection: 3 })
    const wait = (address: string, connection: string, now: number) =>
      meter.waitMs(address, connection, now)
    expect(wait("a", "c", 0)).toBe(0)
    meter.failed("a", "c", 1_000)
    expect(wait("a", "c", 1_000)).toBe(0)
    meter.failed("a", "c", 2_000)
    expect(wait("a", "c", 2_000)).toBe(59_000)
    expect(wait("a", "other", 2_000)).toBe(59_000)
    expect(wait("b", "c", 2_000)).toBe(0)
    meter.failed("b", "c", 3_000)
    expect(wait("b", "c", 3_000)).toBe(58_000)
    expect(wait("b", "other", 3_000)).toBe(0)
    expect(wait("a", "c", 61_000)).toBe(0)
    // A new minute.
    meter.failed("a", "c", 61_000)
    expect(wait("a", "c", 61_000)).toBe(0)
  })

  it("begins a new minute with the first failure after the last one's end", () => {
    const meter = new FailureMeter({ perAddress: 2, perConnection: 9 })
    meter.failed("a", "c", 0)
    meter.failed("a", "c", 59_999)
    expect(meter.waitMs("a", "c", 59_999)).toBe(1)
    meter.failed("a", "c", 60_000)
    expect(meter.waitMs("a", "c", 60_000)).toBe(0)
    meter.failed("a", "c", 60_001)
    expect(meter.waitMs("a", "c", 60_001)).toBe(59_999)
  })

  it("remembers ten thousand, and lets the oldest go", () => {
    const meter = new FailureMeter({ perAddress: 1, perConnection: 100_000 })
    for (let index = 0; index < 10_000; index += 1) meter.failed(`a${index}`, "c", 0)
    expect(meter.waitMs("a0", "x", 0)).toBe(60_000)
    meter.failed("one more", "c", 0)
    expect(meter.waitMs("a0", "x", 0)).toBe(0)
    expect(meter.waitMs("a1", "x", 0)).toBe(60_000)
    expect(meter.waitMs("one more", "x", 0)).toBe(60_000)
  })
})

describe("gathering refusals", () => {
  it("counts by connection and reason and keeps the newest samples first", () => {
    const log = new RefusalLog()
    expect(log.isEmpty).toBe(true)
    for (let n = 1; n <= 7; n += 1) log.note("c1", "wrong_key", sample(n))
    log.note("c1", "too_old", sample(8))
    log.note("c2", "wrong_key", sample(9))
    expect(log.isEmpty).toBe(false)
    const taken = log.take()
    expect(taken.map(({ connectionId, reason, count }) => [connectionId, reason, count])).toEqual([
      ["c1", "wrong_key", 7],
      ["c1", "too_old", 1],
      ["c2", "wrong_key", 1],
    ])
    expect(taken[0]?.samples.map(({ bytes }) => bytes)).toEqual([7, 6, 5, 4, 3])
    expect(log.isEmpty).toBe(true)
    expect(log.take()).toEqual([])
  })

  it("puts back what could not be written, behind what came since", () => {
    const log = new RefusalLog()
    for (let n = 1; n <= 4; n += 1) log.note("c1", "wrong_key", sample(n))
    log.note("c2", "wrong_key", sample(5))
    const taken = log.take()
    for (let n = 6; n <= 8; n += 1) log.note("c1", "wrong_key", sample(n))
    log.putBack(taken)
    const again = log.take()
    expect(again.map(({ connectionId, count }) => [connectionId, count])).toEqual([
      ["c1", 7],
      ["c2", 1],
    ])
    expect(again[0]?.samples.map(({ bytes }) => bytes)).toEqual([8, 7, 6, 4, 3])
    expect(again[0]?.samples).toHaveLength(KEPT_SAMPLES)
  })

  it("has room for a thousand pairs, however many connections strangers name", () => {
    const log = new RefusalLog()
    for (let n = 0; n < 1_005; n += 1) log.note(`c${n}`, "wrong_key", sample(n))
    log.note("c0", "wrong_key", sample(1))
    const taken = log.take()
    expect(taken).toHaveLength(1_000)
    expect(taken[0]?.count).toBe(2)
    log.note("new", "wrong_key", sample(1))
    log.putBack(taken)
    expect(log.take()).toHaveLength(1_000)
  })
})
