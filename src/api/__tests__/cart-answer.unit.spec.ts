import { defaultStoreCartFields } from "@medusajs/medusa/api/store/carts/query-config"
import { CART_FIELDS } from "../store/carts/[id]/svc/cart-answer"

it("answers of a cart what the installed Medusa answers of it", () => {
  expect([...CART_FIELDS].sort()).toEqual([...defaultStoreCartFields].sort())
})
