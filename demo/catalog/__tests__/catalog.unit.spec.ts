import { readdirSync } from "node:fs"
import { join } from "node:path"
import { CATEGORIES, PRODUCTS, SALES } from "../products"
import { picturesOf, slug, variantsOf } from "../variants"

const variants = PRODUCTS.flatMap(variantsOf)
const optionCount = ({ options }: { options?: Record<string, unknown> }) =>
  Object.keys(options ?? {}).length

describe("the demo's catalog", () => {
  it("is small, and in every category", () => {
    expect(PRODUCTS.length).toBeLessThanOrEqual(16)
    expect(new Set(PRODUCTS.map(({ category }) => category))).toEqual(new Set(CATEGORIES))
  })

  it.each([0, 1, 2, 3])("has products with %i options", (count) => {
    expect(PRODUCTS.filter((product) => optionCount(product) === count).length).toBeGreaterThan(0)
  })

  it.each(["plenty", "low", "none", "backorder", "unmanaged"] as const)(
    "has variants whose stock is %s",
    (stock) => {
      expect(variants.filter((variant) => variant.stock === stock).length).toBeGreaterThan(0)
    },
  )

  it("has one draft, and one product without a stock keeping unit", () => {
    expect(PRODUCTS.filter(({ draft }) => draft)).toHaveLength(1)
    expect(PRODUCTS.filter((product) => variantsOf(product).some(({ sku }) => !sku))).toHaveLength(
      1,
    )
  })

  it("gives every handle and every stock keeping unit once", () => {
    const handles = PRODUCTS.map(({ handle }) => handle)
    const skus = variants.flatMap(({ sku }) => (sku ? [sku] : []))
    expect([new Set(handles).size, new Set(skus).size]).toEqual([handles.length, skus.length])
  })

  it("has a sale that runs, one to come and one that is over, on products that exist", () => {
    const state = ({ fromDay, toDay }: { fromDay: number; toDay: number }) =>
      fromDay > 0 ? "to come" : toDay < 0 ? "over" : "running"
    expect(SALES.map(state).sort()).toEqual(["over", "running", "to come"])
    const handles = new Set(PRODUCTS.map(({ handle }) => handle))
    expect(SALES.flatMap((sale) => sale.handles).filter((handle) => !handles.has(handle))).toEqual(
      [],
    )
  })
})

describe("the demo's pictures", () => {
  const files = readdirSync(join(__dirname, "../pictures")).map((name) => `/pictures/${name}`)

  it("show every look of every product, and nothing else", () => {
    expect(files.sort()).toEqual(PRODUCTS.flatMap(picturesOf).sort())
  })

  it("have names that are safe in an address", () => {
    expect(files.filter((name) => !/^\/pictures\/[a-z0-9-]+\.svg$/.test(name))).toEqual([])
    expect(slug("Ø 30 cm / 36–39, Æblerød")).toBe("oe-30-cm-36-39-aebleroed")
  })
})
