import type { PushedProduct } from "../../../../contract"
import { catalogRange } from "../catalog-range"

const variant = (id: string, price: number) => ({ id, sku: id, name: id, price, status: "enabled" })
const shared = { id: "p", sku: "p", name: "p", url: "https://a.example", status: "enabled" }
const simple = { ...shared, type: "simple", price: 50 } as PushedProduct
const sizes = {
  ...shared,
  type: "configurable",
  price: 10,
  configurableOptions: [],
  variants: [variant("s", 10), variant("m", 20), variant("l", 30)],
} as unknown as PushedProduct
const shown = (...ids: string[]) => ({
  variants: ids.map((id) => ({
    uid: id,
    sku: id,
    external_id: id,
    price: null,
    names: [],
  })),
})

describe("the catalog's prices of a product in a show", () => {
  it("are those of the variants that the show names, or of all where it names none", () => {
    expect(catalogRange(shown(), sizes)).toEqual({ min: 10, max: 30 })
    expect(catalogRange(shown("m", "l"), sizes)).toEqual({ min: 20, max: 30 })
    expect(catalogRange(shown("s"), sizes)).toEqual({ min: 10, max: 10 })
    expect(catalogRange(shown("gone"), sizes)).toEqual({ min: 10, max: 10 })
    expect(catalogRange(shown(), simple)).toEqual({ min: 50, max: 50 })
  })
})
