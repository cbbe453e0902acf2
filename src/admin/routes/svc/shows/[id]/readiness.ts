import type { TextKey } from "../../../../hooks/use-text"
import type { EventProduct, Reason, SyncedProduct } from "../../../../lib/types"

export type Readiness =
  | { state: "ready" | "removed" | "unavailable" | "unknown" }
  /** `itemId` where sending the product once more may help. */
  | { state: "notReady"; why: TextKey | Reason; itemId?: string }

/**
 * Whether a product of a show can be sold: the service offers it, at a price, and it is a product of this store that
 * the service knows as it is now. `synced` is undefined while the store's products are being read.
 */
export function readinessOf(product: EventProduct, synced: SyncedProduct[] | undefined): Readiness {
  if (product.deleted_at) return { state: "removed" }
  if (!product.available) return { state: "unavailable" }
  const priced = product.price !== null || product.variants.some(({ price }) => price !== undefined)
  if (!priced) return { state: "notReady", why: "shows.products.why.noPrice" }
  if (!synced) return { state: "unknown" }
  const own = synced.find(({ product_id }) => product_id === product.external_id)
  if (!own) return { state: "notReady", why: "shows.products.why.notOurs" }
  if (own.state === "synced") return { state: "ready" }
  const why = own.reason ?? "shows.products.why.waiting"
  const mayHelp = own.state === "failed" || own.state === "pending"
  return { state: "notReady", why, ...(mayHelp ? { itemId: own.id } : {}) }
}
