import { fieldsOf, type ReportedOrder, type ReportFields } from "../report-fields"

const order = { order_id: "order_1", gross: 158 } as ReportedOrder
const fields = (ask: unknown) => fieldsOf(ask as ReportFields, order, 20)

describe("what the store's own code adds to a report (gap 47)", () => {
  it("is what it answers of the order", async () => {
    expect(await fields(async ({ gross }: ReportedOrder) => ({ value: gross }))).toEqual({
      value: 158,
    })
  })

  it.each([
    ["never answers", () => new Promise(() => undefined), /did not answer within/],
    ["answers what is no plain JSON", () => ({ sold_at: new Date() }), /./],
    ["answers nothing", () => undefined, /./],
  ])("is a failure where it %s", async (_, ask, problem) => {
    await expect(fields(ask)).rejects.toThrow(problem)
  })
})
