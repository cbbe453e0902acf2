import type { MedusaRequest } from "@medusajs/framework/http"
import type { SomeCheckoutRequest } from "../../../../../../workflows/cart"
import { idOf, route } from "../../../../../answer"
import { runAction } from "../run-action"

/**
 * `POST /store/carts/:id/svc/some-checkout`: SOME_CHECKOUT (interface §4.6, gaps 40, 44).
 *
 * Body `{campaign_uid, page_uid, order_no, products: [{product_id, variant_id?, sku?, quantity}], clear_cart?}`
 * → `{status, message?, failed_products, cart}`. Quantities are set, not added, per basket and order number.
 * Refuses with `not_found`, `cart_completed`, `page_not_connected`, `channel_mismatch`, `cart_busy`,
 * `invalid_request`.
 */
export const POST = route(async (req: MedusaRequest<SomeCheckoutRequest>, res) => {
  const { products, clear_cart, ...identifiers } = req.validatedBody
  await runAction(req, res, {
    cart_id: idOf(req),
    ...identifiers,
    products: products.map((product) => ({ ...product, action: "checkout" as const })),
    clear_cart: clear_cart ?? false,
  })
})
