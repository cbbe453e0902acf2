import { MathBN } from "@medusajs/framework/utils"
import fc from "fast-check"
import { runs } from "../../../../../integration-tests/setup/generated"
import { NO_TARGET, type Share, spreadRefund } from "../spread-refund"

const share = (target: string, left: number): Share => ({ target, left: MathBN.convert(left) })
const CART = [share("mug", 100), share("bowl", 300), share("post", 39)]
const spread = (amount: number) =>
  Object.fromEntries(
    [...spreadRefund(MathBN.convert(amount), CART, 2)].map(([target, part]) => [
      target,
      part.toNumber(),
    ]),
  )

describe("a refund for which nothing came back", () => {
  it("is taken from goods and shipping by their value, to the cent", () => {
    expect(spread(43.9)).toEqual({ mug: 10, bowl: 30, post: 3.9 })
    expect(spread(10)).toEqual({ mug: 2.28, bowl: 6.83, post: 0.89 })
  })
  it("that is more than all is worth is taken from nothing", () => {
    expect(spread(500)).toEqual({ mug: 100, bowl: 300, post: 39, [NO_TARGET]: 61 })
  })

  it("is neither more nor less than its parts, in whole smallest units, and takes no more than there is", () => {
    const cases = fc.constantFrom(0, 2, 3).chain((digits) => {
      const money = (least: number, max: number) =>
        fc.integer({ min: least, max }).map((units) => MathBN.div(units, 10 ** digits))
      return fc.record({
        digits: fc.constant(digits),
        lefts: fc.array(money(0, 100_000), { maxLength: 5 }),
        amount: money(1, 200_000),
      })
    })
    fc.assert(
      fc.property(cases, ({ digits, lefts, amount }) => {
        const shares = lefts.map((left, index) => ({ target: `s${index}`, left }))
        const taken = spreadRefund(amount, shares, digits)
        expect(MathBN.eq(MathBN.sum(0, ...taken.values()), amount)).toBe(true)
        for (const part of taken.values()) expect(part.decimalPlaces()).toBeLessThanOrEqual(digits)
        for (const { target, left } of shares) {
          const part = taken.get(target) ?? 0
          expect([MathBN.lte(part, left), MathBN.gte(part, 0)]).toEqual([true, true])
        }
      }),
      runs(1_000),
    )
  })
})
