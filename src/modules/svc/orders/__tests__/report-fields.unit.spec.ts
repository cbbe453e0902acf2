import { fieldsOf, type ReportedOrder, type ReportFields } from "../report-fields"

const order = { order_id: "order_1", gross: 158 } as ReportedOrder
const fields = (ask: unknown) => fieldsOf(ask as ReportFields, order)

describe("what the store's own code adds to a report (gap 47)", () => {
  it("is what it answers of the order", async () => {
    expect(await fields(async ({ gross }: ReportedOrder) => ({ value: gross }))).toEqual({
      value: 158,
    })
  })

  it.each([
    ["answers what is no plain JSON", () => ({ sold_at: new Date() })],
    ["answers nothing", () => undefined],
  ])("is a failure where it %s", async (_, ask) => {
    await expect(fields(ask)).rejects.toThrow()
  })

  it("is a failure where it never answers: it is waited for five seconds", async () => {
    jest.useFakeTimers()
    try {
      let failure: unknown
      fields(() => new Promise(() => undefined)).catch((error: unknown) => (failure = error))
      await jest.advanceTimersByTimeAsync(5_000)
      expect(String(failure)).toContain("did not answer within 5 s")
    } finally {
      jest.useRealTimers()
    }
  })
})
