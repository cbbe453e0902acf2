import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { refetchCart } from "@medusajs/medusa/api/store/carts/helpers"
import { defaultStoreCartFields } from "@medusajs/medusa/api/store/carts/query-config"
import { SvcRefusal } from "../../../../../modules/svc/refusal"
import { applyCartActionWorkflow, repriceCartWorkflow } from "../../../../../workflows/cart"
import type { CartActionInput } from "../../../../../workflows/cart/apply-cart-action"

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
 * Runs a cart action and answers `{status, message?, failed_products: [{product, code, message}], cart}`.
 * Lines whose proven price ran out are proven again on the way (gap 45a).
 */
export async function runAction(
  req: MedusaRequest,
  res: MedusaResponse,
  action: CartActionInput,
): Promise<void> {
  const { result } = await applyCartActionWorkflow(req.scope)
    .run({ input: action })
    .catch((error: unknown) => {
      throw lockTimeout(error) ?? error
    })
  await repriceCartWorkflow(req.scope).run({ input: action.cart_id })
  const cart = await refetchCart(action.cart_id, req.scope, defaultStoreCartFields)
  const status = statusOf(result.failed.length, result.changed)
  res.json({
    status,
    ...MESSAGE[status],
    failed_products: result.failed,
    cart,
  })
}

/** Another request held the basket's lock all the time. */
function lockTimeout(error: unknown): SvcRefusal | null {
  // By shape: what a workflow throws may be a copy of the error.
  const message =
    typeof error === "object" && error !== null && "message" in error ? String(error.message) : ""
  return /lock/i.test(message) && /acquire|timed|timeout/i.test(message)
    ? new SvcRefusal("cart_busy", "This basket is being changed right now. Please try again.")
    : null
}
