/*
 * ── This file replaces `res.json` of routes of Medusa's. ───────────────────────────────────────────────────────────────
 *
 * Core's `POST /store/carts/:id` deletes every custom-priced line when the region changes, and answers with the cart that
 * is left; its `POST /store/carts/:id/line-items/:line_id` turns the tax basis of a line round. The shopper must see the
 * cart as it is sold. It can be set right only after core's workflow has run, and there is no better place for it in 2.21:
 *   - a middleware runs before the route, and nothing of a plugin runs between a route and its answer;
 *   - the hooks of core's workflows take one handler per application, and a second one breaks the start: they are left to
 *     the merchant;
 *   - events are handled after the answer, by any process.
 * Only an answer of 200 is touched, and where setting it right fails core's own answer is given: the next cart action, the
 * job of each minute or the completion does it then.
 */
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { messageOf } from "../../../../../modules/svc"
import { readCart } from "./cart-answer"

/**
 * Has the cart set right once core's handler has answered, and where that was with 200 answers with the cart as it is then.
 */
export function answerAfter(
  req: MedusaRequest,
  res: MedusaResponse,
  cartId: string,
  setRight: () => Promise<void>,
): void {
  const answer = res.json.bind(res)
  const answered = async (body: object) => {
    await setRight()
    return res.statusCode === 200
      ? { ...body, cart: await readCart(cartId, req.scope, req.queryConfig.fields) }
      : body
  }
  res.json = (body) => {
    res.json = answer
    answered(body as object).then(answer, (error) => {
      const reason = messageOf(error)
      req.scope
        .resolve(ContainerRegistrationKeys.LOGGER)
        .warn(`svc: cart ${cartId} was answered as core has left it: ${reason}`)
      answer(body)
    })
    return res
  }
}
