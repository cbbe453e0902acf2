/** What judges a run under fire: it must see what is wrong, or the run proves nothing. */
import { Random } from "../../../../sandbox/simulation/random"
import {
  catalogProblems,
  growthProblems,
  leaseProblems,
  ledgerProblems,
  mostInASecond,
  type OrderFacts,
  priceProblems,
  projectionProblems,
  type ReportFacts,
  reportProblems,
  takeovers,
} from "../invariants"
import { makeSchedule, printed } from "../schedule"

const TROUBLES = { store: ["a", "b", "c"].map((name) => ({ name, longestMs: 1_000 })) }

const ORDER: OrderFacts = {
  orderId: "order_1",
  isPaid: true,
  isCancelled: false,
  lines: [{ id: "line", unitPrice: 99, proven: 99, known: [99] }],
  attributions: [{ orderNo: "SVC-1", state: "reported", reason: null, accepted: 1 }],
  ledger: 138,
  total: 138,
}
const TOLD: ReportFacts = {
  reports: new Map([["SVC-1", { calls: 1, converted: true, keys: ["k"] }]]),
  attempts: new Map([["SVC-1", 1]]),
}
const reports = (order: Partial<OrderFacts>, told: Partial<ReportFacts> = {}) =>
  reportProblems([{ ...ORDER, ...order }], { ...TOLD, ...told })
const attributed = (change: Partial<OrderFacts["attributions"][number]>) => ({
  attributions: ORDER.attributions.map((known) => ({ ...known, ...change })),
})

describe("a schedule", () => {
  const schedule = (seed: string) => makeSchedule(new Random(seed), TROUBLES, 60_000, 1_000)

  it("is the same for the same seed, and another for another", () => {
    expect(schedule("1")).toEqual(schedule("1"))
    expect(schedule("1")).not.toEqual(schedule("2"))
  })
  it("deals every trouble before one comes again, one at a time, and ends in time", () => {
    const steps = schedule("1")
    expect(new Set(steps.slice(0, 3).map(({ trouble }) => trouble)).size).toBe(3)
    for (const [n, { atMs, forMs }] of steps.entries()) {
      expect(atMs + forMs).toBeLessThanOrEqual(steps[n + 1]?.atMs ?? 60_000)
    }
    expect(printed(steps).split("\n")).toHaveLength(steps.length)
  })
})

describe("what must hold", () => {
  it("finds products that the service has otherwise, not at all, or not yet", () => {
    const payload = { id: "p", price: 10 }
    const product = { title: "Mug", state: "synced", payload, received: { ...payload } }
    expect(catalogProblems([product])).toEqual([])
    expect(catalogProblems([{ ...product, received: { id: "p", price: 11 } }])).toEqual([
      'product "Mug" differs at the service in price',
    ])
    expect(catalogProblems([{ ...product, received: undefined }])).toHaveLength(1)
    expect(catalogProblems([{ ...product, state: "pending" }])).toHaveLength(1)
  })

  it("finds orders that are not reported, or more than once", () => {
    expect(reports({})).toEqual([])
    expect(reports({ attributions: [] })).toEqual(["order order_1 is not attributed"])
    expect(reports({ attributions: [], isPaid: false }, { reports: new Map() })).toEqual([])
    expect(reports(attributed({ state: "failed", reason: "why" }))).toEqual([
      "order order_1, SVC-1, is failed (why)",
    ])
    expect(reports(attributed({ accepted: 2 }))).toHaveLength(1)
    expect(reports({}, { reports: new Map() })).toEqual(["the service knows no SVC-1"])
    expect(reports({}, { attempts: new Map() })).toHaveLength(2)
    const twice = { calls: 2, converted: true, keys: ["k", "l"] }
    expect(reports({}, { reports: new Map([["SVC-1", twice]]) })).toHaveLength(2)
    expect(reportProblems([ORDER, { ...ORDER, orderId: "order_2" }], TOLD)).toEqual([
      "SVC-1 is reported for two orders",
    ])
  })

  it("finds ledgers that are not Medusa's totals", () => {
    expect(ledgerProblems([ORDER])).toEqual([])
    expect(ledgerProblems([{ ...ORDER, ledger: 137.98 }])).toHaveLength(1)
    expect(ledgerProblems([{ ...ORDER, isCancelled: true }])).toHaveLength(1)
    expect(ledgerProblems([{ ...ORDER, isCancelled: true, ledger: 0 }])).toEqual([])
  })

  it("finds prices without a proof, beside their proof, or from nowhere", () => {
    const sold = (line: Partial<OrderFacts["lines"][number]>) =>
      priceProblems([{ ...ORDER, lines: ORDER.lines.map((known) => ({ ...known, ...line })) }])
    expect(sold({})).toEqual([])
    expect(sold({ proven: null })).toHaveLength(1)
    expect(sold({ unitPrice: 98 })).toHaveLength(1)
    expect(sold({ known: [98] })).toHaveLength(1)
  })

  it("finds shows that differ, are missing here, or are missing there", () => {
    const show = (id: string, status: string) => ({ id, says: { status } })
    expect(projectionProblems([show("a", "live")], [show("a", "live")])).toEqual([])
    expect(projectionProblems([show("a", "live")], [show("a", "vod")])).toHaveLength(1)
    expect(projectionProblems([], [show("a", "vod")])).toHaveLength(1)
    expect(projectionProblems([show("a", "live")], [])).toHaveLength(1)
  })

  it("finds leases that are left and tables that have grown", () => {
    expect(leaseProblems([{ table: "t", rows: 0 }])).toEqual([])
    expect(leaseProblems([{ table: "t", rows: 1 }])).toHaveLength(1)
    expect(growthProblems([{ table: "t", rows: 2, atMost: 2 }])).toEqual([])
    expect(growthProblems([{ table: "t", rows: 3, atMost: 2 }])).toHaveLength(1)
  })
})

describe("what is measured", () => {
  it("is the most calls that began within one second", () => {
    expect(mostInASecond([])).toBe(0)
    expect(mostInASecond([0, 999, 1_000, 1_500, 1_998, 5_000])).toBe(4)
  })

  it("is how long something was held by a process that was killed", () => {
    const held = (holders: Record<string, number>) =>
      Object.fromEntries(Object.entries(holders).map(([id, until]) => [id, { rows: 1, until }]))
    const samples = [
      { at: 0, holders: held({ dead: 30, living: 30 }) },
      { at: 10, holders: held({ dead: 30, living: 30 }) },
      { at: 20, holders: held({ dead: 30, living: 50 }) },
      { at: 30, holders: held({ dead: 30 }) },
      { at: 40, holders: held({}) },
    ]
    // The living one leased again after the kill; the dead one never did.
    expect(takeovers(samples, [5])).toEqual([25])
    expect(takeovers(samples, [])).toEqual([])
  })
})
