import fc from "fast-check"
import { runs } from "../../../../../integration-tests/setup/generated"
import type { CampaignPrice } from "../../../../contract"
import { basisOf } from "../../shared/price-basis"
import { decidePrice, type PricePolicy } from "../price-policy"

const NOW = Date.UTC(2026, 10, 20, 19)
const PRICE_HOLD_MS = 30 * 60_000
const POLICY: PricePolicy = {
  priceHoldMs: PRICE_HOLD_MS,
  paymentHoldMs: 15 * 60_000,
  whenCatalogIsCheaper: "campaign",
  minPriceShare: 0,
}

type Input = Omit<Parameters<typeof decidePrice>[0], "basis"> & { pricesIncludeVat: boolean }

const looked = (changes: Partial<CampaignPrice> = {}): CampaignPrice => ({
  amount: 100,
  discount: null,
  vat: { rate: 25, included: true },
  currency: "dkk",
  ...changes,
})

/** What the store asks without the show, with the tax in it and without. */
const gross = (amount: number) => ({ amount, isTaxInclusive: true, compareAt: null })
const net = (amount: number) => ({ amount, isTaxInclusive: false, compareAt: null })

const decide = ({ pricesIncludeVat = true, ...changes }: Partial<Input> = {}) => {
  const { price = looked(), cartCurrency = "dkk" } = changes
  return decidePrice({
    price,
    basis: basisOf(price, { currency: cartCurrency, pricesIncludeVat }),
    cartCurrency,
    catalog: gross(125),
    taxRate: 25,
    deadline: null,
    fetchedAt: NOW,
    source: "lookup",
    policy: POLICY,
    ...changes,
  })
}

const proven = (changes: Partial<Input> = {}) => {
  const verdict = decide(changes)
  if (verdict.kind !== "campaign") throw new Error(JSON.stringify(verdict))
  return verdict.price
}

describe("what a basket line is sold at", () => {
  it("is the show's price, with where it came from", () => {
    expect(proven()).toEqual({
      amount: 100,
      isTaxInclusive: true,
      compareAt: 125,
      isDearer: false,
      answer: looked(),
      source: "lookup",
      fetchedAt: NOW,
      expiresAt: NOW + PRICE_HOLD_MS,
    })
  })

  it("is the show's price where it is above the catalog's, with nothing struck through", () => {
    expect(proven({ catalog: gross(80) })).toMatchObject({
      amount: 100,
      compareAt: null,
    })
    expect(proven({ catalog: gross(100) }).compareAt).toBeNull()
  })

  it("needs no catalog price", () => {
    expect(proven({ catalog: null })).toMatchObject({
      amount: 100,
      compareAt: null,
    })
  })

  it.each([1e30, 1e12, 0.0001, 1e-7, Number.MIN_VALUE])(
    "is not %p, which no shop charges",
    (amount) => {
      expect(decide({ price: looked({ amount }) })).toEqual({
        kind: "refused",
        reason: { code: "price_unavailable" },
      })
    },
  )

  it.each([
    ["dkk", 19.992, 19.99],
    ["dkk", 19.995, 20],
    ["jpy", 199.5, 200],
    ["kwd", 1.2345, 1.235],
    ["dkk", 129, 129],
  ])("has no more digits than its currency: %s %p", (currency, amount, charged) => {
    const price = looked({ amount, currency })
    // The answer is kept as it came.
    expect(proven({ price, cartCurrency: currency })).toMatchObject({
      amount: charged,
      answer: { amount },
    })
  })

  it("is not given away by rounding", () => {
    expect(decide({ price: looked({ amount: 0.004 }) })).toMatchObject({
      reason: { code: "price_unavailable" },
    })
  })

  it("can be nothing at all", () => {
    expect(proven({ price: looked({ amount: 0 }) })).toMatchObject({ amount: 0, compareAt: 125 })
  })

  it("includes tax as the answer says, else as the connection says (gap 34)", () => {
    const said = (included: boolean | null) => looked({ vat: { rate: null, included } })
    expect(proven({ price: said(false), pricesIncludeVat: true }).isTaxInclusive).toBe(false)
    expect(proven({ price: said(true), pricesIncludeVat: false }).isTaxInclusive).toBe(true)
    expect(proven({ price: said(null), pricesIncludeVat: true }).isTaxInclusive).toBe(true)
    expect(proven({ price: said(null), pricesIncludeVat: false }).isTaxInclusive).toBe(false)
  })
})

describe("currency (gap 35)", () => {
  it("refuses a price in another currency than the basket's", () => {
    expect(decide({ price: looked({ currency: "eur" }) })).toEqual({
      kind: "refused",
      reason: {
        code: "currency_mismatch",
        params: { show_currency: "EUR", cart_currency: "DKK" },
      },
    })
  })

  it("takes the connection's where the answer has none, which is the basket's", () => {
    expect(proven({ price: looked({ currency: null }) }).amount).toBe(100)
  })
})

describe("the end of a campaign", () => {
  it("ends its prices at that very millisecond", () => {
    const ended = { kind: "refused", reason: { code: "campaign_ended" } }
    expect(decide({ deadline: NOW })).toMatchObject(ended)
    expect(decide({ deadline: NOW - 1 })).toMatchObject(ended)
    expect(proven({ deadline: NOW + 1 }).amount).toBe(100)
  })

  it("ends the hold of a price early, never late (gap 45a)", () => {
    expect(proven({ deadline: NOW + 60_000 }).expiresAt).toBe(NOW + 60_000)
    expect(proven({ deadline: NOW + 24 * 3_600_000 }).expiresAt).toBe(NOW + PRICE_HOLD_MS)
  })
})

describe("the catalog price that is struck through", () => {
  it("has as many digits as its currency", () => {
    const dinar = (amount: number, rate: number) => ({
      cartCurrency: "kwd",
      price: looked({ amount, currency: null, vat: { rate: null, included: false } }),
      taxRate: rate,
    })
    const catalog = gross(1.125)
    expect(proven({ ...dinar(0.5, 8), catalog }).compareAt).toBe(1.042)
    expect(proven({ ...dinar(1.041, 8), catalog }).compareAt).toBe(1.042)
  })

  it("is put on the show's tax basis", () => {
    expect(proven({ catalog: net(100) }).compareAt).toBe(125)
    const price = looked({ amount: 70, vat: { rate: 25, included: false } })
    expect(proven({ price, catalog: gross(100) }).compareAt).toBe(80)
  })

  it("is not shown where the saving would only be the tax, or the store's rate is not known", () => {
    const price = looked({ amount: 100, vat: { rate: 25, included: false } })
    for (const taxRate of [25, null]) {
      expect(proven({ price, catalog: gross(125), taxRate }).compareAt).toBeNull()
    }
  })

  it("is put there with the store's own tax, whatever rate the service names", () => {
    // Not taxed by this store: 10.00 are 10.00 with the tax in, and 11.00 is no saving.
    const shown = looked({ amount: 11, vat: { rate: 25, included: true } })
    const catalog = net(10)
    expect(proven({ price: shown, catalog, taxRate: 0 })).toMatchObject({
      compareAt: null,
      isDearer: true,
    })
    expect(
      decide({
        price: shown,
        catalog,
        taxRate: 0,
        policy: { ...POLICY, whenCatalogIsCheaper: "catalog" },
      }),
    ).toEqual({ kind: "catalog" })
  })

  it("is the store's own number to the last digit where the basis is the same", () => {
    // Three decimals are usual in KWD; two of them would strike through another price than the store's.
    const dinars = looked({ amount: 1.231, currency: "kwd" })
    expect(
      proven({
        price: dinars,
        cartCurrency: "kwd",
        catalog: gross(1.234),
      }).compareAt,
    ).toBe(1.234)
  })

  it("is always a real price above the show's, or nothing", () => {
    const money = fc.nat({ max: 99_999 }).map((cents) => cents / 100)
    const vats = fc.record({
      rate: fc.constantFrom(null, 0, 7, 19, 25, 100),
      included: fc.boolean(),
    })
    const catalogs = fc.record({
      amount: money,
      isTaxInclusive: fc.boolean(),
      compareAt: fc.constant(null),
    })
    let struck = 0
    fc.assert(
      fc.property(money, vats, catalogs, (amount, vat, catalog) => {
        const { compareAt } = proven({
          price: looked({ amount, vat: { ...vat, rate: null } }),
          catalog,
          taxRate: vat.rate,
        })
        if (compareAt === null) return
        struck += 1
        expect(Number.isFinite(compareAt) && compareAt > amount).toBe(true)
        // In tax-inclusive money on both sides, the saving is there as well, to half a cent.
        const taxed = (value: number, inclusive: boolean) =>
          inclusive ? value : value * (1 + (vat.rate ?? 0) / 100)
        expect(taxed(catalog.amount, catalog.isTaxInclusive)).toBeGreaterThan(
          taxed(amount, vat.included) - 0.011,
        )
      }),
      runs(5_000),
    )
    expect(struck).toBeGreaterThan(1_000)
  })
})

describe("what the merchant has decided", () => {
  const cheaper = { ...POLICY, whenCatalogIsCheaper: "catalog" as const }
  const floor = { ...POLICY, minPriceShare: 0.5 }

  it("charges a show's price that is above the catalog's, unless they said otherwise", () => {
    const above = { catalog: gross(80) }
    expect(decide(above)).toMatchObject({ kind: "campaign", price: { amount: 100 } })
    expect(decide({ ...above, policy: cheaper })).toEqual({ kind: "catalog" })
    expect(proven({ policy: cheaper }).amount).toBe(100)
  })

  it("compares on one tax basis, and not at all where no rate is known", () => {
    const price = looked({ amount: 90, vat: { rate: 25, included: false } })
    const compared = { price, catalog: gross(100), policy: cheaper }
    // 100.00 with 25 % are 80.00 without.
    expect(decide(compared)).toEqual({ kind: "catalog" })
    expect(decide({ ...compared, taxRate: null }).kind).toBe("campaign")
  })

  it("is sold at nothing below the floor, and at the floor itself", () => {
    const at = (amount: number) => decide({ price: looked({ amount }), policy: floor })
    expect(at(62.5).kind).toBe("campaign")
    expect(at(62.49)).toEqual({ kind: "refused", reason: { code: "price_too_low" } })
    expect(at(0)).toMatchObject({ reason: { code: "price_too_low" } })
    expect(decide({ price: looked({ amount: 1 }), catalog: null, policy: floor }).kind).toBe(
      "campaign",
    )
  })

  it("holds the floor where the tax bases differ and nobody names the rate", () => {
    const without = (amount: number) =>
      decide({
        price: looked({ amount, vat: { rate: null, included: false } }),
        catalog: gross(150),
        taxRate: null,
        policy: floor,
      })
    expect(without(1)).toEqual({ kind: "refused", reason: { code: "price_too_low" } })
    // At least 100.00 without tax, in whatever country and of whatever goods.
    expect([without(49.9).kind, without(50.1).kind]).toEqual(["refused", "campaign"])
    const withTax = decide({
      price: looked({ amount: 49, vat: { rate: null, included: true } }),
      catalog: net(100),
      policy: floor,
    })
    expect(withTax.kind).toBe("refused")
  })
})
