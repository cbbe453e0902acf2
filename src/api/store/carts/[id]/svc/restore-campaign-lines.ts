/*
 * ── This file replaces `res.json` of a route of Medusa's. ──────────────────────────────────────────────────────────────
 *
 * Core's `POST /store/carts/:id` deletes every custom-priced line when the region changes, and answers with the cart that
 * is left. The shopper must see the cart with its campaign lines. They can be restored only after core's workflow has run,
 * and there is no better place for it in 2.21:
 *   - a middleware runs before the route, and nothing of a plugin runs between a route and its answer;
 *   - the hook `cartUpdated` of core's workflow takes one handler per application, and a second one breaks the start:
 *     it is left to the merchant;
 *   - the event `cart.region_updated` is handled after the answer, by any process.
 * Only an answer of 200 to a request that changes the region is touched, and where restoring fails core's own answer is
 * given: the next cart action, the job of each minute or the completion restores the lines then.
 */
import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { refetchCart } from "@medusajs/medusa/api/store/carts/helpers"
import { z } from "zod"
import { SVC_MODULE } from "../../../../../modules/svc"
import { repriceCartWorkflow } from "../../../../../workflows/cart"
import { idOf } from "../../../../answer"

const changesRegion = z.object({ region_id: z.string().min(1) })

/**
 * Runs around core's `POST /store/carts/:id`: where the region changes, the answer shows the cart with its campaign lines
 * restored. What cannot be had at the show's price in the new region is told at completion.
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
  const restored = async () => {
    await repriceCartWorkflow(req.scope).run({ input: cartId })
    const cart = await refetchCart(cartId, req.scope, req.queryConfig.fields)
    await svc.priceChanges.markRegionChangeTold(cartId)
    return cart
  }
  const answer = res.json.bind(res)
  res.json = (body) => {
    if (res.statusCode !== 200) return answer(body)
    restored().then(
      (cart) => answer({ ...(body as object), cart }),
      (error) => {
        const reason = error instanceof Error ? error.message : String(error)
        req.scope
          .resolve(ContainerRegistrationKeys.LOGGER)
          .warn(
            `svc: cart ${cartId} changed its region without its campaign lines for now: ${reason}`,
          )
        answer(body)
      },
    )
    return res
  }
  next()
}
