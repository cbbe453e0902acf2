import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { z } from "zod"
import { SVC_MODULE } from "../../../../../modules/svc"
import { changeCart, checkQuantity } from "../../../../../workflows/cart"
import { idOf } from "../../../../answer"
import { answerAfter } from "./answer-after"
import { answerShopper } from "./shopper"

const setsQuantity = z.object({ quantity: z.number().min(0) })

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
    if (quantity === 0) {
      forgetsRemoved(req, res, lineId)
      return next()
    }
    const { turnsTaxBasis } = await checkQuantity(req.scope, { cartId, lineId, quantity })
    if (turnsTaxBasis) {
      answerAfter(req, res, cartId, async () => {
        await changeCart(req.scope, {
          cart_id: cartId,
          intent: { occasion: "market" },
        })
      })
    }
    next()
  } catch (error) {
    if (!answerShopper(req, res, error)) next(error)
  }
}

/**
 * Runs around core's `DELETE /store/carts/:id/line-items/:line_id`: what the shopper removes is not to be restored, and the
 * minute's job need not look at it any more.
 */
export function noticeRemoval(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
): void {
  const { line_id: lineId } = req.params
  if (lineId) forgetsRemoved(req, res, lineId)
  next()
}

function forgetsRemoved(req: MedusaRequest, res: MedusaResponse, lineId: string): void {
  const { movingLines } = req.scope.resolve(SVC_MODULE).cart
  // A process that dies before costs little: the job leaves lines alone that are gone.
  res.once("finish", () => {
    movingLines.closeRemoved(lineId).catch(() => undefined)
  })
}
