/** What is only shown: anything in any field costs that field alone, and no address can run a script. */
import fc from "fast-check"
import { runs } from "../../../integration-tests/setup/generated"
import { readShownEvent, readShownProduct } from "../shown"

const anything = fc.anything({ maxDepth: 3, withNullPrototype: false })

it("is read from whatever the service sends", () => {
  const event = fc.dictionary(
    fc.constantFrom("description", "tags", "category", "cdnMp4VideoUrl", "coverPhotoPath"),
    anything,
  )
  const product = fc.dictionary(
    fc.constantFrom("url", "image", "images", "brand", "defaultQuantityToAdd"),
    anything,
  )
  fc.assert(
    fc.property(event, product, (event, product) => {
      const { tags, cover_urls } = readShownEvent({ event })
      expect([Array.isArray(tags), typeof cover_urls]).toEqual([true, "object"])
      const { default_quantity } = readShownProduct(product)
      expect(default_quantity === null || default_quantity >= 1).toBe(true)
    }),
    runs(200),
  )
})

it.each(["javascript:alert(1)", "data:text/html,x", "//evil.test", ""])(
  "leads nowhere by %j",
  (address) => {
    expect(readShownEvent({ event: { cdnMp4VideoUrl: address } }).video_url).toBeNull()
    expect(readShownProduct({ url: address }).url).toBeNull()
  },
)

it("takes the first of the other images where there is no main one", () => {
  expect(readShownProduct({ images: [{ url: "a.jpg" }, { url: "b.jpg" }] }).image).toBe("a.jpg")
  expect(readShownProduct({ image: { url: "c.jpg" }, images: [{ url: "a.jpg" }] }).image).toBe(
    "c.jpg",
  )
})
