import { MathBN } from "@medusajs/framework/utils"
import fc from "fast-check"
import { runs } from "../../../../../integration-tests/setup/generated"
import { type Part, rounded, roundParts } from "../round-parts"

const num = (value: number | string) => MathBN.convert(value)
const numbers = (parts: ReturnType<typeof roundParts>) => parts.map((part) => part.toNumber())
/** Tenths of a cent, which have to become cents. */
const exactly = (tenths: number) => num(tenths).div(1_000)
const centsOf = (tenths: number) => num(tenths).div(10).integerValue(3).div(100)

const aPart = fc.record({ tenths: fc.integer({ min: -9_999, max: 9_999 }), isUp: fc.boolean() })

describe("rounding parts of a sum", () => {
  it("gives the sum, each part up or down by less than a cent, and leaves all as they are where none has changed", () => {
    fc.assert(
      fc.property(fc.array(aPart, { minLength: 1, maxLength: 9 }), (drawn) => {
        const parts: Part[] = drawn.map(({ tenths, isUp }) => ({
          exact: exactly(tenths),
          kept: isUp && tenths % 10 !== 0 ? centsOf(tenths).plus("0.01") : centsOf(tenths),
        }))
        const total = MathBN.sum(0, ...parts.map(({ kept }) => kept ?? 0))
        expect(numbers(roundParts(parts, total, 2))).toEqual(
          parts.map(({ kept }) => kept?.toNumber()),
        )
        const afresh = roundParts(
          parts.map(({ exact }) => ({ exact, kept: null })),
          total,
          2,
        )
        expect(MathBN.sum(0, ...afresh).toNumber()).toBe(total.toNumber())
        for (const [index, part] of afresh.entries()) {
          const off = part.minus(parts[index]?.exact ?? 0).abs()
          expect(off.toNumber()).toBeLessThan(0.01)
        }
      }),
      runs(300),
    )
  })

  it("has the largest remainders go up", () => {
    const parts = [11, 17, 14].map((tenths) => ({ exact: exactly(tenths), kept: null }))
    expect(numbers(roundParts(parts, num("0.04"), 2))).toEqual([0.01, 0.02, 0.01])
  })

  it("moves what has changed before what has not, up and down", () => {
    const changed = { exact: exactly(11), kept: null }
    const keptDown = { exact: exactly(19), kept: num("0.01") }
    expect(numbers(roundParts([keptDown, changed], num("0.03"), 2))).toEqual([0.01, 0.02])
    const keptUp = { exact: exactly(11), kept: num("0.02") }
    const grown = { exact: exactly(19), kept: null }
    expect(numbers(roundParts([grown, keptUp], num("0.03"), 2))).toEqual([0.01, 0.02])
  })

  it("rounds a half away from zero", () => {
    expect([15, -15].map((tenths) => rounded(exactly(tenths), 2).toNumber())).toEqual([0.02, -0.02])
  })
})
