import fc from "fast-check"
import { runs } from "../../../../../integration-tests/setup/generated"
import { nearerEnd } from "../page-of-ids"

describe("a page that is read from the nearer end of a list", () => {
  it("has the rows that it has read from the beginning, and skips at most half of the list", () => {
    let fromEnd = 0
    fc.assert(
      fc.property(
        fc.nat(40),
        fc.nat(60),
        fc.integer({ min: 1, max: 12 }),
        (count, offset, limit) => {
          const list = Array.from({ length: count }, (_, n) => n)
          const part = nearerEnd({ count, offset, limit })
          const read = (part.fromEnd ? [...list].reverse() : list).slice(
            part.offset,
            part.offset + part.limit,
          )
          expect(part.fromEnd ? read.reverse() : read).toEqual(list.slice(offset, offset + limit))
          if (part.limit > 0) expect(part.offset).toBeLessThanOrEqual(count / 2)
          if (part.fromEnd && part.limit > 0) fromEnd += 1
        },
      ),
      runs(500),
    )
    expect(fromEnd).toBeGreaterThan(20)
  })
})
