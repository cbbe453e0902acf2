import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { z } from "zod"
import { checkQuantity } from "../../../../../workflows/cart"
import { answerRefusal, idOf } from "../../../../answer"

const setsQuantity = z.object({ quantity: z.number().positive() })

/**
 * Runs before core's `POST /store/carts/:id/line-items/:line_id`: refuses a quantity that the line's campaign does not
 * sell (gap 45) with `quantity_limited` or `not_available`. What gets past it (other code, a limit that changed) is set
 * right at completion.
 */
export async function limitQuantity(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
): Promise<void> {
  const asked = setsQuantity.safeParse(req.body)
  if (!asked.success) return next()
  try {
    const { quantity } = asked.data
    await checkQuantity(req.scope, { cartId: idOf(req), lineId: req.params.line_id, quantity })
    next()
  } catch (error) {
    if (!answerRefusal(res, error)) next(error)
  }
}
