import { readCartContents } from "../../../../../../workflows/cart"
import { idOf, route } from "../../../../../answer"
import { accessOf, answerShopper, languageFor, spokenChanges } from "../shopper"

/**
 * `GET /store/carts/:id/svc/cart-contents`: the cart as the player shows it (GET_CART_CONTENTS, gap 42) →
 * `{status, products: [{product_id, variant_id, sku, name, quantity, unit_price, total, image, url,
 * in_campaign}], total, currency, changes?}`. With the query `campaign_uid`, `in_campaign` is true only for what that show sold.
 * Refuses with `not_found`, `cart_completed`.
 */
export const GET = route(async (req, res) => {
  const { campaign_uid: campaignUid } = req.query
  try {
    const { contents, changes, locale } = await readCartContents(
      req.scope,
      idOf(req),
      accessOf(req),
      typeof campaignUid === "string" ? campaignUid : undefined,
    )
    res.json({
      ...contents,
      ...(changes.length > 0 ? { changes: spokenChanges(changes, languageFor(req, locale)) } : {}),
    })
  } catch (error) {
    if (!answerShopper(req, res, error)) throw error
  }
})
