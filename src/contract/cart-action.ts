import { z } from "zod"
import { serviceId } from "./ids"

/** The identifiers in `SOME_CHECKOUT` and `UPDATE_CART_CONTENTS` (interface §2.3), as our routes take them. */
const identifiers = {
  campaign_uid: serviceId,
  page_uid: serviceId,
  /** May be left out where the basket has met the campaign: its number is taken again. */
  order_no: serviceId.nullish(),
}

/** The shop's own. One that is none is of no product, and keeps no other one from the cart. */
const ref = z.string().min(1)
const MAX_LINES = 50
const MAX_QUANTITY = 9_999

/** What the browser may say of a product: ids and a quantity, never money. */
const productRef = {
  product_id: ref,
  variant_id: ref.nullish(),
  sku: ref.nullish(),
}

/** Body of `POST /store/carts/:id/svc/some-checkout` (gap 40). */
export const someCheckoutRequest = z.object({
  ...identifiers,
  products: z
    .array(z.object({ ...productRef, quantity: z.number().int().min(1).max(MAX_QUANTITY) }))
    .min(1)
    .max(MAX_LINES),
  clear_cart: z.boolean().optional(),
})

/** Body of `POST /store/carts/:id/svc/update-cart-contents` (gap 41). */
export const updateCartContentsRequest = z.object({
  ...identifiers,
  products: z
    .array(
      z.object({
        ...productRef,
        action: z.enum(["add", "change", "remove"]).optional(),
        quantity: z.number().int().min(0).max(MAX_QUANTITY).optional(),
      }),
    )
    .min(1)
    .max(MAX_LINES),
})
