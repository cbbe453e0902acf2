import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { messageOf } from "../../../modules/svc"
import { markChanged } from "../../../workflows/catalog"

/**
 * Medusa emits nothing when products are put into a category, or taken out, on the category's page. The job of each minute
 * finds it; after a change in the admin nobody should have to wait for it.
 */
export function noticeCategoryProducts(
  req: MedusaRequest<{ add?: unknown; remove?: unknown } | undefined>,
  res: MedusaResponse,
  next: MedusaNextFunction,
): void {
  const ids = [req.body?.add, req.body?.remove]
    .flat()
    .filter((id): id is string => typeof id === "string")
  res.once("finish", () => {
    if (ids.length === 0 || res.statusCode >= 400) return
    markChanged(req.scope, "product", ids).catch((error: unknown) => {
      const message = messageOf(error)
      req.scope.resolve("logger").warn(`svc: a category's products were not marked: ${message}`)
    })
  })
  next()
}
