import { readCartContents } from "../../../../../../workflows/cart"
import { idOf, route } from "../../../../../answer"
import { accessOf, answerShopper, languageFor, spokenChanges } from "../shopper"

/**
 * `GET /store/carts/:id/svc/cart-contents`: the cart as the player shows it (GET_CART_CONTENTS, gap 42) →
 * `{status, products: [{product_id, variant_id, sku, name, quantity, unit_price, total, image, url,
 * in_campaign}], total, currency, changes?}`. Refuses with `not_found`.
 */
export const GET = route(async (req, res) => {
  try {
    const { contents, changes, locale } = await readCartContents(
      req.scope,
      idOf(req),
      accessOf(req),
    )
    res.json({
      ...contents,
      ...(changes.length > 0 ? { changes: spokenChanges(changes, languageFor(req, locale)) } : {}),
    })
  } catch (error) {
    if (!answerShopper(req, res, error)) throw error
  }
})
