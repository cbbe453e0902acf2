import fc from "fast-check"
import type { StoreMarket } from "../../core-tables/store-markets"
import { lowestOf, type TaxRate } from "../../core-tables/store-prices"
import { type PriceBasis, rateOf, shownPrice, taxCountry } from "../market-price"

const basis = (over: Partial<PriceBasis> = {}): PriceBasis => ({
  digits: 2,
  region_inclusive: null,
  currency_inclusive: null,
  includeTax: true,
  country: "dk",
  ...over,
})
const price = (amount: string, regional = false) => ({ amount, regional })

describe("the price that is told (gap 30)", () => {
  it("is the one that the shopper pays: Medusa's default is a price without tax", () => {
    expect(shownPrice(price("100"), "25", basis())).toBe(125)
  })

  it("is left alone where tax is in it already, or where nobody adds any", () => {
    expect(shownPrice(price("100"), "25", basis({ currency_inclusive: true }))).toBe(100)
    expect(shownPrice(price("100"), null, basis())).toBe(100)
    expect(shownPrice(price("89.955"), null, basis())).toBe(89.955)
  })

  it("is without tax where the connection's show prices are", () => {
    const without = basis({ includeTax: false })
    expect(shownPrice(price("100"), "25", without)).toBe(100)
    expect(shownPrice(price("125"), "25", { ...without, currency_inclusive: true })).toBe(100)
  })

  it("goes by the region's preference only where the price is the region's own, as Medusa does", () => {
    const both = basis({ region_inclusive: true, currency_inclusive: false })
    expect(shownPrice(price("100", true), "25", both)).toBe(100)
    expect(shownPrice(price("100", false), "25", both)).toBe(125)
    expect(shownPrice(price("100", true), "25", basis({ currency_inclusive: true }))).toBe(100)
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
          const back = shownPrice(
            price(String(gross)),
            percent,
            basis({ includeTax: false, currency_inclusive: true }),
          )
          expect(back).toBe(Number(net))
        },
      ),
    )
  })
})

describe("the rate", () => {
  const rate = (over: Partial<TaxRate>): TaxRate => ({
    country_code: "dk",
    rate: "25",
    reference: null,
    reference_id: null,
    ...over,
  })
  const rates = [
    rate({}),
    rate({ rate: "12", reference: "product_type", reference_id: "books" }),
    rate({ rate: "6", reference: "product", reference_id: "prod_1" }),
    rate({ country_code: "se", rate: "20" }),
  ]

  it("is the product's own, else its type's, else the country's", () => {
    expect(rateOf({ id: "prod_1", type_id: "books" }, "dk", rates)).toBe("6")
    expect(rateOf({ id: "prod_2", type_id: "books" }, "dk", rates)).toBe("12")
    expect(rateOf({ id: "prod_2", type_id: null }, "dk", rates)).toBe("25")
    expect(rateOf({ id: "prod_1", type_id: "books" }, "se", rates)).toBe("20")
    expect(rateOf({ id: "prod_1", type_id: null }, "de", rates)).toBeNull()
  })

  it("is of the country that was chosen, else of the first one with taxes; of none where the store adds none", () => {
    const market = { automatic_taxes: true, countries: ["de", "se"] } as StoreMarket
    expect(taxCountry(market, null)).toBe("de")
    expect(taxCountry(market, "se")).toBe("se")
    expect(taxCountry(market, "us")).toBe("de")
    expect(taxCountry({ ...market, automatic_taxes: false }, "se")).toBeNull()
    expect(taxCountry({ ...market, countries: [] }, null)).toBeNull()
  })
})

describe("of a list's price and the variant's own", () => {
  const own = { amount: "100", regional: false, list_type: null }

  it("a sale counts where it is lower, an override always", () => {
    const sale = { amount: "90", regional: false, list_type: "sale" }
    expect(lowestOf([own, sale])?.amount).toBe("90")
    expect(lowestOf([own, { ...sale, amount: "110" }])?.amount).toBe("100")
    expect(lowestOf([own, { ...sale, amount: "110", list_type: "override" }])?.amount).toBe("110")
    expect(lowestOf([sale])?.amount).toBe("90")
    expect(lowestOf([own])?.amount).toBe("100")
    expect(lowestOf([])).toBeNull()
  })
})
