import { MathBN } from "@medusajs/framework/utils"
import fc from "fast-check"
import { runs } from "../../../../../integration-tests/setup/generated"
import { NO_TARGET, type Share, spreadRefund } from "../spread-refund"

const share = (target: string, of: Share["of"], left: number): Share => ({
  target,
  of,
  left: MathBN.convert(left),
})
const CART = [
  share("mug", "goods", 100),
  share("bowl", "goods", 300),
  share("post", "shipping", 39),
]
const spread = (amount: number, reference: string | null = "payment_collection") =>
  Object.fromEntries(
    [...spreadRefund(amount, CART, { reference, referenceId: null })].map(([target, part]) => [
      target,
      part.toNumber(),
    ]),
  )

describe("a refund for which nothing came back", () => {
  it("is taken from the goods by their value", () => {
    expect(spread(40)).toEqual({ mug: 10, bowl: 30 })
  })
  it("is taken from the shipping where its reason says so, or where it is just what that cost", () => {
    expect(spread(20, "Shipping Issue")).toEqual({ post: 20 })
    expect(spread(39)).toEqual({ post: 39 })
  })
  it("that is more than one can bear is taken from the other, and then from nothing", () => {
    expect(spread(59, "Shipping Issue")).toEqual({ post: 39, mug: 5, bowl: 15 })
    expect(spread(500)).toEqual({ mug: 100, bowl: 300, post: 39, [NO_TARGET]: 61 })
  })

  it("is neither more nor less than its parts, and takes from nothing more than it is worth", () => {
    const shares = fc.array(
      fc.record({
        of: fc.constantFrom("goods", "shipping"),
        left: fc.nat({ max: 100_000 }).map((cents) => cents / 100),
      }),
      { maxLength: 5 },
    )
    const amounts = fc.integer({ min: 1, max: 200_000 }).map((cents) => cents / 100)
    fc.assert(
      fc.property(shares, amounts, fc.boolean(), (some, amount, shipping) => {
        const all = some.map(({ of, left }, index) => share(`s${index}`, of as Share["of"], left))
        const reference = shipping ? "Delivery" : null
        const taken = spreadRefund(amount, all, { reference, referenceId: null })
        expect(MathBN.sum(0, ...taken.values()).toNumber()).toBe(amount)
        for (const { target, left } of all) {
          expect(MathBN.lte(taken.get(target) ?? 0, MathBN.add(left, "0.0000000001"))).toBe(true)
          expect(MathBN.gte(taken.get(target) ?? 0, 0)).toBe(true)
        }
      }),
      runs(1_000),
    )
  })
})
