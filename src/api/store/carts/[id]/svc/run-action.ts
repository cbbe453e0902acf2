import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { SVC_MODULE, SvcRefusal } from "../../../../../modules/svc"
import {
  type CartAction,
  changeCart,
  readUntoldChanges,
  sentence,
} from "../../../../../workflows/cart"
import { readCart } from "./cart-answer"
import { accessOf, answerShopper, languageFor, spoken, spokenChanges } from "./shopper"

/** How an action went: all of it, none of it, or some (gap 39). */
const statusOf = (failed: number, done: number): "SUCCESS" | "PARTIAL" | "FAILURE" =>
  failed === 0 ? "SUCCESS" : done === 0 ? "FAILURE" : "PARTIAL"

/** What happened as a whole; each failed product, and each line that changed beside it, says why itself. */
const MESSAGE = { SUCCESS: null, PARTIAL: "partial", FAILURE: "failure" } as const

/**
 * Runs a cart action and answers `{status, message?, failed_products: [{product, code, message, params?}], changes?, cart}`.
 * Lines whose proven price ran out are proven again first (gap 45a); `changes` are those that are not what the shopper saw.
 */
export async function runAction(
  req: MedusaRequest,
  res: MedusaResponse,
  cartId: string,
  action: CartAction,
): Promise<void> {
  try {
    refuseFlood(req, cartId)
    const result = await changeCart(req.scope, {
      cart_id: cartId,
      intent: { occasion: "action", action },
      access: accessOf(req),
    })
    const [cart, changes] = await Promise.all([
      readCart(cartId, req.scope),
      result.untold ? readUntoldChanges(req.scope, cartId) : [],
    ])
    const status = statusOf(result.failed.length, result.done)
    const language = languageFor(req, result.locale)
    // Nothing was done as asked, but lines that no longer held were put right.
    const isChanged = status === "FAILURE" && result.changed > 0
    const message = isChanged ? null : MESSAGE[status]
    res.json({
      status,
      ...(message ? { message: sentence(message, language) } : {}),
      failed_products: result.failed.map(({ product, ...reason }) => ({
        product,
        ...spoken(reason, language),
      })),
      ...(changes.length > 0 ? { changes: spokenChanges(changes, language) } : {}),
      cart,
    })
  } catch (error) {
    if (!answerShopper(req, res, error)) throw error
  }
}

/** @throws SvcRefusal `too_many_requests` */
function refuseFlood(req: MedusaRequest, cartId: string): void {
  const { actionLimits } = req.scope.resolve(SVC_MODULE).cart
  const seconds = actionLimits.take(cartId, Date.now())
  if (seconds > 0) {
    throw new SvcRefusal("too_many_requests", "Too many cart actions.", { seconds })
  }
}
