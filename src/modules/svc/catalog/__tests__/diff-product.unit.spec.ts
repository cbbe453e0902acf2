import { canonicalHash, type PushedProduct } from "../../../../contract"
import { diffProduct } from "../diff-product"
import { notForSale } from "../product-payload"
import { REASON } from "../reasons"

const payload: PushedProduct = {
  id: "prod_1",
  type: "simple",
  sku: "mug",
  name: "Mug",
  price: 100,
  url: "https://shop.example/products/mug",
  status: "enabled",
}
const diff = (
  row: Parameters<typeof diffProduct>[0],
  snapshot: Parameters<typeof diffProduct>[1],
) => diffProduct(row, snapshot, "disabled")
const forSale = {
  kind: "for_sale" as const,
  title: "Mug",
  mapped: { ok: true as const, payload, note: null },
}
const gone = { kind: "gone" as const, title: "Mug", reason: REASON.deleted() }
const never = { acknowledged_hash: null, last_payload: null, force: false }
const known = { acknowledged_hash: canonicalHash(payload), last_payload: payload, force: false }
const withdrawn = {
  acknowledged_hash: canonicalHash(notForSale(payload, "disabled")),
  last_payload: notForSale(payload, "disabled"),
  force: false,
}

describe("what the service is told", () => {
  it("is a product that it has not", () => {
    expect(diff(never, forSale)).toMatchObject({
      state: "synced",
      send: { payload, hash: canonicalHash(payload) },
    })
  })

  it("is nothing where it has an equal one, whatever the order of the fields", () => {
    expect(diff(known, forSale)).toMatchObject({ state: "synced", send: null })
    const reversed = Object.fromEntries(Object.entries(payload).reverse()) as PushedProduct
    const mapped = { ok: true as const, payload: reversed, note: null }
    expect(diff(known, { ...forSale, mapped }).send).toBeNull()
  })

  it("is the same once more where a person asks", () => {
    expect(diff({ ...known, force: true }, forSale).send?.payload).toEqual(payload)
  })

  it("is every change of a value", () => {
    const mapped = { ok: true as const, payload: { ...payload, price: 99.95 }, note: null }
    expect(diff(known, { ...forSale, mapped }).send?.payload.price).toBe(99.95)
  })

  it("is a withdrawal, once, when the product is gone", () => {
    expect(diff(known, gone)).toMatchObject({
      state: "removed",
      reason: { code: "deleted" },
      send: { payload: notForSale(payload, "disabled") },
    })
    expect(diff(withdrawn, gone)).toMatchObject({ state: "removed", send: null })
  })

  it("is nothing of a product that is gone before it was ever sent", () => {
    expect(diff({ ...never, force: true }, gone)).toMatchObject({ state: "removed", send: null })
  })

  it("is a withdrawal when the product can no longer be sold, with the reason", () => {
    const mapped = { ok: false as const, reason: REASON.no_variants() }
    expect(diff(known, { ...forSale, mapped })).toMatchObject({
      state: "invalid",
      reason: { code: "no_variants" },
      send: { payload: notForSale(payload, "disabled") },
    })
    expect(diff(never, { ...forSale, mapped })).toMatchObject({ state: "invalid", send: null })
  })

  it("is a withdrawal in the merchant's own word, and again when that word changes", () => {
    expect(diffProduct(withdrawn, gone, "hidden").send?.payload.status).toBe("hidden")
  })

  it("is the product again when it comes back", () => {
    expect(diff(withdrawn, forSale).send?.payload).toEqual(payload)
  })
})

describe("the hash of a payload", () => {
  it("tells a number from a text, an absent field from an empty one, and one order of a list from another", () => {
    const hashes = [
      { a: 1 },
      { a: "1" },
      { a: "" },
      { a: null },
      {},
      { a: [1, 2] },
      { a: [2, 1] },
      { a: [[1], 2] },
      { "a:1": 1 },
    ].map(canonicalHash)
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(canonicalHash({ a: undefined })).toBe(canonicalHash({}))
  })
})
