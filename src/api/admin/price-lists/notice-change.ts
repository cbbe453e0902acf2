import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { sweepPriceLists } from "../../../workflows/catalog"

/**
 * Medusa emits nothing when a price list is updated: not when it is switched on, not when its window is moved. The job of
 * each minute finds it; after a change in the admin nobody should wait for that.
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
