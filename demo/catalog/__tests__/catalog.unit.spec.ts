import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { draw } from "../pictures"
import { CATEGORIES, PRODUCTS, SALES } from "../products"
import { picturesOf, slug, variantsOf } from "../variants"

const TEMPLATES = join(__dirname, "../pictures")
const variants = PRODUCTS.flatMap(variantsOf)
const optionCount = ({ options }: { options?: Record<string, unknown> }) =>
  Object.keys(options ?? {}).length

describe("the demo's catalog", () => {
  it("is as large as a small shop, in every category", () => {
    expect(PRODUCTS.length).toBeGreaterThanOrEqual(60)
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
  it("show every variant, and every product under its handle", () => {
    for (const product of PRODUCTS) {
      const names = picturesOf(product).map(({ name }) => name)
      expect(names).toEqual(
        expect.arrayContaining([
          product.handle,
          ...variantsOf(product).map(({ picture }) => picture),
        ]),
      )
    }
  })

  it("have names that are safe in an address", () => {
    const names = PRODUCTS.flatMap(picturesOf).map(({ name }) => name)
    expect(names.filter((name) => !/^[a-z0-9-]+$/.test(name))).toEqual([])
    expect(slug("Ø 30 cm / 36–39, Æblerød")).toBe("oe-30-cm-36-39-aebleroed")
  })

  it("are the same file at every start, and another one in another colour", () => {
    const drawn = (colour: string) => draw("mug", [colour], "Havn mug")
    expect(drawn("#5c7a8c")).toBe(drawn("#5c7a8c"))
    expect(drawn("#5c7a8c")).not.toBe(drawn("#b5694a"))
  })

  it("are drawn whole: every part and colour that a template names is there", () => {
    for (const product of PRODUCTS) {
      for (const { drawing, colours } of picturesOf(product)) {
        const drawn = draw(drawing, colours, product.title)
        expect(drawn).not.toMatch(/var\(|undefined|NaN/)
        const ids = new Set([...drawn.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
        const used = [...drawn.matchAll(/(?:url\(|href=")#([\w-]+)/g)].map(([, id]) => id)
        expect(used.filter((id) => !ids.has(id))).toEqual([])
      }
    }
  })

  it("use every template and every shared part", () => {
    const templates = readdirSync(TEMPLATES).map((name) => name.replace(/\.svg$/, ""))
    const drawings = new Set(PRODUCTS.map(({ drawing }) => drawing))
    expect(templates.filter((name) => name !== "shared" && !drawings.has(name))).toEqual([])
    const text = templates
      .map((name) => readFileSync(join(TEMPLATES, `${name}.svg`), "utf8"))
      .join()
    const shared = readFileSync(join(TEMPLATES, "shared.svg"), "utf8")
    const parts = [...shared.matchAll(/^ {4}<\w+ id="([^"]+)"/gm)].map(([, id]) => id)
    expect(parts.filter((id) => !new RegExp(`#${id}(?:--|[")])`).test(text))).toEqual([])
  })

  it("escape a title that could end the element it stands in", () => {
    expect(draw("mug", ["#5c7a8c"], "<b> & more")).toContain("<title>&lt;b&gt; &amp; more</title>")
  })
})
