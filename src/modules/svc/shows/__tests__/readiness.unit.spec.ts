import {
  configurable,
  simple as pushed,
  variant,
} from "../../../../../integration-tests/setup/pushed-products"
import { readinessOf } from "../readiness"
import type { KnownEventProduct } from "../show-queries"

const product = (changes: Partial<KnownEventProduct> = {}): KnownEventProduct => ({
  id: "svcevp_1",
  connection_id: "svccon_1",
  uid: "u1",
  kind: "live",
  sku: "sku",
  external_id: "prod_1",
  campaign_uid: "c1",
  name: "Mug",
  price: 79,
  suggested_retail_price: null,
  available: true,
  min_purchase_qty: null,
  max_qty_per_customer: null,
  variants: [],
  deleted_at: null,
  occurred_at: new Date(0),
  needs_reread: false,
  shown: { url: null, image: null, brand: null, default_quantity: null },
  ...changes,
})
const item = (
  state: "pending" | "synced" | "invalid" | "failed" | "removed",
  acknowledged_hash: string | null = "sent before",
) => ({
  state,
  acknowledged_hash,
  reason_code: state === "invalid" ? "price_missing" : null,
  reason_message: state === "invalid" ? "It has no price." : null,
  reason_fix: state === "invalid" ? "Give it a price." : null,
})
const open = { sells: true }
type Known = Parameters<typeof readinessOf>
/** As the service last took it. */
const simple = { ...pushed, price: 79 }
const codes = (shown: Known[0], known: Known[2], accepted?: Known[3], campaign: Known[1] = open) =>
  readinessOf(shown, campaign, known, accepted).problems.map(({ code }) => code)

describe("whether a product of a show can be sold", () => {
  it("is not where the campaign sells nothing any more, whatever else is well (gap 21)", () => {
    const over = { sells: false }
    expect(codes(product(), item("synced"), undefined, over)).toEqual(["campaign_ended"])
    expect(readinessOf(product(), over, item("synced"), undefined).ready).toBe(false)
    expect(codes(product({ available: false }), item("synced"), undefined, over)).toEqual([
      "campaign_ended",
      "not_available",
    ])
  })

  it("is not where the service answers prices in another currency than the region's (gap 35)", () => {
    const shown = (prices: string | null, region: string | null) =>
      readinessOf(product(), { sells: true, currencies: { prices, region } }, item("synced"))
        .problems
    expect(shown("dkk", "eur")).toEqual([
      expect.objectContaining({
        code: "other_currency",
        message: expect.stringContaining("sells in DKK"),
        fix: expect.stringContaining("EUR"),
        params: { show_currency: "DKK", currency: "EUR" },
      }),
    ])
    for (const [prices, region] of [
      ["eur", "eur"],
      [null, "eur"],
      ["dkk", null],
    ] as const) {
      expect(shown(prices, region)).toEqual([])
    }
  })

  it("sells, with a warning, where the service answers about VAT what the connection does not say (gap 34)", () => {
    const shown = (answered: boolean | null, prices_include_vat: boolean) =>
      codes(product({ price: 199 }), item("synced"), simple, {
        sells: true,
        pricesIncludeVat: answered,
        connection: { status: "active", token_refused: false, prices_include_vat },
      })
    expect(shown(false, true)).toEqual(["other_tax_basis"])
    expect(shown(true, false)).toEqual(["other_tax_basis"])
    for (const answered of [true, null]) {
      expect(shown(answered, true)).toEqual(["price_above_catalog"])
    }
  })

  it("is not compared with what it costs in another currency", () => {
    const acknowledged = (hash: string) => ({ ...item("synced"), acknowledged_hash: hash })
    const shown = (prices: string | null, region: string, hash: string) =>
      codes(product({ price: 199 }), acknowledged(hash), simple, {
        sells: true,
        currencies: { prices, region },
      })
    expect(shown("dkk", "eur", "EUR:1")).toEqual(["other_currency"])
    // The region is another one since, and the product was not sent for it yet.
    expect(shown(null, "dkk", "EUR:1")).toEqual([])
    expect(shown("eur", "eur", "EUR:1")).toEqual(["price_above_catalog"])
    expect(shown(null, "eur", "off:disabled")).toEqual(["price_above_catalog"])
  })

  it("is ready when the service has it, also while a change of it is on its way", () => {
    expect(codes(product(), item("synced"))).toEqual([])
    expect(codes(product(), item("pending"))).toEqual([])
  })

  it("is not ready before the service has it for the first time", () => {
    expect(codes(product(), item("pending", null))).toEqual(["not_sent_yet"])
  })

  it("needs a price of the show: its own, or one of a variant's", () => {
    const variant = { uid: "v", sku: null, external_id: "variant_1", names: [], price: null }
    const unpriced = product({ price: null, variants: [variant] })
    expect(codes(unpriced, item("synced"))).toEqual(["no_show_price"])
    const perVariant = product({ price: null, variants: [variant, { ...variant, price: 89 }] })
    expect(codes(perVariant, item("synced"))).toEqual([])
    expect(codes(product({ price: 0 }), item("synced"))).toEqual([])
  })

  it("warns of a price above the store's, for the product or a variant of it, and sells", () => {
    const variants = [variant("variant_1", { price: 79 }), variant("variant_2", { price: 99 })]
    const sizes = { ...configurable(...variants), price: 79 }
    const synced = item("synced")
    const warned = { ready: true, problems: [{ code: "price_above_catalog" }] }
    expect(readinessOf(product({ price: 80 }), open, synced, simple)).toMatchObject(warned)
    expect(readinessOf(product({ price: 79 }), open, synced, simple)).toEqual({
      ready: true,
      problems: [],
    })
    // One price for variants of several: only what is above the dearest of them is no bargain at all.
    expect(codes(product({ price: 90 }), synced, sizes)).toEqual([])
    expect(codes(product({ price: 100 }), synced, sizes)).toHaveLength(1)
    const told = { uid: "v", sku: null, external_id: "variant_1", names: [], price: 89 }
    expect(readinessOf(product({ variants: [told] }), open, synced, sizes)).toMatchObject(warned)
    const other = { ...told, external_id: "variant_2" }
    expect(codes(product({ variants: [other] }), synced, sizes)).toEqual([])
    // A variant that has no price of its own sells at the product's.
    const unpriced = { ...other, price: null }
    const beside = [{ ...told, price: 9 }, unpriced]
    expect(codes(product({ price: 100, variants: beside }), synced, sizes)).toHaveLength(1)
    expect(codes(product({ price: 99, variants: beside }), synced, sizes)).toEqual([])
    expect(codes(product({ price: 99, variants: [unpriced] }), synced, sizes)).toEqual([])
    // And is not ready where something else stands in the way.
    expect(readinessOf(product({ price: 100, available: false }), open, synced, simple).ready).toBe(
      false,
    )
  })

  it("is not ready without stock, and warns of variants without", () => {
    const stock = (inventory: number) => ({ ...simple, inventory, manageStock: true })
    const synced = item("synced")
    expect(codes(product(), synced, stock(0))).toEqual(["out_of_stock"])
    expect(codes(product({ available: false }), synced, stock(0))).toEqual(["out_of_stock"])
    expect(codes(product(), synced, stock(1))).toEqual([])
    expect(codes(product(), synced, { ...stock(0), manageStock: false })).toEqual([])
    // Each basket takes three at least.
    const three = product({ min_purchase_qty: 3 })
    expect(codes(three, synced, stock(2))).toEqual(["out_of_stock"])
    expect(codes(three, synced, stock(3))).toEqual([])
    const variants = [variant("s", { inventory: 0 }), variant("m")]
    const sizes = { ...configurable(...variants), inventory: 0, manageStock: true }
    const told = (external_id: string) => ({
      uid: external_id,
      sku: null,
      external_id,
      names: [],
      price: 79,
    })
    expect(readinessOf(product(), open, synced, sizes)).toMatchObject({
      ready: true,
      problems: [{ code: "variants_out_of_stock", params: { count: 1, of: 2, variants: ["s"] } }],
    })
    // Of the variants that the show names: the others do not matter.
    expect(codes(product({ variants: [told("s")] }), synced, sizes)).toEqual(["out_of_stock"])
    expect(codes(product({ variants: [told("m")] }), synced, sizes)).toEqual([])
    // The store made its variants anew: the show has those that were.
    expect(codes(product({ variants: [told("gone")] }), synced, sizes)).toEqual(["variants_gone"])
    const off = configurable(variant("s", { status: "disabled" }))
    expect(codes(product(), synced, off)).toEqual(["out_of_stock"])
  })

  it("is not where the show's maximum is below its minimum (gap 45)", () => {
    const from3 = (max_qty_per_customer: number | null) =>
      product({ min_purchase_qty: 3, max_qty_per_customer })
    expect(codes(from3(2), item("synced"), simple)).toEqual(["max_below_min"])
    expect(codes(product({ max_qty_per_customer: 0 }), item("synced"))).toEqual(["max_below_min"])
    expect(codes(from3(3), item("synced"), simple)).toEqual([])
    expect(codes(from3(null), item("synced"), simple)).toEqual([])
  })

  it("is not where its price is below the merchant's floor, and warns where that is so for some variants", () => {
    const campaign = { sells: true, minPriceShare: 0.3 }
    const synced = item("synced")
    const judged = (changes: Partial<KnownEventProduct>, accepted: Known[3]) => {
      const { ready, problems } = readinessOf(product(changes), campaign, synced, accepted)
      return [ready, ...problems.map(({ code }) => code)]
    }
    const dear = { ...simple, price: 190 }
    expect(judged({ price: 19 }, dear)).toEqual([false, "price_below_floor"])
    expect(judged({ price: 57 }, dear)).toEqual([true])
    expect(judged({ price: null }, dear)).toEqual([false, "no_show_price"])
    const sizes = configurable(variant("s", { price: 50 }), variant("m", { price: 190 }))
    expect(judged({ price: 14 }, sizes)).toEqual([false, "price_below_floor"])
    expect(judged({ price: 19 }, sizes)).toEqual([true, "price_below_floor"])
    const s = { uid: "s", sku: null, external_id: "s", names: [], price: null }
    expect(judged({ price: 19, variants: [s] }, sizes)).toEqual([true])
    // No floor is set.
    expect(codes(product({ price: 0 }), synced, dear)).toEqual([])
  })

  it("sells what the service has, though it refused the last change of it, which somebody should look at", () => {
    const warned = { ready: true, problems: [{ code: "failed" }] }
    expect(readinessOf(product(), open, item("failed"), simple)).toMatchObject(warned)
    // It was never taken, or was told to be off.
    const off = { ...simple, status: "disabled" }
    expect(readinessOf(product(), open, item("failed"), undefined).ready).toBe(false)
    expect(readinessOf(product(), open, item("failed"), off).ready).toBe(false)
    expect(readinessOf(product(), open, item("invalid"), simple).ready).toBe(false)
  })

  it("says what stands in the way, with what to do", () => {
    expect(codes(product(), undefined)).toEqual(["not_in_store"])
    expect(codes(product(), item("removed"))).toEqual(["not_for_sale"])
    expect(codes(product(), item("failed"))).toEqual(["failed"])
    expect(codes(product({ available: false }), item("synced"))).toEqual(["not_available"])
    expect(readinessOf(product(), open, item("invalid")).problems).toEqual([
      { code: "price_missing", message: "It has no price.", fix: "Give it a price." },
    ])
  })

  it("says of a product that left the show only that", () => {
    expect(codes(product({ deleted_at: new Date(), available: false }), undefined)).toEqual([
      "not_in_show",
    ])
  })
})
