import { someCheckoutRequest } from "../../../../../../workflows/cart"
import { idOf, route } from "../../../../../answer"
import { readBody } from "../../../../../body"
import { runAction } from "../run-action"

/**
 * `POST /store/carts/:id/svc/some-checkout`: SOME_CHECKOUT (interface §4.6, gaps 40, 44).
 *
 * Body `{campaign_uid, page_uid, order_no?, products: [{product_id, variant_id?, sku?, quantity}], clear_cart?}`
 * → `{status, message?, failed_products, changes?, cart}`. Quantities are set, not added, per basket and order number;
 * `order_no` may be left out where the basket has met the campaign. Refuses with `not_found`, `cart_completed`,
 * `page_not_connected`, `channel_mismatch`, `order_number_required`, `payment_under_way`, `cart_busy`, `cart_moved`,
 * `too_many_requests`, `invalid_request`.
 */
export const POST = route(async (req, res) => {
  const { products, clear_cart, page_uid, campaign_uid, order_no } = await readBody(
    req,
    someCheckoutRequest,
  )
  await runAction(req, res, idOf(req), {
    pageUid: page_uid,
    campaignUid: campaign_uid,
    orderNo: order_no ?? null,
    products: products.map((product) => ({ ...product, action: "checkout" as const })),
    clear: clear_cart ?? false,
  })
})
