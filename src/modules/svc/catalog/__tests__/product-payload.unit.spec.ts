import { pushedProduct } from "../../../../contract"
import type { SourceProduct, SourceVariant } from "../../core-tables/store-products"
import { type Market, notForSale, PRODUCT_URL, toPayload } from "../product-payload"

type SoldVariant = SourceVariant & { price: number | null }
type SoldProduct = Omit<SourceProduct, "variants"> & { variants: SoldVariant[] }

const MARKET: Market = {
  regionName: "Denmark",
  currencyCode: "dkk",
  storefrontUrl: "https://shop.example",
  productUrl: PRODUCT_URL,
  locale: null,
  priceOf: (variant) => (variant as SoldVariant).price,
  foreignTax: null,
}

const SIZE = { id: "opt_size", title: "Size" }
const option = (value: string, rank: number | null = null) => ({
  id: `optval_${value}`,
  value,
  rank,
  option: SIZE,
})

const variant = (id: string, over: Partial<SoldVariant> = {}): SoldVariant => ({
  id,
  title: id.toUpperCase(),
  sku: `sku-${id}`,
  thumbnail: null,
  images: [],
  rank: 0,
  manage_inventory: true,
  allow_backorder: false,
  price_set_id: `pset_${id}`,
  price: 100,
  options: [option(id.toUpperCase(), id === "s" ? 0 : 1)],
  units: 5,
  ...over,
})

const product = (over: Partial<SoldProduct> = {}): SoldProduct => ({
  id: "prod_1",
  title: "Mug",
  handle: "mug",
  thumbnail: null,
  status: "published",
  deleted: false,
  in_channel: true,
  is_giftcard: false,
  type_id: null,
  collection_id: null,
  images: [],
  options: [SIZE],
  variants: [variant("s"), variant("m")],
  description: null,
  metadata: null,
  collection_title: null,
  type_value: null,
  categories: [],
  category_ids: [],
  tag_ids: [],
  ...over,
})

function mappedAs(over: Partial<SoldProduct> = {}, market: Partial<Market> = {}) {
  const mapped = toPayload(product(over), { ...MARKET, ...market })
  if (!mapped.ok) throw new Error(mapped.reason.message)
  return mapped
}
const sent = (over: Partial<SoldProduct> = {}, market: Partial<Market> = {}) =>
  mappedAs(over, market).payload

describe("a product as it is sent", () => {
  it("is simple with one variant, and carries that variant's sku and stock (gap 26, 32)", () => {
    expect(sent({ variants: [variant("s")] })).toEqual({
      id: "prod_1",
      type: "simple",
      sku: "sku-s",
      name: "Mug",
      price: 100,
      url: "https://shop.example/products/mug",
      status: "enabled",
      inventory: 5,
      manageStock: true,
    })
    expect(sent({ variants: [variant("s", { sku: null })] }).sku).toBe("s")
  })

  it("is configurable with several, with the handle for a sku and the lowest price (gaps 26 to 28, 30)", () => {
    const payload = sent({
      variants: [variant("s", { price: 19.99, rank: 1 }), variant("m", { price: 9.99, rank: 0 })],
    })
    expect(payload).toMatchObject({ type: "configurable", sku: "mug", price: 9.99, inventory: 10 })
    if (payload.type !== "configurable") throw new Error("not configurable")
    expect(payload.configurableOptions).toEqual([{ name: "Size", values: ["S", "M"] }])
    expect(payload.variants.map(({ id, price }) => [id, price])).toEqual([
      ["m", 9.99],
      ["s", 19.99],
    ])
    expect(payload.variants[1]).toEqual({
      id: "s",
      sku: "sku-s",
      name: "S",
      price: 19.99,
      inventory: 5,
      manageStock: true,
      status: "enabled",
      options: { Size: "S" },
    })
  })

  it("names only the options that its variants have values of, and these in the option's order", () => {
    const payload = sent({
      options: [{ id: "opt_colour", title: "Colour" }, SIZE],
      variants: [variant("m", { rank: 0 }), variant("s", { rank: 1 })],
    })
    expect(payload).toMatchObject({ configurableOptions: [{ name: "Size", values: ["S", "M"] }] })
  })

  it("takes a price of zero for a price, and says so: it may be a mistake", () => {
    const mapped = mappedAs({ variants: [variant("s", { price: 0 })] })
    expect(mapped.payload.price).toBe(0)
    expect(mapped.note).toMatchObject({
      code: "zero_price",
      params: { currency: "DKK", variants: "S" },
    })
  })

  it("is sold out, not less than that, where more is reserved than stocked (gap 31)", () => {
    expect(sent({ variants: [variant("s", { units: -3 })] }).inventory).toBe(0)
  })

  it("does not count where backorder is allowed or stock is not managed (gap 31)", () => {
    // Without a number: none in stock would read as sold out.
    for (const over of [
      { allow_backorder: true, units: 0 },
      { manage_inventory: false, units: null },
    ]) {
      const { manageStock, inventory } = sent({ variants: [variant("s", over)] })
      expect([manageStock, inventory]).toEqual([false, undefined])
      const several = sent({ variants: [variant("s"), variant("m", over)] })
      expect([several.manageStock, several.inventory]).toEqual([false, undefined])
      if (several.type !== "configurable") throw new Error("not configurable")
      expect(several.variants.map((one) => [one.manageStock, one.inventory])).toEqual([
        [false, undefined],
        [true, 5],
      ])
    }
  })

  it("makes relative pictures whole, drops what is no web address, and names each once (gap 29)", () => {
    const payload = sent({
      thumbnail: "/pictures/mug.jpg",
      images: [
        "https://cdn.example/a.jpg",
        "/pictures/mug.jpg",
        "data:image/png;base64,xx",
        "http://[",
      ],
    })
    expect(payload.image).toBe("https://shop.example/pictures/mug.jpg")
    expect(payload.images).toEqual(["https://cdn.example/a.jpg"])
    expect(sent({ images: ["//cdn.example/b.jpg"] }).image).toBe("https://cdn.example/b.jpg")
    expect(sent({ thumbnail: "/a b.jpg" }).image).toBe("https://shop.example/a%20b.jpg")
    expect(sent()).not.toHaveProperty("image")
  })

  it("names pictures whose address is none, and is sent without them", () => {
    const { note, payload } = mappedAs({
      thumbnail: "http://[",
      images: ["data:image/png;base64,xx"],
    })
    expect(payload).not.toHaveProperty("image")
    expect(note).toMatchObject({
      code: "image_unusable",
      params: { images: "http://[, data:image/png;base64,xx" },
    })
  })

  it("takes an empty sku, or one of spaces, for none (gap 26)", () => {
    for (const sku of ["", "   "]) {
      expect(sent({ variants: [variant("s", { sku })] }).sku).toBe("s")
      expect(sent({ variants: [variant("s", { sku }), variant("t")] })).toMatchObject({
        variants: [{ sku: "s" }, { sku: "sku-t" }],
      })
    }
  })

  it("gives a variant without a title the name of its options, else the product's", () => {
    expect(sent({ variants: [variant("s", { title: " " }), variant("t")] })).toMatchObject({
      variants: [{ name: "S" }, { name: "T" }],
    })
    expect(
      sent({ variants: [variant("s", { title: "", options: [] }), variant("t")] }),
    ).toMatchObject({ variants: [{ name: "Mug" }, { name: "T" }] })
  })

  it("makes an option of the variants' names where they have none", () => {
    const variants = ["s", "t"].map((id) => variant(id, { options: [] }))
    expect(sent({ options: [], variants })).toMatchObject({
      configurableOptions: [{ name: "Variant", values: ["S", "T"] }],
      variants: [{ options: { Variant: "S" } }, { options: { Variant: "T" } }],
    })
  })

  it.each([
    ["/shop/{locale}/p/{handle}", "https://shop.example/shop/da-DK/p/mug"],
    ["https://da.shop.example/{id}.html", "https://da.shop.example/prod_1.html"],
    ["p?handle={handle}", "https://shop.example/p?handle=mug"],
  ])("has its page where the template %s says", (productUrl, url) => {
    expect(sent({}, { productUrl, locale: "da-DK" }).url).toBe(url)
  })

  it("keeps an odd handle inside its path segment", () => {
    expect(sent({ handle: "a b/../c?d" }).url).toBe(
      "https://shop.example/products/a%20b%2F..%2Fc%3Fd",
    )
    expect(sent({ handle: null }).url).toBe("https://shop.example/products/prod_1")
  })

  it("meets the contract", () => {
    expect(pushedProduct.safeParse(sent()).success).toBe(true)
    expect(pushedProduct.safeParse(notForSale(sent(), "disabled")).success).toBe(true)
  })
})

describe("a product that cannot be sold", () => {
  const reason = (over: Partial<SoldProduct>) => {
    const mapped = toPayload(product(over), MARKET)
    return mapped.ok ? null : mapped.reason
  }

  it("has no variant", () => {
    expect(reason({ variants: [] })?.code).toBe("no_variants")
  })

  it("has no price in the region's currency, and says which", () => {
    const found = reason({ variants: [variant("s", { price: null })] })
    expect(found).toMatchObject({ code: "no_price", fix: "Add a price in DKK to the variants." })
    expect(found?.message).toContain('the region "Denmark"')
  })

  it("lacks something that the service needs, and names the field", () => {
    const found = reason({ title: "  " })
    expect(found?.code).toBe("incomplete")
    expect(found?.message).toContain("name:")
  })

  it("is sent without its unpriced variants, with a note", () => {
    const mapped = toPayload(
      product({ variants: [variant("s"), variant("m", { price: null })] }),
      MARKET,
    )
    if (!mapped.ok || mapped.payload.type !== "configurable") throw new Error("not configurable")
    expect(mapped.payload.variants.map(({ id }) => id)).toEqual(["s"])
    expect(mapped.payload.configurableOptions).toEqual([{ name: "Size", values: ["S"] }])
    expect(mapped.note?.code).toBe("variants_without_price")
    expect(mapped.note?.message).toContain("M")
  })
})

describe("a product that is gone", () => {
  it("is its last payload, not for sale, down to the variants (gap 25)", () => {
    const last = sent()
    if (last.type !== "configurable") throw new Error("not configurable")
    const gone = { status: "disabled", inventory: 0 }
    expect(notForSale(last, "disabled")).toEqual({
      ...last,
      ...gone,
      variants: last.variants.map((one) => ({ ...one, ...gone })),
    })
  })
})
