import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { z } from "zod"
import { SVC_MODULE } from "../../../../../modules/svc"
import { changeCart } from "../../../../../workflows/cart"
import { idOf } from "../../../../answer"
import { answerAfter } from "./answer-after"

const changesMarket = z
  .object({
    region_id: z.string().min(1).nullish(),
    sales_channel_id: z.string().min(1).nullish(),
    promo_codes: z.array(z.string()).optional().catch(undefined),
  })
  .refine(({ region_id, sales_channel_id }) => region_id || sales_channel_id)

/**
 * Runs around core's `POST /store/carts/:id`: where the region or the sales channel changes, the answer shows the cart with
 * its campaign lines, at what they cost there. What cannot be had at the show's price in the new market is told at
 * completion.
 */
export async function keepCampaignLines(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
): Promise<void> {
  const asked = changesMarket.safeParse(req.body)
  if (!asked.success) return next()
  const cartId = idOf(req)
  const { movingLines } = req.scope.resolve(SVC_MODULE).cart
  let promoCodes = asked.data.promo_codes
  try {
    if (!(await movingLines.mark(cartId, asked.data.region_id ?? null))) return next()
    promoCodes ??= await promoCodesOf(req, cartId)
  } catch (error) {
    return next(error)
  }
  answerAfter(req, res, cartId, async () => {
    try {
      // What core refused is not tried again.
      const isMoved = res.statusCode === 200
      // Another request that had the cart before core did has taken the marks back.
      if (isMoved) await movingLines.markDropped(cartId)
      // Core drops every code that discounts nothing while the show's lines are away.
      const codes = isMoved ? { promo_codes: promoCodes } : {}
      await changeCart(req.scope, { cart_id: cartId, intent: { occasion: "market" }, ...codes })
    } finally {
      // Of lines that are still there: core has left them alone, or they were restored.
      await movingLines.unmark(cartId)
    }
  })
  next()
}

async function promoCodesOf(req: MedusaRequest, cartId: string): Promise<string[]> {
  const { data } = await req.scope.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "cart",
    fields: ["promotions.code"],
    filters: { id: cartId },
  })
  return data.flatMap(({ promotions }) => promotions ?? []).flatMap((each) => each?.code ?? [])
}
