import { isOnBasis } from "../price-basis"

/** As the connection is set, and as the looked-up price says; without a word it is the connection's (gaps 34, 35). */
describe("a looked-up amount is kept as a bare number", () => {
  it.each([
    { withVat: true, included: true, currency: "dkk", isKept: true },
    { withVat: true, included: false, currency: "dkk", isKept: false },
    { withVat: false, included: true, currency: "dkk", isKept: false },
    { withVat: false, included: false, currency: "dkk", isKept: true },
    { withVat: false, included: null, currency: null, isKept: true },
    { withVat: true, included: true, currency: "sek", isKept: false },
  ])("only on the connection's basis: %j", ({ withVat, included, currency, isKept }) => {
    const price = { vat: { rate: 25, included }, currency }
    expect(isOnBasis(price, { currency: "dkk", pricesIncludeVat: withVat })).toBe(isKept)
  })
})
