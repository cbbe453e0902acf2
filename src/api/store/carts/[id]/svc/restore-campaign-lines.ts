import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { refetchCart } from "@medusajs/medusa/api/store/carts/helpers"
import { z } from "zod"
import { SVC_MODULE } from "../../../../../modules/svc"
import { repriceCartWorkflow } from "../../../../../workflows/cart"
import { idOf } from "../../../../answer"

const changesRegion = z.object({ region_id: z.string().min(1) })

/**
 * Stands around core's `POST /store/carts/:id`: where it changes the basket's region, core takes every line with a custom
 * price out. They are brought back before the answer, which shows the basket with them; what cannot be had at the
 * show's price in the new region is told at completion. A process that dies in between leaves it to the next cart action,
 * the minute job or the completion.
 */
export async function restoreCampaignLines(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
): Promise<void> {
  if (!changesRegion.safeParse(req.body).success) return next()
  const cartId = idOf(req)
  const svc = req.scope.resolve(SVC_MODULE)
  try {
    if (!(await svc.campaignLines.expectRegionChange(cartId))) return next()
  } catch (error) {
    return next(error)
  }
  const answer = res.json.bind(res)
  res.json = (body) => {
    if (res.statusCode !== 200) return answer(body)
    bringBack().then(
      (cart) => answer({ ...(body as object), cart }),
      (error) => {
        const reason = error instanceof Error ? error.message : String(error)
        req.scope
          .resolve(ContainerRegistrationKeys.LOGGER)
          .warn(`svc: cart ${cartId} changed its region without its show lines for now: ${reason}`)
        answer(body)
      },
    )
    return res
  }
  const bringBack = async () => {
    await repriceCartWorkflow(req.scope).run({ input: cartId })
    const cart = await refetchCart(cartId, req.scope, req.queryConfig.fields)
    await svc.priceChanges.markRegionChangeTold(cartId)
    return cart
  }
  next()
}
