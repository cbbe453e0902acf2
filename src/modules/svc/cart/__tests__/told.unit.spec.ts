import fc from "fast-check"
import type { CartSituation, PriceChange, Proof } from "../situation"
import { agreedChanges, untoldChanges } from "../told"
import { MarketStall } from "./market-stall"

const change = (changes: Partial<PriceChange> = {}): PriceChange => ({
  id: "change_1",
  lineId: "line_1",
  variantId: "mug-oat",
  title: "Mug",
  oldUnitPrice: 129,
  oldIsTaxInclusive: true,
  oldQuantity: 1,
  currency: "dkk",
  reason: "price_changed",
  params: null,
  removed: false,
  again: false,
  answeredAt: null,
  sessionsBefore: [],
  ...changes,
})
const session = (id: string) => ({
  id,
  status: "pending",
  amount: 189,
  currency: "dkk",
})

describe("what a shopper is told of a line", () => {
  const told = (changed: Partial<PriceChange>, line: Parameters<MarketStall["put"]>[0] | null) => {
    const stall = new MarketStall()
    if (line) stall.put(line)
    return untoldChanges({ ...stall.situation(), changes: [change(changed)] })
  }

  it("is what it was and what it is, with the change's id", () => {
    expect(told({}, { unitPrice: 189 })).toEqual([
      {
        id: "change_1",
        line_item_id: "line_1",
        variant_id: "mug-oat",
        title: "Mug",
        old_unit_price: 129,
        new_unit_price: 189,
        old_quantity: 1,
        new_quantity: 1,
        old_is_tax_inclusive: true,
        new_is_tax_inclusive: true,
        currency_code: "dkk",
        old_currency_code: "dkk",
        reason: "price_changed",
      },
    ])
  })

  it.each([
    ["the same price on another tax basis", {}, { unitPrice: 129, isTaxInclusive: false }],
    ["the same number in another currency", { currency: "eur" }, { unitPrice: 129 }],
    ["fewer pieces", { reason: "quantity_limited", oldQuantity: 5 }, { unitPrice: 129 }],
    [
      "the price that it had, after another that nobody was told of",
      { again: true },
      { unitPrice: 129 },
    ],
    ["a line that came along", { reason: "region_changed" }, { unitPrice: 129 }],
  ])("is also %s", (_what, changed, line) => {
    expect(told(changed, line)).toHaveLength(1)
  })

  it.each(["price_unavailable", "price_too_low"])(
    "is not that its price is the shop's where it is back at a show's: %s",
    (reason) => {
      const proof: Proof = {
        connectionId: "c",
        campaignUid: "show",
        orderNo: "A",
        regionId: null,
        amount: 119,
        currency: "dkk",
        isTaxInclusive: true,
        expiresAt: 0,
        heldUntil: null,
        heldQuantity: null,
      }
      expect(told({ reason }, { unitPrice: 119, proof })).toMatchObject([
        { reason: "price_changed" },
      ])
      expect(told({ reason }, { unitPrice: 189 })).toMatchObject([{ reason }])
    },
  )

  it("is that a line is gone, where we took it out", () => {
    expect(told({ removed: true }, null)).toMatchObject([{ new_unit_price: null, new_quantity: 0 }])
  })

  it.each([
    ["a line that the shopper removed", {}, null],
    ["a change that was undone", {}, { unitPrice: 129 }],
  ])("is nothing of %s", (_what, changed, line) => {
    expect(told(changed, line)).toEqual([])
  })
})

describe("what a shopper has agreed to", () => {
  const ASKED_AT = 1000
  const agreed = (
    changed: Partial<PriceChange>,
    request: Partial<Parameters<typeof agreedChanges>[1]> = {},
    sessions: string[] = [],
  ): boolean => {
    const payment: CartSituation["payment"] = { collection: null, sessions: sessions.map(session) }
    return agreedChanges(
      { changes: [change(changed)], payment },
      {
        acknowledged: null,
        askedAt: ASKED_AT,
        beginsPayment: false,
        nothingToPay: false,
        ...request,
      },
    ).has("change_1")
  }
  const answered = { answeredAt: ASKED_AT - 1 }

  it("is what the storefront says it has shown, and nothing newer", () => {
    expect(agreed({}, { acknowledged: ["change_1"] })).toBe(true)
    expect(agreed({}, { acknowledged: ["change_0"] })).toBe(false)
  })

  it("is a total that the shopper began to pay", () => {
    expect(agreed({ sessionsBefore: ["old"] }, {}, ["new"])).toBe(true)
    expect(agreed({ sessionsBefore: ["old"] }, { acknowledged: [] }, ["new"])).toBe(true)
    expect(agreed({ sessionsBefore: ["old"] }, {}, ["old"])).toBe(false)
    // The payment that is to begin now is not one that was begun.
    expect(agreed({ sessionsBefore: ["old"] }, { beginsPayment: true }, ["new"])).toBe(false)
  })

  it("is not an answer that may have been lost, while there is another sign to come", () => {
    expect(agreed(answered)).toBe(false)
    expect(agreed(answered, { beginsPayment: true, acknowledged: [] })).toBe(false)
  })

  it("is an answer where no other sign can come", () => {
    expect(agreed(answered, { beginsPayment: true })).toBe(true)
    expect(agreed(answered, { nothingToPay: true })).toBe(true)
    expect(agreed({ ...answered, sessionsBefore: ["old"] }, {}, ["old"])).toBe(true)
  })

  it("is nothing of an answer that came at the same time: a double click", () => {
    expect(agreed({ answeredAt: ASKED_AT }, { beginsPayment: true })).toBe(false)
    expect(agreed({ answeredAt: ASKED_AT + 1 }, { nothingToPay: true })).toBe(false)
  })

  it("is never a change that no answer carried and no payment followed", () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.boolean(),
        fc.option(fc.uniqueArray(fc.constantFrom("change_0", "change_2"))),
        fc.uniqueArray(fc.constantFrom("one", "two")),
        (beginsPayment, nothingToPay, acknowledged, sessions) => {
          expect(
            agreed(
              { sessionsBefore: sessions },
              { beginsPayment, nothingToPay, acknowledged },
              sessions,
            ),
          ).toBe(false)
        },
      ),
    )
  })
})
