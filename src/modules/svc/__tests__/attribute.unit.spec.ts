import { MathBN } from "@medusajs/framework/utils"
import fc from "fast-check"
import { runs } from "../../../../integration-tests/setup/generated"
import { attribute, type MetNumber, type OrderLine } from "../attribute"

const number = (orderNo: string, changes: Partial<MetNumber> = {}): MetNumber => ({
  orderNo,
  campaignUid: "show",
  connectionId: "svccon_1",
  usedAt: 1,
  variantIds: [],
  ...changes,
})
const line = (variantId: string | null, changes: Partial<OrderLine> = {}): OrderLine => ({
  variantId,
  quantity: 1,
  total: 100,
  campaignUid: "show",
  ...changes,
})

describe("the order numbers that an order is reported under (gap 48)", () => {
  it("is the basket's one number, with what it sold", () => {
    expect(
      attribute(
        [number("A", { variantIds: ["mug", "cup"] })],
        [line("mug", { quantity: 2, total: 258 }), line("cup", { total: 49.5 })],
      ),
    ).toEqual([
      { orderNo: "A", campaignUid: "show", connectionId: "svccon_1", units: 3, gross: 307.5 },
    ])
  })

  it("is every number that still has a line, each with its own", () => {
    const claims = attribute(
      [
        number("A", { usedAt: 1, variantIds: ["mug"] }),
        number("B", { usedAt: 2, variantIds: ["cup"] }),
        number("C", { usedAt: 3, campaignUid: "other", variantIds: ["hat"] }),
      ],
      [
        line("mug", { total: 1 }),
        line("cup", { total: 2 }),
        line("hat", { total: 4, campaignUid: "other" }),
      ],
    )
    expect(claims.map(({ orderNo, gross }) => [orderNo, gross])).toEqual([
      ["C", 4],
      ["B", 2],
      ["A", 1],
    ])
  })

  it("is the latest in any case, even if none of its lines was bought", () => {
    expect(attribute([number("A"), number("B", { usedAt: 2 })], [line("mug")])).toEqual([
      expect.objectContaining({ orderNo: "B", units: 0, gross: 0 }),
    ])
    expect(attribute([number("A")], [])).toHaveLength(1)
  })

  it("leaves out an earlier number whose lines are gone", () => {
    const claims = attribute(
      [number("A", { variantIds: ["mug"] }), number("B", { usedAt: 2, variantIds: ["cup"] })],
      [line("cup")],
    )
    expect(claims.map(({ orderNo }) => orderNo)).toEqual(["B"])
  })

  it("is none for a basket that met no show", () => {
    expect(attribute([], [line("mug")])).toEqual([])
  })

  it("gives a line that several numbers priced to the latest of them", () => {
    const claims = attribute(
      [
        number("A", { usedAt: 5, variantIds: ["mug"] }),
        number("B", { usedAt: 9, variantIds: ["mug"] }),
      ],
      [line("mug")],
    )
    expect(claims).toEqual([expect.objectContaining({ orderNo: "B", gross: 100 })])
  })

  it("counts what was bought at the catalog price for no show", () => {
    const [claim] = attribute(
      [number("A", { variantIds: ["mug"] })],
      [line("mug", { campaignUid: null }), line("mug", { campaignUid: "other" }), line(null)],
    )
    expect(claim).toMatchObject({ units: 0, gross: 0 })
  })

  it("adds decimal amounts without a rounding error, however Medusa writes them", () => {
    const amounts = [0.1, "0.2", MathBN.convert(0.3), { value: "0.1", precision: 20 }]
    const [claim] = attribute(
      [number("A", { variantIds: ["mug"] })],
      amounts.map((total) => line("mug", { total, quantity: "1" })),
    )
    expect(claim).toMatchObject({ units: 4, gross: 0.7 })
  })

  it("leaves its input as it was", () => {
    const numbers = [number("A"), number("B", { usedAt: 2 })]
    attribute(numbers, [line("mug")])
    expect(numbers.map(({ orderNo }) => orderNo)).toEqual(["A", "B"])
  })
})

describe("whatever baskets and orders look like", () => {
  const VARIANTS = ["v1", "v2", "v3", "v4", "v5"]
  const SHOWS = ["s1", "s2"]

  const met = fc
    .array(
      fc.record({
        campaignUid: fc.constantFrom(...SHOWS),
        usedAt: fc.nat({ max: 3 }),
        variantIds: fc.subarray(VARIANTS),
      }),
      { maxLength: 4 },
    )
    .map((all) => all.map((each, index) => number(`o${index}`, each)))
  const sold = fc.array(
    fc
      .record({
        variantId: fc.constantFrom(...VARIANTS, null),
        campaignUid: fc.constantFrom(...SHOWS, null),
        quantity: fc.integer({ min: 1, max: 4 }),
        total: fc.nat({ max: 99_999 }).map((cents) => cents / 100),
      })
      .map(({ variantId, ...rest }) => line(variantId, rest)),
    { maxLength: 6 },
  )
  const total = (lines: OrderLine[]) => MathBN.sum(0, ...lines.map((each) => each.total)).toNumber()

  it("no amount is counted twice, none goes to a number that did not price it, the latest is there", () => {
    fc.assert(
      fc.property(met, sold, (numbers, lines) => {
        const claims = attribute(numbers, lines)
        expect(new Set(claims.map(({ orderNo }) => orderNo)).size).toBe(claims.length)
        const priced = lines.filter((each) =>
          numbers.some(
            ({ campaignUid, variantIds }) =>
              campaignUid === each.campaignUid && variantIds.includes(each.variantId ?? ""),
          ),
        )
        expect(MathBN.sum(0, ...claims.map(({ gross }) => gross)).toNumber()).toBe(total(priced))
        for (const claim of claims) {
          const { campaignUid, variantIds } =
            numbers.find(({ orderNo }) => orderNo === claim.orderNo) ?? number("?")
          const most = lines.filter(
            (each) => each.campaignUid === campaignUid && variantIds.includes(each.variantId ?? ""),
          )
          expect(claim.gross).toBeLessThanOrEqual(total(most))
          expect(claim.campaignUid).toBe(campaignUid)
        }
        const latest = Math.max(...numbers.map(({ usedAt }) => usedAt))
        expect(claims.length > 0).toBe(numbers.length > 0)
        if (numbers.length > 0) {
          const first = numbers.find(({ orderNo }) => orderNo === claims[0]?.orderNo)
          expect(first?.usedAt).toBe(latest)
        }
      }),
      runs(10_000),
    )
  })

  it("the claims add up to the show's lines where every line was priced under a number", () => {
    const numbers = SHOWS.flatMap((campaignUid) =>
      VARIANTS.map((variantId, index) =>
        number(`${campaignUid}-${index}`, { campaignUid, variantIds: [variantId], usedAt: index }),
      ),
    )
    fc.assert(
      fc.property(sold, (lines) => {
        const ofShows = lines.filter((each) => each.campaignUid !== null && each.variantId !== null)
        const claims = attribute(numbers, lines)
        expect(MathBN.sum(0, ...claims.map(({ gross }) => gross)).toNumber()).toBe(total(ofShows))
      }),
      runs(5_000),
    )
  })
})
