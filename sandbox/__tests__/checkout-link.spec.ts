/** Social checkout links, as the dashboard makes them and as people write them. */

import { checkoutLink, readCheckoutLink } from "../web/pages/shared/checkout-link"

test("odd ids stay whole", () => {
  const products = [
    { productId: "a:b,c", variantId: "100 % bomuld", quantity: 2 },
    { productId: "prod_ø", quantity: 1 },
  ]
  const made = checkoutLink("https://shop.example/da?lang=da#top", { campaignUid: "c 1", products })
  expect(readCheckoutLink(made)).toEqual({
    campaignUid: "c 1",
    clearCart: false,
    redirectUrl: null,
    products,
  })
})

test("links written by hand are read, and what cannot be read is left out", () => {
  const hand = (list: string) =>
    readCheckoutLink(`https://shop.example/?svc_checkout=${list}`)?.products
  expect(hand("prod_1")).toEqual([{ productId: "prod_1", quantity: 1 }])
  expect(hand("prod_1::3,prod_2:var_9")).toEqual([
    { productId: "prod_1", quantity: 3 },
    { productId: "prod_2", variantId: "var_9", quantity: 1 },
  ])
  expect(hand("prod_1::0,prod_2::x,,%E0%A4%A::1")).toEqual([])
  expect(readCheckoutLink("https://shop.example/")).toBeNull()
})
