import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { REFUSALS, refusalCode } from "../../../../../modules/svc/refusal"
import { repriceCartWorkflow, tellPriceChanges } from "../../../../../workflows/cart"
import { answerRefusal, idOf } from "../../../../answer"
import { unlessBusy } from "./unless-busy"

/**
 * Stands before core's `POST /store/carts/:id/complete`: a show's line that no longer holds as it is (its price, its
 * quantity, its region) is set right, and the request answers 409 `svc_price_changed` with the lines, so that nobody pays
 * a price they did not see and nobody buys at a dead one; so it does where a job was quicker. A basket without such lines
 * costs two short queries.
 */
export async function guardComplete(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
): Promise<void> {
  try {
    const lines = await unlessBusy(async () => {
      await repriceCartWorkflow(req.scope).run({ input: idOf(req) })
      return tellPriceChanges(req.scope, idOf(req))
    })
    if (lines.length === 0) return next()
    res.status(REFUSALS.svc_price_changed.status).json({
      type: REFUSALS.svc_price_changed.type,
      code: "svc_price_changed",
      message:
        "A product from the show is not in your basket as you saw it. Please look at the basket and order again.",
      lines,
    })
  } catch (error) {
    // Core answers for a basket that is gone or completed already, the latter with its order.
    const code = refusalCode(error)
    if (code === "not_found" || code === "cart_completed") return next()
    if (!answerRefusal(res, error)) next(error)
  }
}
