import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { z } from "zod"
import { SVC_MODULE } from "../../../../../modules/svc"
import { limit, limitsOf } from "../../../../../modules/svc/cart-plan"
import { SvcRefusal } from "../../../../../modules/svc/refusal"
import type SvcModuleService from "../../../../../modules/svc/service"
import { CartRows } from "../../../../../modules/svc/sql/cart"
import { ProjectionRows } from "../../../../../modules/svc/sql/projection"
import { answerRefusal, idOf } from "../../../../answer"

const setsQuantity = z.object({ quantity: z.number().positive() })

/**
 * Stands before core's `POST /store/carts/:id/line-items/:line_id`: refuses a quantity that the line's campaign does not
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
    const knex = req.scope.resolve<SvcModuleService>(SVC_MODULE).database()
    const lines = await new CartRows(knex).showLines(idOf(req))
    const line = lines.find(({ id, due }) => id === req.params.line_id && !due)
    if (!line?.campaign_uid || !line.connection_id) return next()

    const projection = new ProjectionRows(knex)
    const products = await projection.productsOf(line.connection_id, [line.campaign_uid])
    // Core looks after the stock.
    const limits = limitsOf(products, { productId: line.product_id ?? "", stock: null })
    const { reason } = limit(quantity, 0, limits)
    const fewer = reason?.code === "not_available" && quantity <= line.quantity
    if (!reason || fewer) return next()
    throw new SvcRefusal(
      reason.code === "not_available" ? "not_available" : "quantity_limited",
      reason.message,
    )
  } catch (error) {
    if (!answerRefusal(res, error)) next(error)
  }
}
