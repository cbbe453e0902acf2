import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { messageOf } from "../../../modules/svc"
import { markChanged } from "../../../workflows/catalog"

/**
 * Medusa emits nothing when a price list is updated: not when it is activated, and not when its window is moved. The
 * job of each minute finds such changes; after a change in the admin nobody should have to wait for it.
 */
export function noticePriceListChange(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
): void {
  const [, id] = /\/admin\/price-lists\/([^/?]+)/.exec(req.originalUrl) ?? []
  res.once("finish", () => {
    if (!id || res.statusCode >= 400) return
    markChanged(req.scope, "price_list", [decodeURIComponent(id)]).catch((error: unknown) => {
      const message = messageOf(error)
      req.scope.resolve("logger").warn(`svc: a price list was not looked at: ${message}`)
    })
  })
  next()
}
