import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { refetchCart } from "@medusajs/medusa/api/store/carts/helpers"
import { defaultStoreCartFields } from "@medusajs/medusa/api/store/carts/query-config"
import {
  applyCartActionWorkflow,
  type CartActionInput,
  repriceCartWorkflow,
  untoldPriceChanges,
} from "../../../../../workflows/cart"

/** How an action went: all of it, none of it, or some (gap 39). */
const statusOf = (failed: number, changed: number): "SUCCESS" | "PARTIAL" | "FAILURE" =>
  failed === 0 ? "SUCCESS" : changed === 0 ? "FAILURE" : "PARTIAL"

/** What happened as a whole; each failed product says why itself. */
const MESSAGE = {
  SUCCESS: {},
  PARTIAL: { message: "Not everything is in your basket as you asked." },
  FAILURE: { message: "Your basket was not changed." },
} as const

/**
 * Runs a cart action and answers `{status, message?, failed_products: [{product, code, message}], changes?, cart}`.
 * Lines whose proven price ran out are proven again first (gap 45a); `changes` are those that are not what the
 * shopper saw.
 */
export async function runAction(
  req: MedusaRequest,
  res: MedusaResponse,
  action: CartActionInput,
): Promise<void> {
  // Before the action: a line that core deleted must be restored before the action looks for it.
  await repriceCartWorkflow(req.scope).run({ input: action.cart_id })
  const { result } = await applyCartActionWorkflow(req.scope).run({ input: action })
  const changes = await untoldPriceChanges(req.scope, action.cart_id)
  const cart = await refetchCart(action.cart_id, req.scope, defaultStoreCartFields)
  const status = statusOf(result.failed.length, result.changed)
  res.json({
    status,
    ...MESSAGE[status],
    failed_products: result.failed,
    ...(changes.length > 0 ? { changes } : {}),
    cart,
  })
}
