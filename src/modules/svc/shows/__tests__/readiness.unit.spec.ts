import { readinessProblems } from "../readiness"
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
  ...changes,
})
const item = (
  state: "pending" | "synced" | "invalid" | "failed" | "removed",
  last_pushed_at: Date | null = new Date(0),
) => ({
  state,
  last_pushed_at,
  reason_code: state === "invalid" ? "price_missing" : null,
  reason_message: state === "invalid" ? "It has no price." : null,
  reason_fix: state === "invalid" ? "Give it a price." : null,
})
const codes = (...args: Parameters<typeof readinessProblems>) =>
  readinessProblems(...args).map(({ code }) => code)

describe("whether a product of a show can be sold", () => {
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

  it("says what stands in the way, with what to do", () => {
    expect(codes(product(), undefined)).toEqual(["not_in_store"])
    expect(codes(product(), item("removed"))).toEqual(["not_for_sale"])
    expect(codes(product(), item("failed"))).toEqual(["failed"])
    expect(codes(product({ available: false }), item("synced"))).toEqual(["not_available"])
    expect(readinessProblems(product(), item("invalid"))).toEqual([
      { code: "price_missing", message: "It has no price.", fix: "Give it a price." },
    ])
  })

  it("says of a product that left the show only that", () => {
    expect(codes(product({ deleted_at: new Date(), available: false }), undefined)).toEqual([
      "not_in_show",
    ])
  })
})
