import fc from "fast-check"
import { guestContext, shownPrice, taxedCountries } from "../market-price"

const basis = (over: { digits?: number; includeTax?: boolean } = {}) => ({
  digits: 2,
  includeTax: true,
  ...over,
})
const price = (amount: string, inclusive = false) => ({ amount, inclusive })

describe("the price that is told (gap 30)", () => {
  it("is the one that the shopper pays: Medusa's default is a price without tax", () => {
    expect(shownPrice(price("100"), "25", basis())).toBe(125)
  })

  it("is left alone where tax is in it already, or where nobody adds any", () => {
    expect(shownPrice(price("100", true), "25", basis())).toBe(100)
    expect(shownPrice(price("100"), null, basis())).toBe(100)
    expect(shownPrice(price("89.955"), null, basis())).toBe(89.955)
  })

  it("is without tax where the connection's show prices are", () => {
    const without = basis({ includeTax: false })
    expect(shownPrice(price("100"), "25", without)).toBe(100)
    expect(shownPrice(price("125", true), "25", without)).toBe(100)
  })

  it.each([
    ["99.99", "25", 2, 124.99],
    ["1000", "10", 0, 1100],
    ["1001", "7.7", 0, 1078],
    ["1.2345", "5", 3, 1.296],
    ["0.1", "20", 2, 0.12],
    ["1.005", "0", 2, 1.01],
  ])(
    "is rounded as a shopper is charged: %s with %s %% to %i places",
    (amount, rate, digits, told) => {
      expect(shownPrice(price(amount), rate, basis({ digits }))).toBe(told)
    },
  )

  it("keeps the digits of an amount that floats would lose", () => {
    expect(shownPrice(price("0.30000000000000000"), null, basis())).toBe(0.3)
    expect(shownPrice(price("1234567.89"), "25", basis())).toBe(1543209.86)
  })

  it("there and back is the same to the last place, whatever the rate", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.integer({ min: 0, max: 5_000 }),
        (cents, rate) => {
          const net = (cents / 100).toFixed(2)
          const percent = (rate / 100).toFixed(2)
          const gross = shownPrice(price(net), percent, basis({ digits: 4 }))
          const back = shownPrice(price(String(gross), true), percent, basis({ includeTax: false }))
          expect(back).toBe(Number(net))
        },
      ),
    )
  })
})

describe("the countries whose taxes may count", () => {
  const market = { automatic_taxes: true, countries: ["de", "dk", "se"] }

  it("are the one that was chosen, else the region's, and none where nobody adds any", () => {
    expect(taxedCountries(market, null)).toEqual(market.countries)
    expect(taxedCountries(market, "se")).toEqual(["se"])
    // Not one of the region's any more.
    expect(taxedCountries(market, "us")).toEqual(market.countries)
    expect(taxedCountries({ ...market, automatic_taxes: false }, "dk")).toEqual([])
  })
})

describe("what a guest's cart says", () => {
  const connection = { region_id: "reg", sales_channel_id: "sc" }
  const of = (countries: string[]) => ({ currency_code: "dkk", countries })

  it("has the country where the region has one only, and the connection's language", () => {
    expect(guestContext(of(["dk"]), connection, "da-dk")).toEqual({
      currency_code: "dkk",
      region_id: "reg",
      sales_channel_id: "sc",
      quantity: 1,
      "shipping_address.country_code": "dk",
      locale: "da-DK",
    })
    expect(guestContext(of(["dk", "se"]), connection, null)).toEqual({
      currency_code: "dkk",
      region_id: "reg",
      sales_channel_id: "sc",
      quantity: 1,
    })
  })
})
