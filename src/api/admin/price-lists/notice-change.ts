import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { sweepPriceLists } from "../../../workflows/catalog"

/**
 * Medusa emits nothing when a price list is updated: not when it is activated, and not when its window is moved. The
 * job of each minute finds such changes; after a change in the admin nobody should have to wait for it.
 */
export function noticePriceListChange(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
): void {
  res.once("finish", () => {
    sweepPriceLists(req.scope).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      req.scope.resolve("logger").warn(`svc: a price list was not looked at: ${message}`)
    })
  })
  next()
}
