import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { z } from "zod"
import { changeCart, checkQuantity } from "../../../../../workflows/cart"
import { idOf } from "../../../../answer"
import { answerAfter } from "./answer-after"
import { answerShopper } from "./shopper"

const setsQuantity = z.object({ quantity: z.number().positive() })

/**
 * Runs around core's `POST /store/carts/:id/line-items/:line_id`: refuses a quantity that the line's campaign does not
 * sell (gap 45) with `quantity_limited`, `not_available` or `campaign_ended`. Core sets a line's tax basis from its variant
 * then, which would make a show's price without tax one with tax; that is set right before the answer. What gets past it
 * (other code, a limit that changed) is set right at completion.
 */
export async function limitQuantity(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
): Promise<void> {
  const asked = setsQuantity.safeParse(req.body)
  const { line_id: lineId } = req.params
  if (!asked.success || !lineId) return next()
  const cartId = idOf(req)
  try {
    const { quantity } = asked.data
    const { turnsTaxBasis } = await checkQuantity(req.scope, { cartId, lineId, quantity })
    if (turnsTaxBasis) {
      answerAfter(req, res, cartId, async () => {
        await changeCart(req.scope, { cart_id: cartId, intent: { occasion: "market" } })
      })
    }
    next()
  } catch (error) {
    if (!answerShopper(req, res, error)) next(error)
  }
}
