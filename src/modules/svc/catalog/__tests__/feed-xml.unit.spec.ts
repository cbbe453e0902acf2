import {
  configurable,
  simple as pushed,
  variant,
} from "../../../../../integration-tests/setup/pushed-products"
import type { PushedProduct } from "../../../../contract"
import { feedTokenHash, makeFeedToken, opensFeed } from "../feed-token"
import { FEED_END, feedHead, feedItems } from "../feed-xml"

const CHANNEL = {
  title: "Havn & sons",
  link: "https://shop.example",
  currencyCode: "dkk",
  digits: 2,
}
const simple: PushedProduct = {
  ...pushed,
  name: "Mug <blue> & white",
  price: 99.5,
  url: "https://shop.example/products/mug?a=1&b=2",
  image: "https://shop.example/1.jpg",
  images: ["https://shop.example/2.jpg"],
  inventory: 3,
  manageStock: true,
}
const clothes = configurable(
  variant("S", { price: 10, inventory: 0 }),
  variant("M", { price: 12, inventory: 0, manageStock: false }),
  variant("L", { status: "disabled" }),
)
const element = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text]) => text)

describe("the shopping feed", () => {
  it("names a product as shopping feeds do, with every sign of XML escaped", () => {
    const xml = feedHead(CHANNEL) + feedItems(simple, CHANNEL) + FEED_END
    expect(xml).toContain("<title>Havn &amp; sons</title>")
    expect(element(xml, "g:id")).toEqual(["prod_1"])
    expect(xml).toContain("<title>Mug &lt;blue&gt; &amp; white</title>")
    expect(xml).toContain("<link>https://shop.example/products/mug?a=1&amp;b=2</link>")
    expect(element(xml, "g:price")).toEqual(["99.50 DKK"])
    expect(element(xml, "g:availability")).toEqual(["in_stock"])
    expect(element(xml, "g:image_link")).toEqual(["https://shop.example/1.jpg"])
    expect(element(xml, "g:additional_image_link")).toEqual(["https://shop.example/2.jpg"])
    expect(xml).not.toContain("g:item_group_id")
  })

  it("has one item for each variant that is for sale, grouped by the product", () => {
    const xml = feedItems(clothes, CHANNEL)
    expect(element(xml, "g:id")).toEqual(["S", "M"])
    expect(element(xml, "g:item_group_id")).toEqual(["prod_1", "prod_1"])
    expect(element(xml, "g:size")).toEqual(["S", "M"])
    expect(element(xml, "g:availability")).toEqual(["out_of_stock", "in_stock"])
    expect(element(xml, "g:price")).toEqual(["10.00 DKK", "12.00 DKK"])
  })

  it("has nothing of what is not for sale", () => {
    expect(feedItems({ ...simple, status: "disabled" }, CHANNEL)).toBe("")
  })

  it("writes amounts with the places of the currency", () => {
    expect(
      element(feedItems(simple, { ...CHANNEL, currencyCode: "jpy", digits: 0 }), "g:price"),
    ).toEqual(["100 JPY"])
    expect(
      element(feedItems(simple, { ...CHANNEL, currencyCode: "kwd", digits: 3 }), "g:price"),
    ).toEqual(["99.500 KWD"])
  })

  it("leaves out what XML cannot say, keeps what it can", () => {
    const name = "a\u0001b\ud800c \ufffe🧵 é"
    expect(element(feedItems({ ...simple, name }, CHANNEL), "title")).toEqual(["abc 🧵 é"])
  })
})

describe("the feed's token", () => {
  it("opens its own feed only, and none that is off", () => {
    const token = makeFeedToken()
    expect(token.length).toBeGreaterThanOrEqual(43)
    expect(opensFeed(token, feedTokenHash(token))).toBe(true)
    expect(opensFeed(makeFeedToken(), feedTokenHash(token))).toBe(false)
    expect(opensFeed("", feedTokenHash(token))).toBe(false)
    expect(opensFeed(token, null)).toBe(false)
    expect(opensFeed(feedTokenHash(token), feedTokenHash(token))).toBe(false)
  })
})
