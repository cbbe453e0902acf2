import { MathBN } from "@medusajs/framework/utils"
import { seeded } from "../../../../../integration-tests/setup/seeded"
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
  const random = seeded(6)
  const some = <T>(values: T[], chance: number): T[] => values.filter(() => random() < chance)
  const one = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const VARIANTS = ["v1", "v2", "v3", "v4", "v5"]
  const SHOWS = ["s1", "s2"]

  const history = () => {
    const numbers = Array.from({ length: Math.floor(random() * 5) }, (_, index) =>
      number(`o${index}`, {
        campaignUid: one(SHOWS),
        usedAt: Math.floor(random() * 4),
        variantIds: some(VARIANTS, 0.4),
      }),
    )
    const lines = Array.from({ length: Math.floor(random() * 7) }, () =>
      line(one([...VARIANTS, null]), {
        campaignUid: one([...SHOWS, null]),
        quantity: 1 + Math.floor(random() * 4),
        total: Math.floor(random() * 100_000) / 100,
      }),
    )
    return { numbers, lines }
  }
  const total = (lines: OrderLine[]) => MathBN.sum(0, ...lines.map((each) => each.total)).toNumber()

  it("no amount is counted twice, none goes to a number that did not price it, the latest is there", () => {
    for (let round = 0; round < 10_000; round++) {
      const { numbers, lines } = history()
      const attributed = attributeOrder(numbers, lines)
      expect(new Set(attributed.map(({ orderNo }) => orderNo)).size).toBe(attributed.length)
      const priced = lines.filter((each) =>
        numbers.some(
          ({ campaignUid, variantIds }) =>
            campaignUid === each.campaignUid && variantIds.includes(each.variantId ?? ""),
        ),
      )
      expect(MathBN.sum(0, ...attributed.map(({ gross }) => gross)).toNumber()).toBe(total(priced))
      for (const each of attributed) {
        const { campaignUid, variantIds } =
          numbers.find(({ orderNo }) => orderNo === each.orderNo) ?? number("?")
        const most = lines.filter(
          (each) => each.campaignUid === campaignUid && variantIds.includes(each.variantId ?? ""),
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
    }
  })

  it("the attributed numbers add up to the show's lines where every line was priced under a number", () => {
    for (let round = 0; round < 5_000; round++) {
      const { lines } = history()
      const numbers = SHOWS.flatMap((campaignUid) =>
        VARIANTS.map((variantId, index) =>
          number(`${campaignUid}-${index}`, {
            campaignUid,
            variantIds: [variantId],
            usedAt: index,
          }),
        ),
      )
      const sold = lines.filter((each) => each.campaignUid !== null && each.variantId !== null)
      const attributed = attributeOrder(numbers, lines)
      expect(MathBN.sum(0, ...attributed.map(({ gross }) => gross)).toNumber()).toBe(total(sold))
    }
  })
})
