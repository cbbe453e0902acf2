import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { messageOf } from "../../modules/svc"
import { markChanged } from "../../workflows/catalog"

type Changed = Parameters<typeof markChanged>[1]

/** Once one of Medusa's routes has answered: marks what it has changed, and of which Medusa tells nobody. */
const notice =
  (kind: Changed, idsOf: (req: MedusaRequest) => string[]) =>
  (req: MedusaRequest, res: MedusaResponse, next: MedusaNextFunction): void => {
    const ids = idsOf(req)
    res.once("finish", () => {
      if (ids.length === 0 || res.statusCode >= 400) return
      markChanged(req.scope, kind, ids).catch((error: unknown) => {
        req.scope.resolve("logger").warn(`svc: a ${kind} was not looked at: ${messageOf(error)}`)
      })
    })
    next()
  }

/**
 * Medusa emits nothing when a price list is updated: not when it is activated, and not when its window is moved. The
 * job of each minute finds such changes; after a change in the admin nobody should have to wait for it.
 */
export const noticePriceListChange = notice("price_list", ({ originalUrl }) => {
  const [, id] = /\/admin\/price-lists\/([^/?]+)/.exec(originalUrl) ?? []
  return id ? [decodeURIComponent(id)] : []
})

type Moved = { add?: unknown; remove?: unknown }

/** Nor when products are put into a category, or taken out, on the category's page. */
export const noticeCategoryProducts = notice("product", ({ body }) => {
  const { add, remove } = (body ?? {}) as Moved
  return [add, remove].flat().filter((id): id is string => typeof id === "string")
})
