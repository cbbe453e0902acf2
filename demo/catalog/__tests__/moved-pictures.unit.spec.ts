import { movedPicture, movedPictures } from "../moved-pictures"
import { PRODUCTS } from "../products"

const NOW = "http://127.0.0.1:8000/pictures"
const earlier = (file: string) => `http://127.0.0.1:5000/pictures/${file}`
const own = PRODUCTS[0]?.handle ?? ""

describe("a picture of the demo", () => {
  it("moves to where it is served now", () => {
    expect(movedPicture(earlier(`${own}.svg`), NOW)).toBe(`${NOW}/${own}.svg`)
    expect(movedPicture(`${NOW}/${own}.svg`, NOW)).toBe(`${NOW}/${own}.svg`)
  })

  it.each([
    earlier("x.jpg"),
    earlier(`${own}.jpg`),
    earlier(`${own}.svg?v=2`),
    earlier(`mine/${own}.svg`),
    earlier("x.svg"),
    `http://127.0.0.1:5000/${own}.svg`,
    `https://shop.example/pictures/${own}.svg`,
  ])("is not %s, which stays", (url) => {
    expect(movedPicture(url, NOW)).toBe(url)
  })
})

describe("the pictures of a store", () => {
  const mine = earlier("x.jpg")
  const product = (thumbnail: string | null, ...urls: string[]) => ({
    id: "prod_1",
    thumbnail,
    images: urls.map((url, index) => ({ id: `img_${index}`, url })),
    variants: [],
  })

  it("are judged each by itself", () => {
    const picture = earlier(`${own}.svg`)
    const images = [
      { id: "img_0", url: mine },
      { id: "img_1", url: `${NOW}/${own}.svg` },
    ]
    expect(movedPictures([product(mine, mine, picture)], NOW).products).toEqual([
      { id: "prod_1", images },
    ])
    expect(movedPictures([product(picture, mine)], NOW).products).toEqual([
      { id: "prod_1", thumbnail: `${NOW}/${own}.svg` },
    ])
    expect(movedPictures([product(mine, mine), product(null)], NOW).products).toEqual([])
  })

  it("are those of variants, too", () => {
    const variants = [
      { id: "variant_1", thumbnail: earlier(`${own}.svg`) },
      { id: "variant_2", thumbnail: mine },
      { id: "variant_3", thumbnail: null },
    ]
    expect(movedPictures([{ ...product(null), variants }], NOW)).toEqual({
      products: [],
      variants: [{ id: "variant_1", thumbnail: `${NOW}/${own}.svg` }],
    })
  })
})
