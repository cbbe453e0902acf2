import type { BigNumberInput } from "@medusajs/framework/types"
import { MathBN } from "@medusajs/framework/utils"
import fc from "fast-check"
import { runs } from "../../../../../integration-tests/setup/generated"
import { entriesOf, type LedgerEntry } from "../entries"
import type { SoldBy } from "../inherit-show"
import { MedusaOrder, type NewOrder, unlessRefused } from "./medusa-order"

/** Histories of this run; `ORDERS_HISTORIES=2000 npm test -- entries` makes as many as the weekly run. */
const HISTORIES = Number(process.env.ORDERS_HISTORIES ?? 150)

const SHOW: SoldBy = { connectionId: "connection", campaignUid: "campaign" }
const showsOf = (order: MedusaOrder) =>
  new Map(
    order
      .snapshot()
      .lines.slice(0, 1)
      .map(({ id }) => [id, SHOW]),
  )
const entries = (order: MedusaOrder) => entriesOf(order.snapshot(), showsOf(order))

type Amount = "amount" | "tax" | "discount" | "quantity"
const sum = (some: LedgerEntry[], of: Amount = "amount") =>
  MathBN.sum(0, ...some.map((entry) => entry[of]))
/** To the smallest unit: what a person sees. */
const shown = (amount: BigNumberInput, digits = 2) =>
  MathBN.convert(amount, digits)
    .toFixed(digits)
    .replace(/^-(0(\.0+)?)$/, "$1")

const bought = (changes: Partial<NewOrder> = {}): NewOrder => ({
  currency: "dkk",
  isTaxInclusive: true,
  rate: "25",
  lines: [{ variant: 1, quantity: 2, price: "79", discount: "0" }],
  shipping: "39",
  giftCard: "0",
  ...changes,
})
const kinds = (order: MedusaOrder) =>
  entries(order)
    .filter((entry) => entry.soldBy)
    .map((entry) => [entry.kind, shown(entry.amount)])
const first = (order: MedusaOrder) => order.lines[0]?.id ?? ""

describe("the ledger of an order", () => {
  it("says what each change did to the line that the show sold", async () => {
    const order = new MedusaOrder(bought())
    const line = first(order)
    expect(kinds(order)).toEqual([["sale", "158.00"]])
    await order.edit(line, 2, "69", null)
    await order.fulfil({ line, quantity: 2 })
    await order.sendBack({ line, quantity: 1 }, false)
    expect(kinds(order)).toEqual([
      ["sale", "158.00"],
      ["edit", "-20.00"],
      ["return", "-69.00"],
    ])
  })

  it("gives a size that is exchanged to the show that sold the first one", async () => {
    const order = new MedusaOrder(bought())
    await order.fulfil({ line: first(order), quantity: 2 })
    await order.exchange(
      { line: first(order), quantity: 1 },
      { variant: 3, quantity: 1, price: "79" },
    )
    expect(kinds(order)).toEqual([
      ["sale", "158.00"],
      ["exchange_in", "79.00"],
      ["exchange_out", "-79.00"],
    ])
  })
})

describe("money that is paid back", () => {
  it("is a refund each time, also where several are made at once", async () => {
    const order = new MedusaOrder(bought({ shipping: null }))
    await order.refund(["10"])
    await order.refund(["5", "20"])
    expect(kinds(order)).toEqual([
      ["sale", "158.00"],
      ["refund", "-10.00"],
      ["refund", "-5.00"],
      ["refund", "-20.00"],
    ])
  })

  it("is taken from goods and shipping by their value", async () => {
    const order = new MedusaOrder(bought({ shipping: "42" }))
    await order.refund(["20"])
    expect(entries(order).map(({ kind, amount }) => [kind, shown(amount)])).toEqual([
      ["sale", "158.00"],
      ["shipping", "42.00"],
      ["refund", "-15.80"],
      ["refund", "-4.20"],
    ])
  })

  it("makes no refund of what is waived later", async () => {
    const order = new MedusaOrder(bought({ shipping: null }))
    const line = first(order)
    const waive = async (price: string) => {
      await order.add({ variant: 3, quantity: 1, price, discount: "0" })
      await order.waive(price)
    }
    await order.refund(["20", "20"])
    await waive("3")
    await order.fulfil({ line, quantity: 2 })
    await order.sendBack({ line, quantity: 1 }, false)
    // Both are owed, so neither makes a credit line.
    await order.refund(["40"])
    await order.refund(["39"])
    await waive("30")
    expect(kinds(order)).toEqual([
      ["sale", "158.00"],
      ["refund", "-20.00"],
      ["refund", "-20.00"],
      ["return", "-79.00"],
    ])
  })
})

describe("whatever becomes of an order", () => {
  const cents = (max: number) => fc.nat({ max }).map((amount) => (amount / 100).toFixed(2))
  const price = fc.constantFrom("79", "99.95", "12.49", "500")
  const newLine = fc.record({
    variant: fc.nat({ max: 3 }),
    quantity: fc.integer({ min: 1, max: 3 }),
    price,
    discount: fc.oneof(fc.constant("0"), cents(900)),
  })
  const newOrder = fc.record({
    currency: fc.constantFrom("dkk", "jpy", "kwd"),
    isTaxInclusive: fc.boolean(),
    rate: fc.constantFrom("25", "19", "7.7", "0"),
    lines: fc.array(newLine, { minLength: 1, maxLength: 3 }),
    shipping: fc.constantFrom("0", "39", "4.99", null),
    giftCard: fc.oneof({ weight: 2, arbitrary: fc.constant("0") }, cents(5_000)),
  })
  const step = fc.record({
    kind: fc.constantFrom(
      ...([
        "edit",
        "add",
        "fulfil",
        "fulfil",
        "return",
        "exchange",
        "exchange",
        "claim",
        "refund",
      ] as const),
      ...(["waive", "cancel"] as const),
    ),
    at: fc.nat({ max: 9 }),
    quantity: fc.integer({ min: 0, max: 3 }),
    amount: cents(6_000),
    line: newLine,
    one: fc.boolean(),
    other: fc.boolean(),
  })
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

  const REASONS = [null, { label: "Shipping Issue", code: "shipping_issue" }]

  async function happen(order: MedusaOrder, step: Step): Promise<void> {
    const { kind, at, quantity, amount, one, other } = step
    const line = order.lines[at % order.lines.length]?.id ?? ""
    const piece = { line, quantity: 1 }
    // Only what was sent can come back, and by chance few histories would have sent just that piece.
    if (kind === "return" || kind === "claim") await unlessRefused(() => order.fulfil(piece))
    if (kind === "edit") {
      await order.edit(
        line,
        quantity,
        one ? step.line.price : null,
        other ? step.line.discount : null,
      )
    }
    if (kind === "add") await order.add(step.line)
    if (kind === "fulfil") await order.fulfil({ line, quantity })
    if (kind === "return") await order.sendBack(piece, one)
    if (kind === "exchange") await order.exchange(piece, step.line)
    if (kind === "claim") await order.claim(piece, one ? step.line : null)
    if (kind === "refund" && amount !== "0.00") {
      await order.refund(one ? [amount] : [amount, "1.00"], REASONS[at % 2] ?? null)
    }
    if (kind === "waive" && amount !== "0.00") await order.waive(amount)
    // Rarely, because nothing comes after it.
    if (kind === "cancel" && at < 2) await order.cancel()
  }

  const DIGITS: Record<string, number> = { dkk: 2, jpy: 0, kwd: 3 }
  /** Rounded up or down: no further from Medusa's number than the currency's smallest unit. */
  const within = (booked: BigNumberInput, exact: BigNumberInput, digits: number) =>
    MathBN.lt(MathBN.abs(MathBN.sub(booked, exact)), MathBN.convert(10).pow(-digits))

  function expectToAgree(order: MedusaOrder): LedgerEntry[] {
    const all = entries(order)
    const digits = DIGITS[order.snapshot().currencyCode] ?? 2
    expect(new Set(all.map(({ source }) => source)).size).toBe(all.length)
    // What is shown of an entry is all that there is: so shown rows add up to shown sums, however they are grouped.
    for (const entry of all) {
      for (const amount of [entry.amount, entry.tax, entry.discount]) {
        expect([entry.source, MathBN.eq(amount, shown(amount, digits))]).toEqual([
          entry.source,
          true,
        ])
      }
    }
    const totals = order.totals()
    if (order.canceledAt) {
      for (const { id } of order.lines) {
        expect(sum(all.filter(({ lineId }) => lineId === id)).toNumber()).toBe(0)
      }
      expect([sum(all).toNumber(), sum(all, "tax").toNumber()]).toEqual([0, 0])
      return all
    }
    for (const { id } of order.lines) {
      const item = totals.items.find((each) => each.id === id)
      const own = all.filter(({ lineId, kind }) => lineId === id && kind !== "refund")
      const back = MathBN.sum(
        item?.detail.return_received_quantity ?? 0,
        item?.detail.return_dismissed_quantity ?? 0,
      )
      expect({
        amount: within(sum(own), item?.total ?? 0, digits),
        tax: within(sum(own, "tax"), item?.tax_total ?? 0, digits),
        discount: within(sum(own, "discount"), item?.discount_total ?? 0, digits),
        quantity: shown(sum(own, "quantity")),
      }).toEqual({
        amount: true,
        tax: true,
        discount: true,
        quantity: shown(MathBN.sub(item?.quantity ?? 0, back)),
      })
    }
    // Shipping that was refunded is a refund, whose entries have no line.
    const shipping = all.filter(({ kind }) => kind === "shipping")
    expect(within(sum(shipping), totals.shipping_total, digits)).toBe(true)
    // All of it, what refunds took from lines too, is Medusa's total of the order.
    expect(shown(sum(all), digits)).toBe(shown(totals.total, digits))
    return all
  }

  it(`Medusa's own totals come out after each step, and no entry is written over (${HISTORIES} histories)`, async () => {
    const seen = new Map<string, number>()
    let happened = 0
    await fc.assert(
      fc.asyncProperty(newOrder, fc.array(step, { maxLength: 8 }), async (placed, steps) => {
        const order = new MedusaOrder(placed)
        let before = expectToAgree(order)
        for (const each of steps) {
          if (order.canceledAt) break
          const version = order.version
          if (!(await unlessRefused(() => happen(order, each)))) {
            // Half of it may have happened: what Medusa did before it refused stands.
            if (order.version === version) continue
          }
          happened += 1
          const after = expectToAgree(order)
          const later = new Map(after.map((entry) => [entry.source, entry]))
          expect(before.map(({ source }) => later.get(source))).toEqual(before)
          before = after
        }
        for (const { kind } of before) seen.set(kind, (seen.get(kind) ?? 0) + 1)
        seen.set(placed.currency, (seen.get(placed.currency) ?? 0) + 1)
      }),
      runs(HISTORIES),
    )
    expect(happened).toBeGreaterThan(HISTORIES)
    // Histories in which nothing happens would prove nothing.
    for (const kind of [
      "sale",
      "edit",
      "return",
      "refund",
      "exchange_in",
      "exchange_out",
      "claim",
      "cancel",
      "shipping",
      "credit",
      ...Object.keys(DIGITS),
    ]) {
      expect([kind, seen.has(kind)]).toEqual([kind, true])
    }
  })
})
