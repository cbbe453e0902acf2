import { MathBN } from "@medusajs/framework/utils"
import fc from "fast-check"
import { runs } from "../../../../../integration-tests/setup/generated"
import { attributeOrder, type MetNumber, type OrderLine } from "../attribute-order"

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
      attributeOrder(
        [number("A", { variantIds: ["mug", "cup"] })],
        [line("mug", { quantity: 2, total: 258 }), line("cup", { total: 49.5 })],
      ),
    ).toEqual([
      { orderNo: "A", campaignUid: "show", connectionId: "svccon_1", units: 3, gross: 307.5 },
    ])
  })

  it("is every number that still has a line, each with its own", () => {
    const attributed = attributeOrder(
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
    expect(attributed.map(({ orderNo, gross }) => [orderNo, gross])).toEqual([
      ["C", 4],
      ["B", 2],
      ["A", 1],
    ])
  })

  it("is the latest in any case, even if none of its lines was bought", () => {
    expect(attributeOrder([number("A"), number("B", { usedAt: 2 })], [line("mug")])).toEqual([
      expect.objectContaining({ orderNo: "B", units: 0, gross: 0 }),
    ])
    expect(attributeOrder([number("A")], [])).toHaveLength(1)
  })

  it("leaves out an earlier number whose lines are gone", () => {
    const attributed = attributeOrder(
      [number("A", { variantIds: ["mug"] }), number("B", { usedAt: 2, variantIds: ["cup"] })],
      [line("cup")],
    )
    expect(attributed.map(({ orderNo }) => orderNo)).toEqual(["B"])
  })

  it("is none for a basket that met no show", () => {
    expect(attributeOrder([], [line("mug")])).toEqual([])
  })

  it("gives a line that several numbers priced to the latest of them", () => {
    const attributed = attributeOrder(
      [
        number("A", { usedAt: 5, variantIds: ["mug"] }),
        number("B", { usedAt: 9, variantIds: ["mug"] }),
      ],
      [line("mug")],
    )
    expect(attributed).toEqual([expect.objectContaining({ orderNo: "B", gross: 100 })])
  })

  it("counts what was bought at the catalog price for no show", () => {
    const [each] = attributeOrder(
      [number("A", { variantIds: ["mug"] })],
      [line("mug", { campaignUid: null }), line("mug", { campaignUid: "other" }), line(null)],
    )
    expect(each).toMatchObject({ units: 0, gross: 0 })
  })

  it("adds decimal amounts without a rounding error, however Medusa writes them", () => {
    const amounts = [0.1, "0.2", MathBN.convert(0.3), { value: "0.1", precision: 20 }]
    const [each] = attributeOrder(
      [number("A", { variantIds: ["mug"] })],
      amounts.map((total) => line("mug", { total, quantity: "1" })),
    )
    expect(each).toMatchObject({ units: 4, gross: 0.7 })
  })

  it("leaves its input as it was", () => {
    const numbers = [number("A"), number("B", { usedAt: 2 })]
    attributeOrder(numbers, [line("mug")])
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
        const attributed = attributeOrder(numbers, lines)
        expect(new Set(attributed.map(({ orderNo }) => orderNo)).size).toBe(attributed.length)
        const priced = lines.filter((each) =>
          numbers.some(
            ({ campaignUid, variantIds }) =>
              campaignUid === each.campaignUid && variantIds.includes(each.variantId ?? ""),
          ),
        )
        expect(MathBN.sum(0, ...attributed.map(({ gross }) => gross)).toNumber()).toBe(
          total(priced),
        )
        for (const each of attributed) {
          const { campaignUid, variantIds } =
            numbers.find(({ orderNo }) => orderNo === each.orderNo) ?? number("?")
          const most = lines.filter(
            (line) => line.campaignUid === campaignUid && variantIds.includes(line.variantId ?? ""),
          )
          expect(each.gross).toBeLessThanOrEqual(total(most))
          expect(each.campaignUid).toBe(campaignUid)
        }
        const latest = Math.max(...numbers.map(({ usedAt }) => usedAt))
        expect(attributed.length > 0).toBe(numbers.length > 0)
        if (numbers.length > 0) {
          const first = numbers.find(({ orderNo }) => orderNo === attributed[0]?.orderNo)
          expect(first?.usedAt).toBe(latest)
        }
      }),
      runs(10_000),
    )
  })

  it("the attributed numbers add up to the show's lines where every line was priced under a number", () => {
    const numbers = SHOWS.flatMap((campaignUid) =>
      VARIANTS.map((variantId, index) =>
        number(`${campaignUid}-${index}`, { campaignUid, variantIds: [variantId], usedAt: index }),
      ),
    )
    fc.assert(
      fc.property(sold, (lines) => {
        const ofShows = lines.filter((each) => each.campaignUid !== null && each.variantId !== null)
        const attributed = attributeOrder(numbers, lines)
        expect(MathBN.sum(0, ...attributed.map(({ gross }) => gross)).toNumber()).toBe(
          total(ofShows),
        )
      }),
      runs(5_000),
    )
  })
})
