import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { z } from "zod"
import { REFUSALS, refusalCode, SVC_MODULE } from "../../../../../modules/svc"
import { acknowledgePriceChanges, repriceCartWorkflow } from "../../../../../workflows/cart"
import { answerRefusal, idOf } from "../../../../answer"

/**
 * Runs before core's `POST /store/carts/:id/complete`: a campaign's line that no longer holds as it is (its price, its
 * quantity, its region) is priced again, and the request answers 409 `svc_price_changed` with the lines. So nobody pays a
 * price they did not see, and nobody buys at a price that ended. A line that a job changed earlier is answered the same
 * way until the shopper was told. A cart without such lines costs three short queries.
 */
export const guardComplete = (
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
): Promise<void> => guardCart(req, res, next, async () => idOf(req))

const payment = z.object({ provider_id: z.string().min(1) })

/**
 * Runs before core's `POST /store/payment-collections/:id/payment-sessions`, with the same answer: an order that a
 * payment provider's webhook places does not pass `guardComplete`, so its payment must not begin at a price that ended. The
 * manual provider takes no money before the order; there completion is early enough.
 */
export async function guardPayment(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
): Promise<void> {
  const asked = payment.safeParse(req.body)
  if (!asked.success || asked.data.provider_id.startsWith("pp_system_")) return next()
  await guardCart(req, res, next, async () => {
    const { data } = await req.scope.resolve(ContainerRegistrationKeys.QUERY).graph({
      entity: "cart_payment_collection",
      fields: ["cart_id"],
      filters: { payment_collection_id: idOf(req) },
    })
    return data[0]?.cart_id
  })
}

async function guardCart(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
  findCart: () => Promise<string | undefined>,
): Promise<void> {
  try {
    const cartId = await findCart()
    if (!cartId) return next()
    const svc = req.scope.resolve(SVC_MODULE)
    const askedAt = await svc.priceChanges.now()
    await repriceCartWorkflow(req.scope).run({ input: cartId })
    const lines = await acknowledgePriceChanges(req.scope, cartId, askedAt)
    if (lines.length === 0) return next()
    res.status(REFUSALS.svc_price_changed.status).json({
      type: REFUSALS.svc_price_changed.type,
      code: "svc_price_changed",
      message:
        "A product from the show is not in your basket as you saw it. Please look at the basket and order again.",
      lines,
    })
  } catch (error) {
    // Core itself answers for a cart that does not exist or was completed already.
    const code = refusalCode(error)
    if (code === "not_found" || code === "cart_completed") return next()
    if (!answerRefusal(res, error)) next(error)
  }
}
