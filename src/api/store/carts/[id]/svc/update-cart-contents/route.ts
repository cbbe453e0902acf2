import { updateCartContentsRequest } from "../../../../../../workflows/cart"
import { idOf, route } from "../../../../../answer"
import { readBody } from "../../../../../body"
import { runAction } from "../run-action"

const ACTIONS = { add: "add", change: "set", remove: "remove" } as const

/**
 * `POST /store/carts/:id/svc/update-cart-contents`: UPDATE_CART_CONTENTS (interface §4.6, gap 41).
 *
 * Body `{campaign_uid, page_uid, order_no?, products: [{action?: "add"|"change"|"remove", product_id,
 * variant_id?, sku?, quantity?}]}` → `{status, message?, failed_products, changes?, cart}`. Without an action, quantity 0
 * removes, a line that exists is set, else added. Refuses with `not_found`, `cart_completed`, `page_not_connected`,
 * `channel_mismatch`, `order_number_required`, `payment_under_way`, `cart_busy`, `cart_moved`, `too_many_requests`,
 * `invalid_request`.
 */
export const POST = route(async (req, res) => {
  const { products, page_uid, campaign_uid, order_no } = await readBody(
    req,
    updateCartContentsRequest,
  )
  await runAction(req, res, idOf(req), {
    pageUid: page_uid,
    campaignUid: campaign_uid,
    orderNo: order_no ?? null,
    products: products.map(({ action, ...product }) => ({
      ...product,
      action: action ? ACTIONS[action] : null,
    })),
    clear: false,
  })
})
