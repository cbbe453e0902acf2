import { serviceId, someCheckoutRequest, updateCartContentsRequest } from ".."

const ids = { campaign_uid: "c1", page_uid: "demo-page", order_no: "SVC-1001" }
const checkout = (changes: Record<string, unknown>) =>
  someCheckoutRequest.safeParse({
    ...ids,
    products: [{ product_id: "p", quantity: 1 }],
    ...changes,
  })
const update = (product: Record<string, unknown>) =>
  updateCartContentsRequest.safeParse({ ...ids, products: [{ product_id: "p", ...product }] })

describe("identifiers of the service", () => {
  it.each([
    ...["c1", "a..b", "a_b~c:d-e", "_a", ":a", "YQ==", "a+b", "...", "x".repeat(500)],
    ...["summer 26", "c/1", "a\\b", "a%2fb", "ordre-æ", "{a:1}", "..;a", "陶".repeat(166)],
  ])("%j may stand in an address", (id) => {
    expect(serviceId.parse(id)).toBe(id)
    const { pathname } = new URL(`https://h/x/${encodeURIComponent(id)}/y`)
    expect(pathname.split("/").map(decodeURIComponent)).toEqual(["", "x", id, "y"])
  })

  it.each([
    ...["", ".", "..", "../x", "a/..", "a/../b", "a\\..\\b", "./a"],
    ...[
      "a\n",
      "a\tb",
      "a\u0000",
      "\u0085",
      "\ud83d",
      "x".repeat(501),
      "陶".repeat(167),
      null,
      7,
      ["a"],
    ],
  ])("%j may not", (id) => {
    expect(serviceId.safeParse(id).success).toBe(false)
  })
})

describe("what a browser may ask (gaps 40, 41)", () => {
  it("is ids and a quantity: whatever it says of money is not even read", () => {
    const parsed = someCheckoutRequest.parse({
      ...ids,
      total: 1,
      products: [
        {
          product_id: "p",
          quantity: 2,
          unit_price: 0,
          price: 0,
          discount: 100,
          currency: "x",
          metadata: {},
        },
      ],
    })
    expect(parsed).toEqual({ ...ids, products: [{ product_id: "p", quantity: 2 }] })
    expect(update({ unit_price: 0, compare_at_unit_price: 0 }).data?.products).toEqual([
      { product_id: "p" },
    ])
  })

  it.each([0, -1, 1.5, 10_000, Number.NaN, "2", null, [1], undefined])(
    "a checkout of %p pieces is none",
    (quantity) => {
      expect(checkout({ products: [{ product_id: "p", quantity }] }).success).toBe(false)
    },
  )

  it("a change may bring a quantity to 0, and may leave action and quantity out", () => {
    expect(update({ quantity: 0 }).success).toBe(true)
    expect(update({}).success).toBe(true)
    for (const action of ["add", "change", "remove"])
      expect(update({ action, quantity: 3 }).success).toBe(true)
    for (const action of ["", "ADD", "set", "checkout", "clear", null])
      expect(update({ action }).success).toBe(false)
    for (const quantity of [-1, 0.5, 10_000, "1"]) expect(update({ quantity }).success).toBe(false)
  })

  it("names at least one product and at most 50", () => {
    const products = (count: number) =>
      Array.from({ length: count }, () => ({ product_id: "p", quantity: 1 }))
    expect(checkout({ products: products(50) }).success).toBe(true)
    for (const some of [[], products(51), undefined, null, {}, "p"])
      expect(checkout({ products: some }).success).toBe(false)
  })

  it("clears the basket only where it says so in so many words", () => {
    expect(checkout({}).data?.clear_cart).toBeUndefined()
    expect(checkout({ clear_cart: true }).data?.clear_cart).toBe(true)
    for (const clear_cart of ["true", 1, "", null])
      expect(checkout({ clear_cart }).success).toBe(false)
  })

  it.each(["campaign_uid", "page_uid"])("needs %s", (name) => {
    for (const value of [undefined, "", null, 7])
      expect(checkout({ [name]: value }).success).toBe(false)
  })

  it("may leave the order number out, where the cart has met the campaign", () => {
    for (const order_no of [undefined, null]) expect(checkout({ order_no }).success).toBe(true)
    for (const order_no of ["", 7]) expect(checkout({ order_no }).success).toBe(false)
  })
})
