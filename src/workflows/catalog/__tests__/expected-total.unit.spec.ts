import { expectedTotal } from "../imports"

/** Calls of a hundred that are under way. */
const IN_FLIGHT = 300

describe("how many products an import will have settled", () => {
  it.each([
    [50_000, 1],
    [50_000, 5],
    [50_000, 2],
    [2_000, 2],
    [2_000, 10],
  ])("is true within a tenth, of %i products of which one in %i is sent", (total, oneIn) => {
    const toSend = total / oneIn
    for (let looked = 0; looked <= total; looked += 100) {
      const sent = Math.floor(looked / oneIn)
      const done = Math.max(0, looked === total ? sent : sent - IN_FLIGHT)
      const seen = { total, done, failed: 0, left_out: looked - sent }
      const shown = done / Math.max(1, expectedTotal(seen))
      expect(Math.abs(shown - done / toSend)).toBeLessThan(0.1)
    }
    expect(expectedTotal({ total, done: toSend, failed: 0, left_out: total - toSend })).toBe(toSend)
  })

  it("is what was counted where nothing is left out", () => {
    expect(expectedTotal({ total: 65, done: 10, failed: 2, left_out: 0 })).toBe(65)
  })
})
