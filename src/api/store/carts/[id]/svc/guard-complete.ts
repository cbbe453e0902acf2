import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { z } from "zod"
import { SVC_MODULE } from "../../../../../modules/svc"
import { REFUSALS, refusalCode } from "../../../../../modules/svc/refusal"
import type SvcModuleService from "../../../../../modules/svc/service"
import { CartRows } from "../../../../../modules/svc/sql/cart"
import { repriceCartWorkflow, tellPriceChanges } from "../../../../../workflows/cart"
import { answerRefusal, idOf } from "../../../../answer"
import { unlessBusy } from "./unless-busy"

/**
 * Stands before core's `POST /store/carts/:id/complete`: a show's line that no longer holds as it is (its price, its
 * quantity, its region) is set right, and the request answers 409 `svc_price_changed` with the lines, so that nobody pays
 * a price they did not see and nobody buys at a dead one; so it does where a job was quicker. A basket without such lines
 * costs three short queries.
 */
export const guardComplete = (
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
): Promise<void> => guardBasket(req, res, next, async () => idOf(req))

const payment = z.object({ provider_id: z.string().min(1) })

/**
 * Stands before core's `POST /store/payment-collections/:id/payment-sessions`, with the same answer: an order that a
 * payment provider's webhook places does not pass `guardComplete`, so its payment must not begin at a dead price. The
 * manual provider takes no money before the order; there completion is early enough.
 */
export async function guardPayment(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
): Promise<void> {
  const asked = payment.safeParse(req.body)
  if (!asked.success || asked.data.provider_id.startsWith("pp_system_")) return next()
  await guardBasket(req, res, next, async () => {
    const { data } = await req.scope.resolve(ContainerRegistrationKeys.QUERY).graph({
      entity: "cart_payment_collection",
      fields: ["cart_id"],
      filters: { payment_collection_id: idOf(req) },
    })
    return data[0]?.cart_id
  })
}

async function guardBasket(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
  findCart: () => Promise<string | undefined>,
): Promise<void> {
  try {
    const cartId = await findCart()
    if (!cartId) return next()
    const rows = new CartRows(req.scope.resolve<SvcModuleService>(SVC_MODULE).database())
    const askedAt = await rows.now()
    const lines = await unlessBusy(async () => {
      await repriceCartWorkflow(req.scope).run({ input: cartId })
      return tellPriceChanges(req.scope, cartId, askedAt)
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
