import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { REFUSALS, refusalCode } from "../../../../../modules/svc/refusal"
import { repriceCartWorkflow, tellPriceChanges } from "../../../../../workflows/cart"
import { idOf } from "../../../../answer"

/**
 * Stands before core's `POST /store/carts/:id/complete`: a line whose campaign price no longer holds is priced
 * again, and the request answers 409 `svc_price_changed` with the lines, so that nobody pays a price they did not
 * see and nobody buys at a dead one; so it does where a job was quicker. A basket without such lines costs two short
 * queries.
 */
export async function guardComplete(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
): Promise<void> {
  try {
    await repriceCartWorkflow(req.scope).run({ input: idOf(req) })
    const lines = await tellPriceChanges(req.scope, idOf(req))
    if (lines.length === 0) return next()
    res.status(REFUSALS.svc_price_changed.status).json({
      type: REFUSALS.svc_price_changed.type,
      code: "svc_price_changed",
      message:
        "The show's price of a product in your basket has changed. Please look at the basket and order again.",
      lines,
    })
  } catch (error) {
    // Core answers for a basket that is gone or completed already, the latter with its order.
    const code = refusalCode(error)
    if (code === "not_found" || code === "cart_completed") return next()
    next(error)
  }
}
